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

/** A user as other slices see them. */
export type DirectoryUser = Readonly<{
  id: number;
  login: string;
  /** First and last name, else the login. */
  displayName: string;
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
  /** How long before its planned start a ticket is reminded of. Null: not at all. */
  reminderMinutes: number | null;
  /** Groups whose agents may work for it. Empty: everybody's. */
  groupIds: readonly number[];
}>;

/** A service that conferences can be made for. */
export type ConferenceService = Readonly<{
  id: number;
  serviceKey: string;
  name: string;
  /** Null: the enterprise's. */
  language: string | null;
  /** How long before its start a conference is reminded of. Null: not at all. */
  reminderMinutes: number | null;
}>;

export type Group = Readonly<{ id: number; name: string }>;
