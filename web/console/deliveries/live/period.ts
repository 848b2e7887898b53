/** The period of the charts, as stored in the URL. Pure. */
import { toBound } from "../log/search.ts";

export const periodNames = ["live", "hour", "day", "week", "custom"] as const;

export type PeriodName = (typeof periodNames)[number];

/** No period means live. */
export type NowSearch = { period?: Exclude<PeriodName, "live">; since?: string; until?: string };

export type Bounds = Readonly<{ since: string; until?: string }>;

/** Unknown parameters are dropped. */
export function readNowSearch(input: Record<string, unknown>): NowSearch {
  const { period } = input;
  if (!isPeriod(period)) {
    return {};
  }
  const [since, until] = [timeOf(input["since"]), timeOf(input["until"])];
  return {
    period,
    ...(period === "custom" && since !== undefined ? { since } : {}),
    ...(period === "custom" && until !== undefined ? { until } : {}),
  };
}

function isPeriod(value: unknown): value is Exclude<PeriodName, "live"> {
  return value !== "live" && periodNames.some((name) => name === value);
}

function timeOf(value: unknown): string | undefined {
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

const lengths = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const;

/** The API's query parameters. A period without an end lasts until now. */
export function boundsOf({ period, since, until }: NowSearch, now: Date): Bounds {
  const ago = (ms: number): string => toBound(new Date(now.getTime() - ms));
  if (period !== "custom") {
    return { since: ago(lengths[period ?? "hour"]) };
  }
  return { since: since ?? ago(lengths.day), ...(until === undefined ? {} : { until }) };
}

/** Polling interval in milliseconds; false for a past period. */
export function refreshMs({ period, until }: NowSearch): number | false {
  if (period === "custom" && until !== undefined) {
    return false;
  }
  return period === "hour" ? 10_000 : 60_000;
}
