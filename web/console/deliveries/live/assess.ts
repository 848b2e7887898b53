/** Rates the backlog, overdue deliveries, today's failures, and webhooks. Pure. */
import type { Meaning } from "../../../components/meaning.ts";
import { meaningOfHealth, type HealthWord } from "../health.ts";
import type { LiveView, LiveWebhook } from "./types.ts";

export type Assessment<Word extends string> = Readonly<{ meaning: Meaning; word: Word }>;

const lateSeconds = 60;

export type WaitingWord = "nothing" | "in_time" | "behind" | "held";

export type PastDueWord = "none" | "soon" | "late" | "failing";

export type DeadWord = "none" | "some";

export function assessWaiting(view: LiveView): Assessment<WaitingWord> {
  if (isPlatformLate(view)) {
    return { meaning: "warn", word: "behind" };
  }
  if (failingOf(view).length > 0) {
    return { meaning: "warn", word: "held" };
  }
  return view.waiting.count === 0
    ? { meaning: "good", word: "nothing" }
    : { meaning: "waiting", word: "in_time" };
}

/** A delay caused by the platform is worse than a failing receiver. */
export function assessPastDue(view: LiveView): Assessment<PastDueWord> {
  if (isPlatformLate(view)) {
    return { meaning: "bad", word: "late" };
  }
  const failing = failingOf(view);
  if (failing.length > 0) {
    const isLong = failing.some(failsForLong(view));
    return { meaning: isLong ? "bad" : "warn", word: "failing" };
  }
  return view.past_due.count === 0 && view.relay_behind_seconds === null
    ? { meaning: "good", word: "none" }
    : { meaning: "warn", word: "soon" };
}

/** The platform itself is late; no receiver causes the delay. */
function isPlatformLate(view: LiveView): boolean {
  return (
    (view.relay_behind_seconds ?? 0) >= lateSeconds ||
    (view.past_due_ours.count > 0 && (view.oldest_ours_seconds ?? 0) >= lateSeconds)
  );
}

const failingStates: ReadonlySet<string> = new Set(["open", "failing", "throttled"]);

/** Webhooks with a backlog whose receiver fails. */
function failingOf({ webhooks }: LiveView): LiveWebhook[] {
  return webhooks.filter(({ state, waiting }) => failingStates.has(state) && waiting.count > 0);
}

/**
 * Based on when the failures started: each attempt reschedules the delivery, so its due time is
 * always recent.
 */
function failsForLong({ at }: LiveView) {
  return ({ failing_since: since }: LiveWebhook): boolean =>
    since !== null && Date.parse(at) - Date.parse(since) >= lateSeconds * 1_000;
}

export function assessDead({ dead_today: dead }: LiveView): Assessment<DeadWord> {
  return dead === 0 ? { meaning: "good", word: "none" } : { meaning: "bad", word: "some" };
}

/**
 * Rates a webhook. Healthy but with growing delay, with some failures, or never used, has its own
 * state.
 */
export function assessWebhook(webhook: LiveWebhook): Assessment<HealthWord> {
  const word = webhook.state === "ok" ? wordOfOk(webhook) : webhook.state;
  return { word, meaning: meaningOfHealth(word) };
}

function wordOfOk(webhook: LiveWebhook): HealthWord {
  if (webhook.past_due.count > 0 && (webhook.oldest_waiting_seconds ?? 0) >= lateSeconds) {
    return "behind";
  }
  if (webhook.failed_per_second > 0) {
    return "some_fail";
  }
  return webhook.has_attempts ? "ok" : "new";
}
