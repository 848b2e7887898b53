import { headerPresets, signatureSchemes, subscriptionModes } from "../contracts/subscriptions.ts";
import type { JsonSchema } from "../http/route.ts";
import { maxHeaderName, maxHeaders, maxHeaderValue } from "./custom-headers.ts";
import { maxFilters, type SubscriptionInput } from "./model.ts";
import { secretField as secret } from "./signing-keys.ts";
import { maxUrlLength, maxRetries, maxRetrySeconds } from "./settings/rules.ts";
import { maxCertificate, maxKey } from "./settings/client-certificate.ts";
import { authentications } from "./settings/oauth2.ts";

/** Neither control characters nor those that turn the direction of what stands beside them. */
const noControls = "^[^\\x00-\\x1f\\x7f-\\x9f\u202A-\u202E\u2066-\u2069]*$";

const noControlsRule = "one line of text, without characters that control or turn it";

const receiverUrl = {
  format: "uri",
  description: "https, a port from 1024 on or 443, no user, password or fragment",
  examples: ["https://crm.example.com/hooks"],
};

const headers = {
  type: "array",
  maxItems: maxHeaders,
  items: {
    type: "object",
    additionalProperties: false,
    required: ["name", "value"],
    properties: {
      name: {
        type: "string",
        minLength: 1,
        maxLength: maxHeaderName,
        described: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
      },
      value: {
        type: "string",
        maxLength: maxHeaderValue,
        described: { pattern: "^([!-~]([ -~]*[!-~])?)?$" },
      },
    },
  },
};

const oauth2 = {
  type: ["object", "null"],
  additionalProperties: false,
  required: ["tokenUrl", "clientId", "clientSecret"],
  properties: {
    tokenUrl: { type: "string", maxLength: maxUrlLength, described: receiverUrl },
    clientId: someText(256),
    clientSecret: someText(1024),
    scope: { ...someText(1024), type: ["string", "null"] },
    audience: { ...someText(1024), type: ["string", "null"] },
    authentication: { type: "string", enum: authentications },
  },
};

const clientCertificate = {
  type: ["object", "null"],
  additionalProperties: false,
  required: ["certificate", "key"],
  properties: {
    certificate: { type: "string", maxLength: maxCertificate, described: pemOf("CERTIFICATE") },
    key: { type: "string", maxLength: maxKey, described: pemOf("[A-Z ]*PRIVATE KEY") },
    ca: { type: ["string", "null"], maxLength: maxCertificate },
    subject: { type: "string", maxLength: maxCertificate },
    expires: { type: "string", maxLength: 32 },
  },
};

const settings = {
  name: { type: "string", maxLength: 128, pattern: noControls, rule: noControlsRule },
  mode: { type: "string", enum: subscriptionModes },
  url: { type: ["string", "null"], maxLength: maxUrlLength, described: receiverUrl },
  active: { type: "boolean" },
  ordered: { type: "boolean" },
  maxInFlight: { type: ["integer", "null"], minimum: 1, maximum: 10_000 },
  maxPerSecond: { type: ["integer", "null"], minimum: 1, maximum: 1_000 },
  retrySchedule: {
    type: ["array", "null"],
    maxItems: maxRetries,
    items: { type: "integer", minimum: 1, maximum: maxRetrySeconds },
  },
  filters: {
    type: "array",
    maxItems: maxFilters,
    uniqueItems: true,
    items: { type: "string", minLength: 1, maxLength: 128, format: "event-filter" },
  },
  conditions: { type: ["object", "null"], described: { minProperties: 1 } },
  headers,
  signatures: someOf(signatureSchemes, 1),
  headerPresets: someOf(headerPresets, 0),
  oauth2,
  clientCertificate,
};

export const changeWebhookSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: settings,
};

export type ChangeWebhookBody = SubscriptionInput;

export const createWebhookSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: { ...settings, secret },
};

export type CreateWebhookBody = ChangeWebhookBody & { secret?: string };

function someText(maxLength: number) {
  return {
    type: "string",
    minLength: 1,
    maxLength,
    pattern: noControls,
    rule: noControlsRule,
  };
}

function pemOf(what: string) {
  return {
    pattern: `^\\s*-----BEGIN ${what}-----[A-Za-z0-9+/=\\s]+-----END ${what}-----`,
    description: "PEM; the masked value `••••` keeps what is stored",
  };
}

function someOf(values: readonly string[], minItems: number) {
  return {
    type: "array",
    minItems,
    maxItems: values.length,
    uniqueItems: true,
    items: { type: "string", enum: values },
  };
}
