import { missingParameter, problem } from "../contracts/problems.ts";
import { rateLimited } from "../http/limits.ts";
import {
  noContent,
  ok,
  publicRoute,
  route,
  type PublicRequest,
  type PublicRoute,
  type Route,
} from "../http/route.ts";
import { meAnswer, tokenAnswer } from "./answers.ts";
import { presentMe, presentTokens } from "./present.ts";
import type { IssuedTokens } from "./model.ts";
import type { Accounts } from "./service.ts";

export type AccountRoutesDeps = { accounts: Accounts; baseUrl: string };

type TokenBody = Readonly<{
  grant_type: string;
  username?: string;
  password?: string;
  refresh_token?: string;
  scope?: string;
}>;

const secretText = { type: "string", minLength: 1, maxLength: 1024 } as const;

const tokenBody = {
  type: "object",
  required: ["grant_type"],
  properties: {
    grant_type: { type: "string", described: { enum: ["password", "refresh_token"] } },
    username: { type: "string", minLength: 1, maxLength: 255 },
    password: secretText,
    refresh_token: secretText,
    scope: { type: "string", maxLength: 255, described: { pattern: "^(offline)?$" } },
    // OAuth libraries send them; there are no clients to tell apart, so they are not looked at.
    client_id: { type: "string" },
    client_secret: { type: "string" },
  },
  additionalProperties: false,
} as const;

export function createAccountRoutes({
  accounts,
  baseUrl,
}: AccountRoutesDeps): (Route | PublicRoute)[] {
  return [
    publicRoute<TokenBody>({
      method: "POST",
      path: "/token",
      operationId: "api.token.create",
      summary: "Get an access token for a login and password, or for a refresh token",
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
      summary: "Revoke the access token that is presented, and its refresh token",
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
      summary: "The current user",
      permission: "authenticated",
      family: "solution",
      limit: "api",
      answer: { status: 200, schema: meAnswer },
      handle: async ({ caller }) =>
        ok(presentMe(await accounts.getProfile(caller), caller.token, baseUrl)),
    }),
  ];
}

/** `offline` is the only scope. Scopes are separated by spaces or commas. */
function isOffline(scope = ""): boolean {
  const words = scope.split(/[\s,]+/u).filter((word) => word !== "");
  if (words.some((word) => word !== "offline")) {
    throw problem("invalid_parameter", "The only scope is offline.", {
      details: "Parameter scope",
      errors: [{ field: "scope", reason: "enum" }],
      error: "invalid_scope",
    });
  }
  return words.length > 0;
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

async function grant(accounts: Accounts, request: PublicRequest<TokenBody>): Promise<IssuedTokens> {
  refuseOverLimit(request);
  switch (request.body.grant_type) {
    case "password":
      return grantByPassword(accounts, request);
    case "refresh_token":
      return grantByRefreshToken(accounts, request);
    default:
      throw problem("invalid_parameter", "grant_type is password or refresh_token.", {
        details: "Parameter grant_type",
        errors: [{ field: "grant_type", reason: "enum" }],
        error: "unsupported_grant_type",
      });
  }
}

/** Nobody is refused for the limit of their address who may prove to be known there. */
function refuseOverLimit({ body, overLimit }: PublicRequest<TokenBody>): void {
  if (overLimit !== undefined && body.grant_type !== "password") {
    throw rateLimited(overLimit);
  }
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
