import { secretText } from "./fields.ts";
import { missingParameter, problem } from "../contracts/problems.ts";
import { rateLimited } from "../http/rate-limit.ts";
import {
  noContent,
  ok,
  publicRoute,
  route,
  type PublicRequest,
  type PublicRoute,
  type Route,
  type JsonSchema,
} from "../http/route.ts";
import type { IssuedTokens, Accounts } from "./service.ts";
import type { Profile } from "./token-store.ts";
import { exactObject, flag, integer, text, timestamp } from "../http/schema.ts";
import { photoUrlOf } from "../contracts/directory.ts";
import { toTimestamp } from "../platform/timestamps.ts";

export type AccountRoutesDeps = { accounts: Accounts; baseUrl: string };

type TokenBody = Readonly<{
  grant_type: string;
  username?: string;
  password?: string;
  refresh_token?: string;
  scope?: string;
}>;

/** Answer schemas of the token and current-user operations. */
const uri = { type: "string", format: "uri" };

const tokenBody = {
  type: "object",
  required: ["grant_type"],
  properties: {
    grant_type: { type: "string", described: { enum: ["password", "refresh_token"] } },
    username: { type: "string", minLength: 1, maxLength: 255 },
    password: secretText,
    refresh_token: secretText,
    scope: { type: "string", maxLength: 255, described: { pattern: "^(offline)?$" } },
    // OAuth libraries send these fields. Sightline has no OAuth clients, so they are ignored.
    client_id: { type: "string" },
    client_secret: { type: "string" },
  },
  additionalProperties: false,
} as const;

/** `refresh_token` only if it was requested. */
const tokenAnswer: JsonSchema = {
  title: "Token",
  type: "object",
  additionalProperties: false,
  required: ["access_token", "created_at", "expires_in", "token_type"],
  properties: {
    access_token: text,
    created_at: timestamp,
    expires_in: integer,
    token_type: { type: "string", enum: ["Bearer"] },
    refresh_token: text,
  },
};

const meAnswer = exactObject("Me", {
  photo_url: uri,
  enterpriseId: integer,
  userId: integer,
  apiKey: text,
  nickname: text,
  token: text,
  is_agent: flag,
  ccs: text,
  mail: text,
});

export function createAccountRoutes({
  accounts,
  baseUrl,
}: AccountRoutesDeps): (Route | PublicRoute)[] {
  return [
    publicRoute<TokenBody>({
      method: "POST",
      path: "/token",
      operationId: "api.token.create",
      summary: "Issue an access token for a login and password, or for a refresh token",
      limit: "tokenIp",
      isSignIn: true,
      transport: "any",
      body: tokenBody,
      answer: { status: 200, schema: tokenAnswer },
      problems: ["bad_login", "bad_token"],
      handle: async (request) => ok(presentTokens(await grant(accounts, request))),
    }),
    route({
      method: "DELETE",
      path: "/token",
      operationId: "api.token.revoke",
      summary: "Revoke the presented access token and its refresh token",
      permission: "authenticated",
      family: "platform",
      limit: "api",
      answer: { status: 204 },
      handle: async ({ caller }) => {
        await accounts.revoke(caller);
        return noContent;
      },
    }),
    route({
      method: "GET",
      path: "/users/me",
      operationId: "api.users.me",
      summary: "Read the current user",
      permission: "authenticated",
      family: "solution",
      limit: "api",
      answer: { status: 200, schema: meAnswer },
      handle: async ({ caller }) =>
        ok(presentMe(await accounts.getProfile(caller), caller.token, baseUrl)),
    }),
  ];
}

/** The token object. Contains `refresh_token` only if it was requested. */
function presentTokens(tokens: IssuedTokens) {
  return {
    access_token: tokens.accessToken,
    created_at: toTimestamp(tokens.createdAt),
    expires_in: tokens.expiresInSeconds,
    token_type: "Bearer",
    ...(tokens.refreshToken === undefined ? {} : { refresh_token: tokens.refreshToken }),
  };
}

async function grant(accounts: Accounts, request: PublicRequest<TokenBody>): Promise<IssuedTokens> {
  rejectOverLimit(request);
  switch (request.body.grant_type) {
    case "password":
      return grantByPassword(accounts, request);
    case "refresh_token":
      return grantByRefreshToken(accounts, request);
    default:
      throw problem(
        "invalid_parameter",
        "The grant_type field is invalid: it must be password or refresh_token.",
        {
          details: "Parameter grant_type",
          errors: [{ field: "grant_type", reason: "enum" }],
          error: "unsupported_grant_type",
        },
      );
  }
}

/**
 * Rejects calls over the address limit, except password sign-ins: their client may be a known one.
 */
function rejectOverLimit({ body, overLimit }: PublicRequest<TokenBody>): void {
  if (overLimit !== undefined && body.grant_type !== "password") {
    throw rateLimited(overLimit);
  }
}

function grantByPassword(
  accounts: Accounts,
  { body, clientNetwork, overLimit }: PublicRequest<TokenBody>,
): Promise<IssuedTokens> {
  const { username, password, scope } = body;
  if (username === undefined) {
    throw missingParameter("username");
  }
  if (password === undefined) {
    throw missingParameter("password");
  }
  const client = { network: clientNetwork };
  const passwordGrant = {
    login: username,
    password,
    client,
    overLimit,
    isOffline: isOffline(scope),
  };
  return accounts.grantByPassword(passwordGrant);
}

/** `offline` is the only scope. Scopes are separated by spaces or commas. */
function isOffline(scope = ""): boolean {
  const words = scope.split(/[\s,]+/u).filter((word) => word !== "");
  if (words.some((word) => word !== "offline")) {
    throw problem("invalid_parameter", "The scope field is invalid: the only value is offline.", {
      details: "Parameter scope",
      errors: [{ field: "scope", reason: "enum" }],
      error: "invalid_scope",
    });
  }
  return words.length > 0;
}

function grantByRefreshToken(
  accounts: Accounts,
  { body }: PublicRequest<TokenBody>,
): Promise<IssuedTokens> {
  if (body.refresh_token === undefined) {
    throw missingParameter("refresh_token");
  }
  return accounts.grantByRefreshToken(body.refresh_token);
}

/**
 * The current user in the format of the agent module. `ccs` is the host of the signalling server.
 */
function presentMe(profile: Profile, token: string, baseUrl: string) {
  return {
    photo_url: photoUrlOf(profile.photoUrl, baseUrl),
    enterpriseId: profile.enterpriseId,
    userId: profile.userId,
    apiKey: profile.apiKey,
    nickname: profile.nickname,
    token,
    is_agent: profile.isAgent,
    ccs: new URL(baseUrl).hostname,
    mail: profile.email,
  };
}
