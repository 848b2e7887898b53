/** What signing in has to know of a user. */
export type LoginUser = Readonly<{
  userId: number;
  enterpriseId: number;
  passwordHash: string;
  isActive: boolean;
}>;

/** One row of an enterprise. */
export type EntityRef = Readonly<{ enterpriseId: number; id: number }>;

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

export type Group = Readonly<{ id: number; name: string }>;
