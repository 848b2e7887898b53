import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import { maskHeaders } from "./custom-headers.ts";
import { healthStates } from "../contracts/receiver-health.ts";
import { presentHealth } from "./health.ts";
import type { SubscriptionSnapshot, SubscriptionSettings } from "./model.ts";
import { validAt } from "./signing-keys.ts";
import { maskCertificate } from "./settings/client-certificate.ts";
import { maskOAuth2, authentications } from "./settings/oauth2.ts";
import { eventActions, objectKinds } from "../contracts/events.ts";
import { sessionEventTypes } from "../contracts/session-events.ts";
import { headerPresets, signatureSchemes, subscriptionModes } from "../contracts/subscriptions.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";

/** What the operations of webhooks answer. */
const textList = { type: "array", items: text };

const maskedHeader = exactObject("WebhookHeader", { name: text, value: text });

const maskedClient = exactObject("WebhookOAuth2", {
  tokenUrl: text,
  clientId: text,
  clientSecret: text,
  scope: nullableText,
  audience: nullableText,
  authentication: oneOf(authentications),
});

const maskedCertificate = exactObject("WebhookClientCertificate", {
  certificate: text,
  subject: text,
  expires: timestamp,
  key: text,
  ca: nullableText,
});

/** The members that `presentHealth` makes. */
const healthMembers = {
  state: oneOf(healthStates),
  window: integer,
  failures_in_row: integer,
  last_code: nullableInteger,
  last_error: nullableText,
  throttled_until: nullableTimestamp,
  next_probe: nullableTimestamp,
  warned: nullableTimestamp,
  pulled_to: nullableInteger,
  pulled_at: nullableTimestamp,
};

const subscriptionMembers = {
  id: integer,
  name: text,
  mode: oneOf(subscriptionModes),
  url: nullableText,
  active: flag,
  ordered: flag,
  maxInFlight: nullableInteger,
  maxPerSecond: nullableInteger,
  retrySchedule: { type: ["array", "null"], items: integer },
  filters: textList,
  conditions: { type: ["object", "null"], additionalProperties: true },
  headers: listOfItems(maskedHeader),
  signatures: listOfItems(oneOf(signatureSchemes)),
  headerPresets: listOfItems(oneOf(headerPresets)),
  oauth2: orNull(maskedClient),
  clientCertificate: orNull(maskedCertificate),
  secrets: listOfItems(exactObject("WebhookSecret", { until: nullableTimestamp })),
  publicKeys: listOfItems(exactObject("WebhookPublicKey", { key: text, until: nullableTimestamp })),
  created: timestamp,
  modified: timestamp,
  disabled_reason: nullableText,
  last_success: nullableTimestamp,
  last_failure: nullableTimestamp,
  failing_since: nullableTimestamp,
  health: exactObject("WebhookHealth", healthMembers),
};

export const webhookAnswer = exactObject("Webhook", subscriptionMembers);

/** Only where it is made its secret is shown. */
export const createdWebhookAnswer = exactObject("CreatedWebhook", {
  ...subscriptionMembers,
  secret: text,
});

const count = exactObject("WebhookCount", { count: integer, more: flag });

export const webhookHealthAnswer = exactObject("WebhookStanding", {
  ...healthMembers,
  maxInFlight: nullableInteger,
  maxPerSecond: nullableInteger,
  in_flight: count,
  due: count,
  oldest_due: nullableTimestamp,
  planned: count,
  waiting: count,
  paused: count,
  to_pull: nullableInteger,
});

export const webhookListAnswer = listOf("WebhookList", webhookAnswer);

const actions = { type: "string", enum: eventActions };

export const eventCatalogueAnswer: JsonSchema = exactObject("EventCatalogue", {
  objects: {
    type: "array",
    items: exactObject("EventCatalogueObject", {
      object: { type: "string", enum: objectKinds },
      operational: flag,
      events: { type: "array", items: actions },
      meanings: { type: "object", additionalProperties: text },
      filters: textList,
    }),
  },
  eventTypes: {
    type: "array",
    items: exactObject("EventCatalogueType", {
      eventType: { type: "string", enum: sessionEventTypes },
      eventCode: integer,
      deprecated: flag,
      filter: text,
    }),
  },
});

/** A subscription. Its secret only where it was just made; stored secrets of others never. */
export function presentSubscription(subscription: SubscriptionSnapshot, secret?: string) {
  return {
    id: subscription.id,
    ...presentSettings(subscription),
    ...(secret === undefined ? {} : { secret }),
    ...presentSigning(subscription),
    created: toTimestamp(subscription.created),
    modified: toTimestamp(subscription.modified),
    disabled_reason: subscription.disabledReason,
    last_success: toTimestampOrNull(subscription.lastSuccess),
    last_failure: toTimestampOrNull(subscription.lastFailure),
    failing_since: toTimestampOrNull(subscription.failingSince),
    health: presentHealth(subscription),
  };
}

function presentSettings({ oauth2, clientCertificate, ...settings }: SubscriptionSettings) {
  return {
    name: settings.name,
    mode: settings.mode,
    url: settings.url,
    active: settings.isActive,
    ordered: settings.isOrdered,
    maxInFlight: settings.maxInFlight,
    maxPerSecond: settings.maxPerSecond,
    retrySchedule: settings.retrySchedule,
    filters: settings.filters,
    conditions: conditionsOf(settings.conditions),
    headers: maskHeaders(settings.headers),
    signatures: settings.signatures,
    headerPresets: settings.headerPresets,
    oauth2: oauth2 === null ? null : maskOAuth2(oauth2),
    clientCertificate: clientCertificate === null ? null : maskCertificate(clientCertificate),
  };
}

/** Stored as text, shown as the object that it is. */
export function conditionsOf(stored: string | null): unknown {
  return stored === null ? null : (JSON.parse(stored) as unknown);
}

/** What signs now. Of secrets, only how many there are; keys are public. */
function presentSigning({ signatures, secrets, keys, asOf }: SubscriptionSnapshot) {
  return {
    secrets: validAt(secrets, asOf).map(({ until }) => ({ until: untilOf(until) })),
    publicKeys: signatures.includes("v1a")
      ? validAt(keys, asOf).map(({ publicKey, until }) => ({
          key: publicKey,
          until: untilOf(until),
        }))
      : [],
  };
}

function untilOf(until: string | null): string | null {
  return until === null ? null : toTimestamp(new Date(until));
}

function listOfItems(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

function oneOf(values: readonly string[]): JsonSchema {
  return { type: "string", enum: values };
}

function orNull(schema: JsonSchema): JsonSchema {
  return { ...schema, type: ["object", "null"] };
}
