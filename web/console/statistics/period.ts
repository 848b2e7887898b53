import { countDays, isDay, addDays, mondayOf } from "./days.ts";
import type { StatisticsSearch } from "./search.ts";

export type Period = Readonly<{ since: string; until: string }>;

/** The API's limit per request. */
export const mostDays = 92;

/** The period of the URL, both days included; defaults to the last 30 days. */
export function periodOf(search: StatisticsSearch, today: string): Period {
  switch (search.period) {
    case "today":
      return { since: today, until: today };
    case "week":
      return { since: mondayOf(today), until: today };
    case "custom":
      return custom(search, today);
    default:
      return { since: addDays(today, -29), until: today };
  }
}

function custom({ since, until }: StatisticsSearch, today: string): Period {
  return {
    since: since !== undefined && isDay(since) ? since : addDays(today, -6),
    until: until !== undefined && isDay(until) ? until : today,
  };
}

/** Why a period is invalid; undefined if valid. */
export function periodFault({ since, until }: Period): "order" | "length" | undefined {
  const days = countDays(since, until);
  if (days < 1) {
    return "order";
  }
  return days > mostDays ? "length" : undefined;
}
