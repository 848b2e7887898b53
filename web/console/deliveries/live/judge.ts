/** What waits, what is past due, what died today, and how a webhook does: each has its word. Pure. */
import type { Meaning } from "../../../components/meaning.ts";
import type { LiveView, LiveWebhook } from "./types.ts";

export type Verdict<Word extends string> = Readonly<{ meaning: Meaning; word: Word }>;

const lateSeconds = 60;

export type WaitingWord = "nothing" | "in_time" | "behind";

export const judgeWaiting = (view: LiveView): Verdict<WaitingWord> => {
  if (view.past_due.count > 0 && (view.oldest_waiting_seconds ?? 0) >= lateSeconds) {
    return { meaning: "warn", word: "behind" };
  }
  return view.waiting.count === 0
    ? { meaning: "good", word: "nothing" }
    : { meaning: "waiting", word: "in_time" };
};

export type PastDueWord = "none" | "soon" | "late";

export const judgePastDue = ({ past_due: due, ...view }: LiveView): Verdict<PastDueWord> => {
  if (due.count === 0) {
    return { meaning: "good", word: "none" };
  }
  return (view.oldest_waiting_seconds ?? 0) >= lateSeconds
    ? { meaning: "bad", word: "late" }
    : { meaning: "warn", word: "soon" };
};

export type DeadWord = "none" | "some";

export const judgeDead = ({ dead_today: dead }: LiveView): Verdict<DeadWord> =>
  dead === 0 ? { meaning: "good", word: "none" } : { meaning: "bad", word: "some" };

export type HealthWord = LiveWebhook["state"] | "behind" | "some_fail";

const meanings: Record<HealthWord, Meaning> = {
  open: "bad",
  failing: "warn",
  throttled: "waiting",
  behind: "warn",
  some_fail: "warn",
  ok: "good",
  pull: "good",
  off: "neutral",
};

/** How a webhook does. Well, but later and later, or not with everything, is a word of its own. */
export const judgeWebhook = (webhook: LiveWebhook): Verdict<HealthWord> => {
  const isBehind =
    webhook.state === "ok" &&
    webhook.past_due.count > 0 &&
    (webhook.oldest_waiting_seconds ?? 0) >= lateSeconds;
  const isPartly = webhook.state === "ok" && webhook.failed_per_second > 0;
  const word = isBehind ? "behind" : isPartly ? "some_fail" : webhook.state;
  return { word, meaning: meanings[word] };
};
