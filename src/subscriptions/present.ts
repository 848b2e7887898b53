/** The JSON of webhooks in the API: schemas of requests and answers, and the answers. */
import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import { encryptedFields, type SubscriptionSnapshot } from "./model.ts";
import {
  sealedSettings,
  settings,
  type SubscriptionChangeInput,
  type SubscriptionInput,
  type SubscriptionSettings,
} from "./settings/table.ts";
import { validAt, secretField as secret } from "./signing-keys.ts";
import type { BacklogCounts } from "../pipeline/ledger/queries/backlog-counts.ts";
import { receiverHealthOf, type HealthInputs, healthStates } from "../contracts/subscriptions.ts";
import { eventActions, objectKinds } from "../contracts/events.ts";
import { sessionEventTypes } from "../contracts/session-events.ts";
import type { JsonSchema } from "../http/route.ts";
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
import { oneOf, someOf } from "./settings/setting.ts";

const properties = Object.fromEntries(settings.map(({ name, input }) => [name, input]));

export const changeWebhookSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: { ...properties, remove: someOf(sealedSettings, 0) },
};

export type ChangeWebhookBody = SubscriptionChangeInput;

export const createWebhookSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: { ...properties, secret },
};

export type CreateWebhookBody = SubscriptionInput & { secret?: string };

/** The members of `presentHealth`. */
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
  ...Object.fromEntries(settings.map(({ name, answer }) => [name, answer])),
  secrets: listOfItems(exactObject("WebhookSecret", { until: nullableTimestamp })),
  publicKeys: listOfItems(exactObject("WebhookPublicKey", { key: text, until: nullableTimestamp })),
  undecryptable: listOfItems(oneOf(encryptedFields)),
  created: timestamp,
  modified: timestamp,
  disabled_reason: nullableText,
  last_success: nullableTimestamp,
  last_failure: nullableTimestamp,
  failing_since: nullableTimestamp,
  health: exactObject("WebhookHealth", healthMembers),
};

export const webhookAnswer = exactObject("Webhook", subscriptionMembers);

/** The secret is shown at creation and rotation only. */
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
      filters: listOfItems(text),
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

/** Shows the secret only at creation and rotation, and never other stored secrets. */
export function presentSubscription(subscription: SubscriptionSnapshot, newSecret?: string) {
  return {
    id: subscription.id,
    ...presentSettings(subscription),
    ...(newSecret === undefined ? {} : { secret: newSecret }),
    ...presentSigning(subscription),
    undecryptable: presentUndecryptable(subscription),
    created: toTimestamp(subscription.created),
    modified: toTimestamp(subscription.modified),
    disabled_reason: subscription.disabledReason,
    last_success: toTimestampOrNull(subscription.lastSuccess),
    last_failure: toTimestampOrNull(subscription.lastFailure),
    failing_since: toTimestampOrNull(subscription.failingSince),
    health: presentHealth(subscription),
  };
}

function presentSettings(subscription: SubscriptionSettings): Record<string, unknown> {
  return Object.fromEntries(
    settings.map((row) => {
      const value = subscription[row.property];
      return [row.name, row.present ? row.present(value) : value];
    }),
  );
}

/** The valid secrets without their values, and the valid public keys. */
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

/** Without the keys if they sign nothing: `rotate-key` would refuse to replace them. */
function presentUndecryptable({ undecryptable, signatures }: SubscriptionSnapshot) {
  return undecryptable.filter((name) => name !== "publicKeys" || signatures.includes("v1a"));
}

function untilOf(until: string | null): string | null {
  return until === null ? null : toTimestamp(new Date(until));
}

/** The receiver's health with the counts of its live deliveries. */
export function presentHealthDetails(subscription: SubscriptionSnapshot, standing: BacklogCounts) {
  return {
    ...presentHealth(subscription),
    maxInFlight: subscription.maxInFlight,
    maxPerSecond: subscription.maxPerSecond,
    in_flight: standing.inFlight,
    due: standing.due,
    oldest_due: toTimestampOrNull(standing.oldestDue),
    planned: standing.planned,
    waiting: standing.waiting,
    paused: standing.paused,
    to_pull:
      subscription.mode === "pull"
        ? Math.max(0, subscription.health.lastSequence - subscription.health.pulledTo)
        : null,
  };
}

/** The health of a receiver, as the API shows it. */
type PresentedSubscription = HealthInputs & Pick<SubscriptionSnapshot, "health">;

export function presentHealth(subscription: PresentedSubscription) {
  const { health } = subscription;
  const { state, window, throttledUntil, nextProbe } = receiverHealthOf(subscription);
  return {
    state,
    window,
    failures_in_row: health.failuresInRow,
    last_code: health.lastFailure.status,
    last_error: health.lastFailure.failure,
    throttled_until: toTimestampOrNull(throttledUntil),
    next_probe: toTimestampOrNull(nextProbe),
    warned: toTimestampOrNull(health.warnedAt),
    pulled_to: subscription.mode === "pull" ? health.pulledTo : null,
    pulled_at: toTimestampOrNull(health.pulledAt),
  };
}

function listOfItems(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}
