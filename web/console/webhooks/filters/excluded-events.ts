/** Events that filters and conditions would exclude, with reasons. Pure. */
import type { FilterTest, Question } from "../types.ts";
import { passes } from "./filter-tree.ts";

type PastEvent = FilterTest["events"][number];

/** `unknown`: the content was deleted, or evaluating the conditions timed out. */
export type ExcludedEvent = Readonly<{
  event: PastEvent;
  why: "filters" | "conditions" | "unknown";
}>;

/** Matches events that pass the same filters but not the conditions. */
export function invertedQuery({ filters, conditions }: Question): Question {
  return {
    filters,
    conditions: { $nor: [conditions] },
  };
}

type Answers = Readonly<{
  /** All events. */
  happened: readonly PastEvent[];
  /** Events that filters and conditions match. */
  matched: readonly PastEvent[];
  /** Events that pass the filters and fail the conditions. */
  refused: readonly PastEvent[];
}>;

/** The events that would not be sent. */
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
