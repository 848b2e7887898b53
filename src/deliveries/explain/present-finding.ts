/** The members of a finding in answers. */
import {
  exactObject,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
} from "../../http/schema.ts";
import { toTimestampOrNull } from "../../platform/timestamps.ts";
import { verdicts, type Finding } from "./findings.ts";

/** The members of `presentFinding`. */
export const findingMembers = {
  verdict: { type: "string", enum: verdicts },
  text,
  since: nullableTimestamp,
  until: nullableTimestamp,
  reason: nullableText,
  changed_by: nullableText,
  changed_by_id: nullableInteger,
};

/** Why filters and conditions did not match. */
export const mismatchMembers = {
  filters: {
    type: "array",
    items: exactObject("FilterMismatch", { filter: text, mismatch: text }),
  },
  conditions: {
    type: "array",
    items: exactObject("UnmetCondition", {
      condition: text,
      found: {
        type: "array",
        items: exactObject("FoundValue", { path: text, value: nullableText }),
      },
    }),
  },
};

/** `changedBy` is the login of the user who made the change that caused it. */
export function presentFinding(found: Finding, changedBy: string | null) {
  return {
    verdict: found.verdict,
    text: found.text,
    since: toTimestampOrNull(found.since),
    until: toTimestampOrNull(found.until),
    reason: found.cause?.reason ?? null,
    changed_by: changedBy,
    changed_by_id: found.cause?.changedBy ?? null,
  };
}
