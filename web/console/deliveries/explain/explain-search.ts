/** What somebody asks about, as the address has it. Pure. */

/**
 * `q`: a ticket's number or reference, or the id of an event. `ticket`: which of several was meant.
 * `object`, `objectId`, `time`: anything else. `part`: `period` asks about all of a time instead.
 */
export type QuestionSearch = {
  [Name in "q" | "ticket" | "object" | "objectId" | "time" | "part" | "period"]?:
    | string
    | undefined;
};

/** An event that can be explained, by its id or by what it was about and when. */
export type ExplainRequest =
  | Readonly<{ event_id: string }>
  | Readonly<{ object: string; objectId: string; time: string }>;

const names = ["q", "ticket", "object", "objectId", "time", "part", "period"] as const;

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

/** Each costs a call. */
const mostTimes = 8;

/** The newest times to ask around, and whether older ones are left out for them. */
export function newestTimes(times: readonly string[]): { around: string[]; isCut: boolean } {
  const all = coveringTimes(times);
  return { around: all.slice(-mostTimes), isCut: all.length > mostTimes };
}

const windowMs = 5 * 60_000;

/**
 * The fewest of these times around which five minutes to either side reach all of them: the API
 * tells the events of an object around a time.
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
