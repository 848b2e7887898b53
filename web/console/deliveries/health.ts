/** How a webhook does, by one vocabulary for every page that shows it. Pure. */
import type { FailureClass } from "../../../src/contracts/deliveries.ts";
import type { Meaning } from "../../components/meaning.ts";
import type { LiveWebhook } from "./live/types.ts";

/** Beside the states of the API: why it is off, that it is late, that nothing went there yet. */
export type HealthWord = LiveWebhook["state"] | "behind" | "some_fail" | "new" | "failed" | "gone";

/** What a label is made from. */
export type HealthFacts = Readonly<{
  last_code: number | null;
  last_error: string | null;
  throttled_until: string | null;
  /** Of one that is behind. */
  oldest_waiting_seconds?: number | null;
}>;

/** Why there was no answer at all; everything else is a failure of a receiver that can be reached. */
const noAnswer: readonly string[] = [
  ...(["timeout_connect", "timeout_response", "refused", "reset"] as const),
  ...(["unreachable", "dns", "tls"] as const),
] satisfies FailureClass[];

/** The receiver answers with errors, or does not answer. */
export function failingKind({
  last_code: code,
  last_error: error,
}: Pick<HealthFacts, "last_code" | "last_error">): "failing" | "unreachable" | "unknown" {
  if (code === null && error === null) {
    return "unknown";
  }
  return code === null && noAnswer.includes(error ?? "") ? "unreachable" : "failing";
}

const meanings: Readonly<Record<HealthWord, Meaning>> = {
  failed: "bad",
  gone: "bad",
  open: "bad",
  failing: "warn",
  throttled: "waiting",
  behind: "warn",
  some_fail: "warn",
  ok: "good",
  new: "neutral",
  pull: "good",
  off: "neutral",
};

export function meaningOfHealth(word: HealthWord): Meaning {
  return meanings[word];
}

/** Somebody has to look at the receiver. */
export function isFailing(word: HealthWord): boolean {
  return word === "open" || word === "failing";
}
