import type { Person } from "../contracts/session-events.ts";

/** What signing in has to know of a user. */
export type LoginUser = Readonly<{
  userId: number;
  enterpriseId: number;
  passwordHash: string;
  isActive: boolean;
}>;

export type TokenOwner = Readonly<{ userId: number; enterpriseId: number }>;

/** A user as `GET users/me` shows them, with the key of their enterprise. */
export type Profile = Readonly<{
  userId: number;
  enterpriseId: number;
  apiKey: string;
  nickname: string;
  isAgent: boolean;
  email: string;
  photoUrl: string | undefined;
}>;

export type IssuedTokens = Readonly<{
  accessToken: string;
  createdAt: Date;
  expiresInSeconds: number;
  refreshToken: string | undefined;
}>;

/** A user as tickets see them. */
export type DirectoryUser = Readonly<{
  id: number;
  login: string;
  isAgent: boolean;
  groupIds: readonly number[];
  person: Person;
}>;

/** A service that tickets can be made for, with its entry point. */
export type TicketService = Readonly<{
  id: number;
  serviceKey: string;
  name: string;
  ticketTypes: readonly string[];
  buttonId: number;
}>;

export type Group = Readonly<{ id: number; name: string }>;
