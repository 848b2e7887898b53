/** The question as stored in the URL. Pure. */

/**
 * `q`: a ticket's number or reference, or an event id. `ticket`: the choice between several
 * matches. `object`, `objectId`, `time`: any other object. `part`: `period` compares a whole period
 * instead, and `webhook` explains one webhook and a period.
 */
export type QuestionSearch = {
  [Name in "q" | "ticket" | "object" | "objectId" | "time" | "part" | "period" | "webhook"]?:
    | string
    | undefined;
};

/** Identifies an event by its id, or by its object and time. */
export type ExplainRequest =
  | Readonly<{ event_id: string }>
  | Readonly<{ object: string; objectId: string; time: string }>;

const names = ["q", "ticket", "object", "objectId", "time", "part", "period", "webhook"] as const;

export function readQuestion(input: Record<string, unknown>): QuestionSearch {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = input[name];
      return typeof text === "string" && text.trim() !== "" ? [[name, text.trim()]] : [];
    }),
  );
}

export function isEventId(text: string): boolean {
  return /^evt_[A-Za-z0-9_-]{1,60}$/u.test(text);
}

/** Each costs an API call. */
const mostTimes = 8;

/** The newest times to query around, and whether older ones were dropped. */
export function newestTimes(times: readonly string[]): { around: string[]; isTruncated: boolean } {
  const all = coveringTimes(times);
  return { around: all.slice(-mostTimes), isTruncated: all.length > mostTimes };
}

const windowMs = 5 * 60_000;

/**
 * The smallest subset of these times whose ±5 minutes cover all of them: the API lists an object's
 * events around a time.
 */
export function coveringTimes(times: readonly string[]): string[] {
  const sorted = [...new Set(times)].toSorted(
    (one, other) => new Date(one).getTime() - new Date(other).getTime(),
  );
  return sorted.reduce<string[]>((chosen, time) => {
    const last = new Date(chosen.at(-1) ?? 0).getTime();
    return new Date(time).getTime() - last <= windowMs ? chosen : [...chosen, time];
  }, []);
}
