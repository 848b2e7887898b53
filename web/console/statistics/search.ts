/** The URL parameters of the statistics. Pure. */
const tabs = ["tickets", "meetings", "use"] as const;

const periods = ["today", "week", "days30", "custom"] as const;

export type StatisticsTab = (typeof tabs)[number];

export type PeriodName = (typeof periods)[number];

/** The URL parameters; missing ones mean the default. */
export type StatisticsSearch = Readonly<{
  tab?: StatisticsTab | undefined;
  period?: PeriodName | undefined;
  /** Days, `2026-11-20`, of a custom period. */
  since?: string | undefined;
  until?: string | undefined;
  /** The day of the shown export. */
  day?: string | undefined;
  /** Key of the selected service. */
  service?: string | undefined;
  type?: "conference" | "ticket" | undefined;
  /** The open session. */
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
