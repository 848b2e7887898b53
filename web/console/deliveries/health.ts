/** The health of a webhook, in one vocabulary for all pages. Pure. */
import type { FailureClass } from "../../../src/contracts/deliveries.ts";
import type { Meaning } from "../../components/meaning.ts";
import type { LiveWebhook } from "./live/types.ts";

/** Beyond the states of the API: disabled, behind, not used yet, and secrets that are not readable. */
export type HealthWord =
  | LiveWebhook["state"]
  | "behind"
  | "some_fail"
  | "new"
  | "failed"
  | "gone"
  | "undecryptable";

/** Input for the health label. */
export type HealthFacts = Readonly<{
  last_code: number | null;
  last_error: string | null;
  throttled_until: string | null;
  /** Only if it is behind. */
  oldest_waiting_seconds?: number | null;
}>;

/** Failure classes without a response; all others mean that the receiver is reachable. */
const noAnswer: readonly string[] = [
  ...(["timeout_connect", "timeout_response", "refused", "reset"] as const),
  ...(["unreachable", "dns", "tls"] as const),
] satisfies FailureClass[];

/** Whether the receiver answers with errors, or does not answer. */
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
  undecryptable: "bad",
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

/** The receiver needs attention. */
export function isFailing(word: HealthWord): boolean {
  return word === "open" || word === "failing";
}
