/** What the address of the statistics says. Pure. */
const tabs = ["tickets", "meetings", "use"] as const;

const periods = ["today", "week", "days30", "custom"] as const;

export type StatisticsTab = (typeof tabs)[number];

export type PeriodName = (typeof periods)[number];

/** What the address of the statistics says; what is not there is the usual. */
export type StatisticsSearch = Readonly<{
  tab?: StatisticsTab | undefined;
  period?: PeriodName | undefined;
  /** Days, `2026-11-20`, of a custom period. */
  since?: string | undefined;
  until?: string | undefined;
  /** The day whose export is shown. */
  day?: string | undefined;
  /** Key of the service whose sessions are shown. */
  service?: string | undefined;
  type?: "conference" | "ticket" | undefined;
  /** The session that is open. */
  session?: string | undefined;
}>;

export function statisticsSearch(given: Record<string, unknown>): StatisticsSearch {
  return withoutUndefined({
    tab: oneOf(tabs, given["tab"]),
    period: oneOf(periods, given["period"]),
    since: dayOf(given["since"]),
    until: dayOf(given["until"]),
    day: dayOf(given["day"]),
    service: textOf(given["service"]),
    type: oneOf(["conference", "ticket"] as const, given["type"]),
    session: textOf(given["session"]),
  });
}

function oneOf<T extends string>(values: readonly T[], given: unknown): T | undefined {
  return values.find((one) => one === given);
}

function withoutUndefined(values: Readonly<Record<string, string | undefined>>): StatisticsSearch {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function dayOf(given: unknown): string | undefined {
  return typeof given === "string" && /^\d{4}-\d{2}-\d{2}$/u.test(given) ? given : undefined;
}

function textOf(given: unknown): string | undefined {
  return typeof given === "string" && given !== "" ? given : undefined;
}
