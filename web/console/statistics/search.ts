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

export function statisticsSearch(input: Record<string, unknown>): StatisticsSearch {
  return withoutUndefined({
    tab: oneOf(tabs, input["tab"]),
    period: oneOf(periods, input["period"]),
    since: dayOf(input["since"]),
    until: dayOf(input["until"]),
    day: dayOf(input["day"]),
    service: textOf(input["service"]),
    type: oneOf(["conference", "ticket"] as const, input["type"]),
    session: textOf(input["session"]),
  });
}

function oneOf<T extends string>(values: readonly T[], input: unknown): T | undefined {
  return values.find((one) => one === input);
}

function withoutUndefined(values: Readonly<Record<string, string | undefined>>): StatisticsSearch {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function dayOf(input: unknown): string | undefined {
  return typeof input === "string" && /^\d{4}-\d{2}-\d{2}$/u.test(input) ? input : undefined;
}

function textOf(input: unknown): string | undefined {
  return typeof input === "string" && input !== "" ? input : undefined;
}
