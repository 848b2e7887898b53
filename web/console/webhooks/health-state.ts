/** Webhook health: meaning and severity order. Pure. */
import type { HealthWord } from "../deliveries/health.ts";
import type { AuditEntry, LiveWebhook, Standing, Webhook } from "./types.ts";

/** States of the webhook pages; `some_fail` exists in the live view only. */
export type WebhookHealthState = Exclude<HealthWord, "some_fail">;

/** `isNever`: created disabled, and never enabled since. */
export type DisabledSinceFact = Readonly<{ at: string; by: string | null; isNever: boolean }>;

const order: readonly WebhookHealthState[] = [
  ...(["failed", "gone", "undecryptable", "open", "failing", "throttled", "behind"] as const),
  ...(["ok", "new", "pull", "off"] as const),
];

/** Sorted by severity, then by the age of the oldest waiting event. */
export function sortBySeverity(
  webhooks: readonly Webhook[],
  live: ReadonlyMap<number, LiveWebhook>,
): Webhook[] {
  return webhooks.toSorted((a, b) => {
    const [ofA, ofB] = [live.get(a.id), live.get(b.id)];
    return (
      order.indexOf(healthStateOf(a, ofA)) - order.indexOf(healthStateOf(b, ofB)) ||
      (ofB?.oldest_waiting_seconds ?? 0) - (ofA?.oldest_waiting_seconds ?? 0) ||
      a.name.localeCompare(b.name) ||
      a.id - b.id
    );
  });
}

export function healthStateOf(webhook: Webhook, live: LiveWebhook | undefined): WebhookHealthState {
  const { state } = webhook.health;
  if (!webhook.active) {
    return isOffBecause(webhook);
  }
  // Without them no request is sent, whatever the receiver answered before. Pulling needs none.
  if (webhook.mode === "push" && webhook.undecryptable.length > 0) {
    return "undecryptable";
  }
  if (state !== "ok") {
    return state;
  }
  if (isBehind(live)) {
    return "behind";
  }
  return webhook.last_success === null && webhook.last_failure === null ? "new" : "ok";
}

function isOffBecause(webhook: Webhook): WebhookHealthState {
  if (webhook.disabled_reason === "gone") {
    return "gone";
  }
  return webhook.disabled_reason === "failing" ? "failed" : "off";
}

/** Overdue for longer than this counts as behind. */
const behindSeconds = 60;

function isBehind(live: LiveWebhook | undefined): boolean {
  return (
    live !== undefined &&
    (live.oldest_waiting_seconds ?? 0) > behindSeconds &&
    live.past_due.count > 0
  );
}

/** After 120 hours of failures only, the platform disables a webhook. */
export const switchOffMs = 120 * 3_600_000;

/**
 * When a webhook was disabled, and by whom. A 410 disables it at once, so the time is that of the
 * last attempt; failures do after 120 hours, even if the last attempt was earlier.
 */
export function disabledSinceOf(
  webhook: Webhook,
  changes: readonly AuditEntry[],
): DisabledSinceFact | undefined {
  if (webhook.active) {
    return undefined;
  }
  if (webhook.disabled_reason !== null) {
    const at = autoDisabledAt(webhook);
    return at === null ? undefined : { at, by: null, isNever: false };
  }
  return switchedOffBy(webhook, changes);
}

function autoDisabledAt(webhook: Webhook): string | null {
  const { disabled_reason: reason, failing_since: since, last_failure: last } = webhook;
  if (reason !== "failing" || since === null) {
    return last;
  }
  const due = new Date(Date.parse(since) + switchOffMs);
  return last !== null && new Date(last) > due ? last : due.toISOString();
}

/** The newest change that disabled it manually; undefined if it is not among `changes`. */
function switchedOffBy(
  webhook: Webhook,
  changes: readonly AuditEntry[],
): DisabledSinceFact | undefined {
  const entry = changes.find(
    ({ objectId, changes: of }) => objectId === String(webhook.id) && of["active"] !== undefined,
  );
  return entry?.changes["active"]?.to === false
    ? { at: entry.created, by: entry.login, isNever: entry.action === "create" }
    : undefined;
}

type Count = Readonly<{ count: number; more: boolean }>;

/** Number of undelivered events. */
export function outstandingOf(standing: Standing): Count {
  const parts = [
    ...[standing.in_flight, standing.due, standing.planned, standing.waiting],
    standing.paused,
  ];
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0) + (standing.to_pull ?? 0),
    more: parts.some(({ more }) => more),
  };
}

/**
 * The limits that can be raised if a webhook is behind. Without limits, the receiver must become
 * faster.
 */
export function limitsOf({
  maxPerSecond,
  maxInFlight,
}: Pick<Webhook, "maxPerSecond" | "maxInFlight">) {
  return [
    ...(maxPerSecond === null ? [] : [{ of: "per_second", most: maxPerSecond } as const]),
    ...(maxInFlight === null ? [] : [{ of: "in_flight", most: maxInFlight } as const]),
  ];
}
