/** OAuth2 client credentials for requests to a receiver. */
import { invalidParameter } from "../../contracts/problems.ts";
import type { OAuth2Client } from "../../contracts/subscriptions.ts";
import { maskedValue } from "../../contracts/request-headers.ts";
import { exactObject, nullableText, text } from "../../http/schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { hasOtherOrigin, objectOrNull, oneOf, receiverUrl, requiredText } from "./setting.ts";
import { maxUrlLength } from "../../platform/net/address-rules.ts";

export type OAuth2Input = {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope?: string | null;
  audience?: string | null;
  authentication?: OAuth2Client["authentication"];
};

const authentications = ["basic", "form"] as const satisfies OAuth2Client["authentication"][];

export const oauth2Input: JsonSchema = {
  type: ["object", "null"],
  additionalProperties: false,
  required: ["tokenUrl", "clientId", "clientSecret"],
  properties: {
    tokenUrl: { type: "string", maxLength: maxUrlLength, described: receiverUrl },
    clientId: requiredText(256),
    clientSecret: requiredText(1024),
    scope: { ...requiredText(1024), type: ["string", "null"] },
    audience: { ...requiredText(1024), type: ["string", "null"] },
    authentication: oneOf(authentications),
  },
};

export const oauth2Answer = objectOrNull(
  exactObject("WebhookOAuth2", {
    tokenUrl: text,
    clientId: text,
    clientSecret: text,
    scope: nullableText,
    audience: nullableText,
    authentication: oneOf(authentications),
  }),
);

/**
 * The client to store: undefined keeps the stored one, null removes it. The tokenUrl of `input` is
 * checked already. Tokens of a stored secret are not sent to a URL at another origin.
 */
export function mergeOAuth2(
  input: OAuth2Input | null | undefined,
  stored: OAuth2Client | null,
  hasMoved: boolean,
): OAuth2Client | null {
  if (input === null) {
    return null;
  }
  const isKept = input === undefined || input.clientSecret === maskedValue;
  if (isKept && stored !== null && hasMoved) {
    const detail = "The new url has another origin: give the clientSecret again.";
    throw masked("oauth2", detail);
  }
  return input === undefined ? stored : checkedClient(input, stored);
}

function checkedClient(input: OAuth2Input, stored: OAuth2Client | null): OAuth2Client {
  return {
    tokenUrl: input.tokenUrl,
    clientId: input.clientId,
    clientSecret:
      input.clientSecret === maskedValue ? keptSecret(input.tokenUrl, stored) : input.clientSecret,
    scope: input.scope ?? null,
    audience: input.audience ?? null,
    authentication: input.authentication ?? "basic",
  };
}

/**
 * The stored secret, which the masked value keeps. Not for a tokenUrl at another origin: a user who
 * may set it could have the secret sent to a server of their own.
 */
function keptSecret(tokenUrl: string, stored: OAuth2Client | null): string {
  const field = "oauth2.clientSecret";
  if (stored === null) {
    throw masked(field, "There is no stored clientSecret to keep.");
  }
  if (hasOtherOrigin(tokenUrl, stored.tokenUrl)) {
    const detail = "The new tokenUrl has another origin: give the clientSecret again.";
    throw masked(field, detail);
  }
  return stored.clientSecret;
}

function masked(field: string, detail: string): Error {
  return invalidParameter(field, "masked", detail);
}

/** A client as the API shows it. */
export function maskOAuth2(client: OAuth2Client): OAuth2Client {
  return {
    ...client,
    clientSecret: maskedValue,
  };
}
