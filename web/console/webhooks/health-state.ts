/** How a webhook does: what that means, in which order to worry. Pure. */
import type { HealthWord } from "../deliveries/health.ts";
import type { AuditEntry, LiveWebhook, Standing, Webhook } from "./types.ts";

/** What a page about webhooks says: what one does now is the live view's. */
export type WebhookHealthState = Exclude<HealthWord, "some_fail">;

/** `isNever`: it was made so, and nobody has switched it on yet. */
export type DisabledSinceFact = Readonly<{ at: string; by: string | null; isNever: boolean }>;

const order: readonly WebhookHealthState[] = [
  ...(["failed", "gone", "open", "failing", "throttled", "behind"] as const),
  ...(["ok", "new", "pull", "off"] as const),
];

/** Those that need somebody first; of the same kind, the one whose events wait longest. */
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

/** What is due and does not go out for longer than this is worth a word. */
const behindSeconds = 60;

function isBehind(live: LiveWebhook | undefined): boolean {
  return (
    live !== undefined &&
    (live.oldest_waiting_seconds ?? 0) > behindSeconds &&
    live.past_due.count > 0
  );
}

/**
 * Since when it is off, and who did it. What the platform switched off it did at a failure: the
 * last attempt there was.
 */
export function disabledSinceOf(
  webhook: Webhook,
  changes: readonly AuditEntry[],
): DisabledSinceFact | undefined {
  if (webhook.active) {
    return undefined;
  }
  if (webhook.disabled_reason !== null) {
    return webhook.last_failure === null
      ? undefined
      : { at: webhook.last_failure, by: null, isNever: false };
  }
  return switchedOffBy(webhook, changes);
}

/** The newest change that switched it off by hand; undefined where it is not among those given. */
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

/** Everything that has not been delivered yet. */
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

/** What can be raised where a webhook is behind. Without a limit it is the receiver that has to be quicker. */
export function limitsOf({
  maxPerSecond,
  maxInFlight,
}: Pick<Webhook, "maxPerSecond" | "maxInFlight">) {
  return [
    ...(maxPerSecond === null ? [] : [{ of: "per_second", most: maxPerSecond } as const]),
    ...(maxInFlight === null ? [] : [{ of: "in_flight", most: maxInFlight } as const]),
  ];
}
