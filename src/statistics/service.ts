/**
 * Statistics of tickets and sessions: exports, pages of rows, and summaries. An export of tickets
 * reads all ids first, so that errors come before the first byte and the rows are a snapshot; the
 * figures follow in batches. No database connection is held while a slow client reads, as a cursor
 * would.
 */
import { findTimeZone } from "../access/reach.ts";
import { Readable } from "node:stream";
import type { Scope } from "../contracts/permissions.ts";
import { invalidParameter, problem } from "../contracts/problems.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/db/pool.ts";
import {
  createDeviceParser,
  type DayPeriod,
  type Labels,
  parseDayPeriod,
  presentTicketRow,
  statisticsKeys,
  type TicketStatistics,
} from "./row.ts";
import {
  type TicketReach,
  listTicketIds,
  readTicketFigures,
  readTicketSummary,
  type TicketSummary,
} from "./ticket-store.ts";
import { dayIn, toTimestamp } from "../platform/timestamps.ts";
import {
  isServiceKnown,
  listSessionsAfter,
  readSessionSummary,
  type SessionCursor,
  type SessionExportRow,
  type SessionKind,
  type SessionSelection,
  type SessionSummary,
} from "./session-summary-store.ts";
import { toCsvLines } from "../http/file-answers.ts";

/** Which tickets: within reach, created in the period. */
type TicketPeriodOrder = Readonly<{ scope: Scope; since?: string; until?: string }>;

export type TicketStatisticsOrder = TicketPeriodOrder &
  Readonly<{ format: StatisticsFormat; labels: Labels; hasDeleted: boolean }>;

export type TicketRowsOrder = TicketPeriodOrder &
  Readonly<{ labels: Labels; limit: number; after: number | undefined }>;

export type Statistics = {
  /** Rejects invalid input before the stream starts. */
  tickets(order: TicketStatisticsOrder): Promise<{ period: DayPeriod; data: Readable }>;
  /** A page of rows, and the cursor of the next page. */
  ticketRows(
    order: TicketRowsOrder,
  ): Promise<{ rows: readonly TicketStatistics[]; next: number | null }>;
  ticketSummary(
    asked: TicketPeriodOrder,
  ): Promise<{ period: DayPeriod; timeZone: string; summary: TicketSummary }>;
};

export type StatisticsDeps = Readonly<{ db: Db; clock: Clock; ticketReach: TicketReach }>;

/** Sessions that ended in a period: exported as JSON or CSV, or summarized. */
export type SessionsOrder = Readonly<{
  scope: Scope;
  since?: string;
  until?: string;
  kind: SessionKind;
  serviceKey: string | undefined;
}>;

export type SessionStatistics = {
  /** Rejects invalid input before the stream starts. */
  sessions(
    order: SessionsOrder & Readonly<{ format: StatisticsFormat }>,
  ): Promise<{ period: DayPeriod; data: Readable }>;
  sessionSummary(
    order: SessionsOrder,
  ): Promise<{ period: DayPeriod; timeZone: string; summary: SessionSummary }>;
};

export type SessionExport = ReturnType<typeof presentSessionRow>;

export type StatisticsFormat = "json" | "csv";

export type Export<Row extends object> = Readonly<{
  batches: AsyncIterable<readonly Row[]>;
  /** The CSV columns, in order. */
  columns: readonly (keyof Row & string)[];
  format: StatisticsFormat;
}>;

const maxRows = 100_000;

const ticketBatchSize = 500;

const maxTicketGroups = 50;

export function createStatistics({ db, clock, ticketReach }: StatisticsDeps): Statistics {
  const readRows = async (
    ids: readonly number[],
    of: Readonly<{ enterpriseId: number; timeZone: string; labels: Labels }>,
    parse = createDeviceParser(),
  ): Promise<TicketStatistics[]> => {
    const { enterpriseId, timeZone, labels } = of;
    const figures = await readTicketFigures(db, { enterpriseId, timeZone, ids });
    return figures.map((ticket) => presentTicketRow(ticket, parse(ticket.userAgent), labels));
  };

  async function* readBatches(
    ids: readonly number[],
    of: Readonly<{ enterpriseId: number; timeZone: string; labels: Labels }>,
  ): AsyncGenerator<TicketStatistics[]> {
    const parse = createDeviceParser();
    for (let start = 0; start < ids.length; start += ticketBatchSize) {
      yield await readRows(ids.slice(start, start + ticketBatchSize), of, parse);
    }
  }

  return {
    tickets: async ({ format, labels, hasDeleted, ...asked }) => {
      const { scope } = asked;
      const { timeZone, period } = await resolvePeriod({ db, clock }, asked);
      const ids = await listTicketIds(db, ticketReach, {
        ...{ scope, period, timeZone, hasDeleted },
        limit: maxRows + 1,
      });
      if (ids.length > maxRows) {
        throw invalidParameter(
          "since",
          "range",
          `The period has more than ${maxRows} tickets. Choose fewer days.`,
        );
      }
      const batches = readBatches(ids, { enterpriseId: scope.enterpriseId, timeZone, labels });
      return { period, data: streamOf({ batches, columns: statisticsKeys, format }) };
    },

    ticketRows: async ({ labels, limit, after, ...asked }) => {
      const { scope } = asked;
      const { timeZone, period } = await resolvePeriod({ db, clock }, asked);
      const ids = await listTicketIds(db, ticketReach, {
        ...{ scope, period, timeZone, after },
        hasDeleted: false,
        limit: limit + 1,
      });
      const page = ids.slice(0, limit);
      const rows = await readRows(page, { enterpriseId: scope.enterpriseId, timeZone, labels });
      return { rows, next: ids.length > limit ? (page.at(-1) ?? null) : null };
    },

    ticketSummary: async (asked) => {
      const { scope } = asked;
      const { timeZone, period } = await resolvePeriod({ db, clock }, asked);
      const summary = await readTicketSummary(db, ticketReach, {
        ...{ scope, period, timeZone, mostGroups: maxTicketGroups },
      });
      return { period, timeZone, summary };
    },
  };
}

async function resolvePeriod(
  { db, clock }: Pick<StatisticsDeps, "db" | "clock">,
  { scope: { enterpriseId }, ...input }: TicketPeriodOrder,
) {
  const timeZone = await findTimeZone(db, enterpriseId);
  if (timeZone === undefined) {
    throw problem("not_found", `Enterprise ${enterpriseId} was not found.`);
  }
  return { timeZone, period: parseDayPeriod(input, dayIn(timeZone, clock.now())) };
}

/** Sessions appear in the statistics after this delay. */
const statisticsDelayMs = 300_000;

const sessionBatchSize = 500;

const maxSessionGroups = 50;

/** The order of the CSV columns. */
const sessionKeys: readonly (keyof SessionExport)[] = [
  ...(["id", "start_time", "end_time", "billing_duration", "total_participant_count"] as const),
  ...(["organizer", "service", "service_key", "type"] as const),
];

export function createSessionStatistics({
  db,
  clock,
}: Readonly<{ db: Db; clock: Clock }>): SessionStatistics {
  const select = async ({ scope, kind, serviceKey, ...input }: SessionsOrder) => {
    const { enterpriseId } = scope;
    const timeZone = await findTimeZone(db, enterpriseId);
    if (timeZone === undefined) {
      throw problem("not_found", `Enterprise ${enterpriseId} was not found.`);
    }
    if (serviceKey !== undefined && !(await isServiceKnown(db, enterpriseId, serviceKey))) {
      throw invalidParameter("service_key", "unknown", "No service has this service_key.");
    }
    const now = clock.now();
    const period = parseDayPeriod(input, dayIn(timeZone, now));
    const endedBy = new Date(now.getTime() - statisticsDelayMs);
    return { scope, period, timeZone, kind, serviceKey, endedBy };
  };

  async function* readBatches(selection: SessionSelection): AsyncGenerator<SessionExport[]> {
    let after: SessionCursor | undefined;
    for (let found = sessionBatchSize; found === sessionBatchSize;) {
      const rows = await listSessionsAfter(db, selection, { after, limit: sessionBatchSize });
      const last = rows.at(-1);
      if (last !== undefined) {
        yield rows.map((row) => presentSessionRow(row, selection.kind));
        after = { at: last.cursorAt, id: last.id };
      }
      found = rows.length;
    }
  }

  return {
    sessions: async ({ format, ...order }) => {
      const selection = await select(order);
      const batches = readBatches(selection);
      return {
        period: selection.period,
        data: streamOf({ batches, columns: sessionKeys, format }),
      };
    },
    sessionSummary: async (order) => {
      const selection = await select(order);
      const { period, timeZone } = selection;
      return {
        period,
        timeZone,
        summary: await readSessionSummary(db, selection, maxSessionGroups),
      };
    },
  };
}

function presentSessionRow(session: SessionExportRow, type: SessionKind) {
  return {
    id: session.id,
    start_time: toTimestamp(session.startedAt),
    end_time: toTimestamp(session.finishedAt),
    billing_duration: session.billedSeconds,
    total_participant_count: session.participants,
    organizer: session.organizer,
    service: session.serviceName,
    service_key: session.serviceKey,
    type,
  };
}

/**
 * In: batches of rows. Out: a stream of JSON or CSV, without read-ahead.
 * Guarantee: backpressure; at most one batch is in memory, and no batch is read after a disconnect.
 * If reading a batch fails, the stream and the connection break, so a truncated file never looks
 * complete.
 */
function streamOf<Row extends object>(rows: Export<Row>): Readable {
  return Readable.from(render(rows), { objectMode: false, highWaterMark: 1 });
}

/** Also yields a first part if there are no rows. */
async function* render<Row extends object>({
  batches,
  columns,
  format,
}: Export<Row>): AsyncGenerator<string> {
  let isFirst = true;
  if (format === "json") {
    yield "[";
  }
  for await (const rows of batches) {
    if (rows.length === 0) {
      continue; // all of them were purged meanwhile
    }
    yield format === "json" ? toJsonPart(rows, isFirst) : toCsvLines(rows, columns, isFirst);
    isFirst = false;
  }
  if (format === "json") {
    yield "]";
  } else if (isFirst) {
    yield toCsvLines<Row>([], columns, true);
  }
}

function toJsonPart(rows: readonly object[], isFirst: boolean): string {
  return (isFirst ? "" : ",") + rows.map((row) => JSON.stringify(row)).join(",");
}

/** Default: JSON. */
export function toExportFormat(format: "JSON" | "CSV" | undefined): StatisticsFormat {
  return format === "CSV" ? "csv" : "json";
}
