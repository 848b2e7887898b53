/** Which events filters and conditions would have kept out, and why. Pure. */
import type { FilterTest, Question } from "../types.ts";
import { passes } from "./filter-tree.ts";

type PastEvent = FilterTest["events"][number];

/** `unknown`: its content is gone, or there was no time to ask conditions of it. */
export type ExcludedEvent = Readonly<{
  event: PastEvent;
  why: "filters" | "conditions" | "unknown";
}>;

/** Lets through what passes the same filters and does not fulfil the conditions. */
export function invertedQuery({ filters, conditions }: Question): Question {
  return {
    filters,
    conditions: { $nor: [conditions] },
  };
}

type Answers = Readonly<{
  /** All that happened. */
  happened: readonly PastEvent[];
  /** Of that, what filters and conditions let through. */
  matched: readonly PastEvent[];
  /** Of that, what passed the filters and certainly did not fulfil the conditions. */
  refused: readonly PastEvent[];
}>;

/** What happened and would not have been sent. */
export function excludedEventsOf(filters: readonly string[], answers: Answers): ExcludedEvent[] {
  const [matched, refused] = [idsOf(answers.matched), idsOf(answers.refused)];
  const whyOf = (event: PastEvent): ExcludedEvent["why"] => {
    if (!passes(filters, event)) {
      return "filters";
    }
    return refused.has(event.event_id) ? "conditions" : "unknown";
  };
  return answers.happened
    .filter(({ event_id: id }) => !matched.has(id))
    .map((event) => ({ event, why: whyOf(event) }));
}

function idsOf(events: readonly PastEvent[]): ReadonlySet<string> {
  return new Set(events.map(({ event_id }) => event_id));
}
