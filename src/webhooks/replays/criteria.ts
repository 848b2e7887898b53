/** What a replay repeats: as clients ask for it, and as its row keeps it. Pure. */
import { invalidParameter } from "../../contracts/problems.ts";
import { orNull, parseBound } from "../../http/values.ts";

/**
 * By the newest delivery of each event. `never_attempted`: there is none, though the event matches
 * the webhook as it stands.
 */
export const replayStatuses = ["dead", "delivered", "cancelled", "never_attempted"] as const;
export type ReplayStatus = (typeof replayStatuses)[number];

export type Criteria = {
  /** Of the events' times. */
  since: Date | null;
  until: Date | null;
  statuses: readonly ReplayStatus[];
  object: string | null;
  eventType: string | null;
  /** How the last attempt ended. */
  result: string | null;
  /** The one delivery that somebody wanted again. Then all else is empty. */
  deliveryId: number | null;
};

/** What the subscription asked for when the replay was. */
export type Matching = { filters: readonly string[]; conditions: string | null };

/** As the operations take it. */
export type CriteriaInput = {
  since?: string;
  until?: string;
  status?: string | string[];
  object?: string;
  eventType?: string;
  result?: string;
};

const parseStatuses = (given: string | string[] | undefined): ReplayStatus[] => {
  const words = (typeof given === "string" ? given.split(",") : (given ?? []))
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const known = [...new Set(words)].map((word) => {
    const status = replayStatuses.find((one) => one === word);
    if (status === undefined) {
      const detail = `The status is one or more of ${replayStatuses.join(", ")}.`;
      throw invalidParameter("status", "enum", detail);
    }
    return status;
  });
  return known.length === 0 ? ["dead"] : known;
};

export const parseCriteria = (input: CriteriaInput): Criteria => {
  const since = parseBound("since", input.since) ?? null;
  const until = parseBound("until", input.until) ?? null;
  if (since !== null && until !== null && until <= since) {
    throw invalidParameter("until", "range", "The end of the period must be after its beginning.");
  }
  const statuses = parseStatuses(input.status);
  const result = orNull(input.result);
  if (result !== null && statuses.includes("never_attempted")) {
    const detail = "What was never attempted has no result: ask for one of the two.";
    throw invalidParameter("result", "conflict", detail);
  }
  const [object, eventType] = [orNull(input.object), orNull(input.eventType)];
  return { since, until, statuses, object, eventType, result, deliveryId: null };
};

export const criteriaOfOne = (deliveryId: number): Criteria => ({
  since: null,
  until: null,
  statuses: [],
  object: null,
  eventType: null,
  result: null,
  deliveryId,
});

/** As the column `criteria` has it: both parts in one object, times as ISO 8601 texts. */
export type StoredCriteria = Omit<Criteria, "since" | "until"> &
  Matching & { since: string | null; until: string | null };

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

export const readCriteria = (
  stored: StoredCriteria,
): { criteria: Criteria; matching: Matching } => {
  const { filters, conditions, ...criteria } = stored;
  return {
    criteria: { ...criteria, since: toDate(stored.since), until: toDate(stored.until) },
    matching: { filters, conditions },
  };
};
