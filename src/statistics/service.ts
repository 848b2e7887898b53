/**
 * In: a period. Out: a row for each ticket of it, in parts, as fast as they are taken.
 * The ids are read first, so that what is refused is refused before anything was sent and the order
 * and number are those of one moment; the figures follow in batches. No connection is held while a
 * slow client reads, as it would be by a cursor of the database.
 */
import type { Scope } from "../contracts/permissions.ts";
import { Readable } from "node:stream";
import { invalidParameter, problem } from "../contracts/problems.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/db/pool.ts";
import { toCsv } from "./csv.ts";
import { createDeviceParser } from "./device.ts";
import { dayIn, parsePeriod, type Period } from "./period.ts";
import type { TicketReach } from "./ports.ts";
import { presentRow, type Labels, type TicketStatistics } from "./row.ts";
import { findTimeZone, listTicketIds, readFigures } from "./store.ts";

export type StatisticsFormat = "json" | "csv";

export type TicketStatisticsOrder = Readonly<{
  scope: Scope;
  since?: string;
  until?: string;
  format: StatisticsFormat;
  labels: Labels;
  hasDeleted: boolean;
}>;

export type Statistics = {
  /** Rejects before anything is read where the order is wrong. */
  tickets(order: TicketStatisticsOrder): Promise<{ period: Period; data: Readable }>;
};

export type StatisticsDeps = Readonly<{ db: Db; clock: Clock; ticketReach: TicketReach }>;

const mostRows = 100_000;
const batchSize = 500;

const toJsonPart = (rows: readonly TicketStatistics[], isFirst: boolean): string =>
  (isFirst ? "" : ",") + rows.map((row) => JSON.stringify(row)).join(",");

/** Renders batch after batch. The first part is there also where there is no row. */
async function* render(
  batches: AsyncIterable<readonly TicketStatistics[]>,
  format: StatisticsFormat,
): AsyncGenerator<string> {
  let isFirst = true;
  if (format === "json") {
    yield "[";
  }
  for await (const rows of batches) {
    yield format === "json" ? toJsonPart(rows, isFirst) : toCsv(rows, isFirst);
    isFirst = false;
  }
  if (format === "json") {
    yield "]";
  } else if (isFirst) {
    yield toCsv([], true);
  }
}

export const createStatistics = ({ db, clock, ticketReach }: StatisticsDeps): Statistics => {
  async function* readBatches(
    ids: readonly number[],
    { enterpriseId, timeZone, labels }: { enterpriseId: number; timeZone: string; labels: Labels },
  ): AsyncGenerator<TicketStatistics[]> {
    const parse = createDeviceParser();
    for (let start = 0; start < ids.length; start += batchSize) {
      const batch = ids.slice(start, start + batchSize);
      const figures = await readFigures(db, { enterpriseId, timeZone, ids: batch });
      yield figures.map((ticket) => presentRow(ticket, parse(ticket.userAgent), labels));
    }
  }

  return {
    tickets: async ({ scope, format, labels, hasDeleted, ...given }) => {
      const { enterpriseId } = scope;
      const timeZone = await findTimeZone(db, enterpriseId);
      if (timeZone === undefined) {
        throw problem("not_found", `Enterprise ${enterpriseId} was not found.`);
      }
      const period = parsePeriod(given, dayIn(timeZone, clock.now()));
      const ids = await listTicketIds(db, ticketReach, {
        scope,
        period,
        timeZone,
        hasDeleted,
        limit: mostRows + 1,
      });
      if (ids.length > mostRows) {
        throw invalidParameter(
          "since",
          "range",
          `The period has more than ${mostRows} tickets: ask for fewer days.`,
        );
      }
      const batches = readBatches(ids, { enterpriseId, timeZone, labels });
      return { period, data: Readable.from(render(batches, format), { objectMode: false }) };
    },
  };
};
