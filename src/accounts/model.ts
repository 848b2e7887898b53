/** The columns of a user that sign-in needs. */
export type LoginUser = Readonly<{
  userId: number;
  enterpriseId: number;
  passwordHash: string;
  isActive: boolean;
}>;

/** Identifies one row of an enterprise. */
export type EntityRef = Readonly<{ enterpriseId: number; id: number }>;

export type TokenOwner = Readonly<{ userId: number; enterpriseId: number }>;

/** A user as returned by `GET users/me`, with the API key of their enterprise. */
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
