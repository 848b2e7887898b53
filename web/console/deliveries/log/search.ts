/** Converts the log's filters between URL and API. Pure. */
import { attemptResults, successResult } from "../../../../src/contracts/deliveries.ts";
import type { operations } from "../../../base/api-types.ts";

export type LogQuery = NonNullable<operations["searchWebhookDeliveries"]["parameters"]["query"]>;

/**
 * Same names as in the API, except `eventId` (`event_id`); `period` is a relative `since`,
 * `failures` means every result but success.
 */
export const filterNames = [
  ...(["webhook", "status", "result", "object", "objectId", "event", "eventType"] as const),
  ...(["eventId", "text", "replay", "failures", "period", "since", "until"] as const),
] as const;

export type FilterName = (typeof filterNames)[number];

/** `delivery`: the one open in the detail pane. `tail`: live tail is on. */
export type LogSearch = { [Name in FilterName | "delivery" | "tail"]?: string };

/** Filters to set; undefined clears one. */
export type LogChange = { [Name in FilterName | "delivery" | "tail"]?: string | undefined };

export const periods = ["hour", "today", "day", "week", "month"] as const;

export type PeriodName = (typeof periods)[number];

const hourMs = 3_600_000;

/** Built-in views. */
export const presets = {
  failing: { status: "retry" },
  dead_today: { status: "dead", period: "today" },
  waiting: { status: "pending,queued,sending" },
  held: { status: "paused" },
} as const satisfies Record<string, LogSearch>;

export type PresetName = keyof typeof presets;

/** Unknown parameters are dropped. */
export function readSearch(input: Record<string, unknown>): LogSearch {
  return Object.fromEntries(
    [...filterNames, "delivery" as const, "tail" as const].flatMap((name) => {
      const text = textOf(input[name]);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

export function hasFilters(search: LogSearch): boolean {
  return filterNames.some((name) => search[name] !== undefined);
}

/** The API's query parameters. `now`: the end of a relative period such as "the last hour". */
export function toLogQuery(search: LogSearch, now = new Date()): LogQuery {
  const { period, delivery: _open, tail: _tail, failures: _only, ...input } = search;
  const { replay, since, eventId, result: _chosen, ...filters } = input;
  const result = resultsOf(search);
  const begin = isPeriod(period) ? toBound(periodStart(period, now)) : since;
  return {
    ...filters,
    ...(eventId === undefined ? {} : { event_id: eventId }),
    ...(result === undefined ? {} : { result }),
    ...(replay !== undefined && /^\d{1,15}$/u.test(replay) ? { replay: Number(replay) } : {}),
    ...(begin === undefined ? {} : { since: begin }),
  } as LogQuery;
}

/**
 * The results to query: with `failures`, the selected failures, or all failures if none is
 * selected.
 */
function resultsOf({ result, failures }: LogSearch): string | undefined {
  if (failures === undefined) {
    return result;
  }
  const failed = attemptResults.filter((one) => one !== successResult);
  const chosen = failed.filter((one) => listOf(result).includes(one));
  return (chosen.length === 0 ? failed : chosen).join(",");
}

export function listOf(text: string | undefined): string[] {
  return (text ?? "").split(",").filter((word) => word !== "");
}

export function isPeriod(text: string | undefined): text is PeriodName {
  return periods.some((one) => one === text);
}

/** The API's timestamp format: no fractions of a second. */
export function toBound(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/u, "Z");
}

const lengths: Record<Exclude<PeriodName, "today">, number> = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
};

/** The start of a period: `today` starts at midnight in the reader's time zone. */
export function periodStart(period: PeriodName, now: Date): Date {
  return period === "today" ? midnightBefore(now) : new Date(now.getTime() - lengths[period]);
}

function midnightBefore(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate());
}

/** The filters without the other parameters. */
export function filtersOf(search: LogSearch): LogSearch {
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = search[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * Filters by an action, `object.event`. An object's id is kept only for the same object: ticket 42
 * is not media 42.
 */
export function chooseAction(search: LogSearch, action: string): LogChange {
  const [object, event] = action.split(".");
  const isSame = object === search.object;
  return { eventType: undefined, event, object, ...(isSame ? {} : { objectId: undefined }) };
}
