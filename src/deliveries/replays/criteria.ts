/** The criteria of a replay: as clients send them and as its row stores them. Pure. */
import { type ReplayStatus, replayStatuses } from "../../contracts/deliveries.ts";
import { invalidParameter } from "../../contracts/problems.ts";
import { orNull, parseBound } from "../../http/values.ts";

export type ReplayCriteria = {
  /** The period of the events. */
  since: Date | null;
  until: Date | null;
  statuses: readonly ReplayStatus[];
  object: string | null;
  eventType: string | null;
  /** The result of the last attempt. */
  result: string | null;
  /** The single delivery to replay. All other criteria are then empty. */
  deliveryId: number | null;
  /** The selected deliveries. All other criteria are then empty. */
  deliveryIds: readonly number[];
  /**
   * A recovery: only events that were never delivered, whatever the state of their newest delivery,
   * and events without a delivery only if the webhook was off when they happened.
   */
  isUndelivered: boolean;
};

/** The filters and conditions of the subscription at the time of the request. */
export type ReplayMatching = { filters: readonly string[]; conditions: string | null };

/** The criteria as clients send them. */
export type CriteriaInput = {
  since?: string;
  until?: string;
  status?: string | string[];
  object?: string;
  eventType?: string;
  result?: string;
};

const emptyCriteria: ReplayCriteria = {
  since: null,
  until: null,
  statuses: [],
  object: null,
  eventType: null,
  result: null,
  deliveryId: null,
  deliveryIds: [],
  isUndelivered: false,
};

/** The JSON of the column `criteria`: both parts in one object, times as ISO 8601. */
export type StoredCriteria = Omit<
  ReplayCriteria,
  "since" | "until" | "deliveryIds" | "isUndelivered"
> &
  ReplayMatching & {
    since: string | null;
    until: string | null;
    /** Absent in rows written before selections and recoveries existed. */
    deliveryIds?: readonly number[];
    isUndelivered?: boolean;
  };

export function parseCriteria(input: CriteriaInput, now: Date): ReplayCriteria {
  const since = parseBound("since", input.since) ?? null;
  refuseFuture(since, now);
  const until = parseBound("until", input.until) ?? null;
  if (since !== null && until !== null && until <= since) {
    throw invalidParameter("until", "range", "The end of the period must be after its start.");
  }
  const statuses = parseStatuses(input.status);
  const result = orNull(input.result);
  if (result !== null && statuses.includes("never_attempted")) {
    const detail =
      "Events that were never attempted have no result: give the status never_attempted or a result, not both.";
    throw invalidParameter("result", "conflict", detail);
  }
  const [object, eventType] = [orNull(input.object), orNull(input.eventType)];
  return { ...emptyCriteria, since, until, statuses, object, eventType, result };
}

/** A future time, such as a wrong year, would falsely report that nothing was lost. */
export function refuseFuture(since: Date | null, now: Date): void {
  if (since !== null && since > now) {
    throw invalidParameter("since", "future", "The since field is invalid: it is in the future.");
  }
}

function parseStatuses(input: string | string[] | undefined): ReplayStatus[] {
  const words = (typeof input === "string" ? input.split(",") : (input ?? []))
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const known = [...new Set(words)].map((word) => {
    const status = replayStatuses.find((one) => one === word);
    if (status === undefined) {
      const detail = `The status field is invalid: it must be one or more of ${replayStatuses.join(", ")}.`;
      throw invalidParameter("status", "enum", detail);
    }
    return status;
  });
  return known.length === 0 ? ["dead"] : known;
}

export function criteriaOfOne(deliveryId: number): ReplayCriteria {
  return { ...emptyCriteria, deliveryId };
}

export function criteriaOfSelection(deliveryIds: readonly number[]): ReplayCriteria {
  return {
    ...emptyCriteria,
    deliveryIds,
  };
}

/** Everything since then that failed, was cancelled, or was never attempted while the webhook was off. */
export function criteriaOfRecovery(since: Date): ReplayCriteria {
  return {
    ...emptyCriteria,
    since,
    statuses: replayStatuses.filter((status) => status !== "delivered"),
    isUndelivered: true,
  };
}

export function readCriteria(stored: StoredCriteria): {
  criteria: ReplayCriteria;
  matching: ReplayMatching;
} {
  const { filters, conditions, ...criteria } = stored;
  return {
    criteria: {
      ...criteria,
      since: toDate(stored.since),
      until: toDate(stored.until),
      deliveryIds: stored.deliveryIds ?? [],
      isUndelivered: stored.isUndelivered ?? false,
    },
    matching: { filters, conditions },
  };
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
