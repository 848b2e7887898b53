/**
 * Tickets of a period: a row for each (the day export), a page of those rows, or what they come to.
 * For the export the ids are read first, so that what is refused is refused before anything was
 * sent and the order and number are those of one moment; the figures follow in batches. No
 * connection is held while a slow client reads, as it would be by a cursor of the database.
 */
import type { Readable } from "node:stream";
import type { Scope } from "../contracts/permissions.ts";
import { invalidParameter, problem } from "../contracts/problems.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/db/pool.ts";
import { createDeviceParser } from "./device.ts";
import { streamOf, type ExportFormat } from "./export.ts";
import { dayIn, parsePeriod, type Period } from "./period.ts";
import type { TicketReach } from "./ports.ts";
import { presentRow, statisticsKeys, type Labels, type TicketStatistics } from "./row.ts";
import { findTimeZone, listTicketIds, readFigures } from "./store.ts";
import { readTicketSummary, type TicketSummary } from "./ticket-summary-store.ts";

/** Whose tickets, created when. */
type Asked = Readonly<{ scope: Scope; since?: string; until?: string }>;

export type TicketStatisticsOrder = Asked &
  Readonly<{ format: ExportFormat; labels: Labels; hasDeleted: boolean }>;

export type TicketRowsOrder = Asked &
  Readonly<{ labels: Labels; limit: number; after: number | undefined }>;

export type Statistics = {
  /** Rejects before anything is read where the order is wrong. */
  tickets(order: TicketStatisticsOrder): Promise<{ period: Period; data: Readable }>;
  /** A page of the same rows, and the id after which the next one begins. */
  ticketRows(
    order: TicketRowsOrder,
  ): Promise<{ rows: readonly TicketStatistics[]; next: number | null }>;
  ticketSummary(
    asked: Asked,
  ): Promise<{ period: Period; timeZone: string; summary: TicketSummary }>;
};

export type StatisticsDeps = Readonly<{ db: Db; clock: Clock; ticketReach: TicketReach }>;

const mostRows = 100_000;

const batchSize = 500;

const mostGroups = 50;

export function createStatistics({ db, clock, ticketReach }: StatisticsDeps): Statistics {
  const readRows = async (
    ids: readonly number[],
    of: Readonly<{ enterpriseId: number; timeZone: string; labels: Labels }>,
    parse = createDeviceParser(),
  ): Promise<TicketStatistics[]> => {
    const { enterpriseId, timeZone, labels } = of;
    const figures = await readFigures(db, { enterpriseId, timeZone, ids });
    return figures.map((ticket) => presentRow(ticket, parse(ticket.userAgent), labels));
  };

  async function* readBatches(
    ids: readonly number[],
    of: Readonly<{ enterpriseId: number; timeZone: string; labels: Labels }>,
  ): AsyncGenerator<TicketStatistics[]> {
    const parse = createDeviceParser();
    for (let start = 0; start < ids.length; start += batchSize) {
      yield await readRows(ids.slice(start, start + batchSize), of, parse);
    }
  }

  return {
    tickets: async ({ format, labels, hasDeleted, ...asked }) => {
      const { scope } = asked;
      const { timeZone, period } = await resolve({ db, clock }, asked);
      const ids = await listTicketIds(db, ticketReach, {
        ...{ scope, period, timeZone, hasDeleted },
        limit: mostRows + 1,
      });
      if (ids.length > mostRows) {
        throw invalidParameter(
          "since",
          "range",
          `The period has more than ${mostRows} tickets: ask for fewer days.`,
        );
      }
      const batches = readBatches(ids, { enterpriseId: scope.enterpriseId, timeZone, labels });
      return { period, data: streamOf({ batches, columns: statisticsKeys, format }) };
    },

    ticketRows: async ({ labels, limit, after, ...asked }) => {
      const { scope } = asked;
      const { timeZone, period } = await resolve({ db, clock }, asked);
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
      const { timeZone, period } = await resolve({ db, clock }, asked);
      const summary = await readTicketSummary(db, ticketReach, {
        ...{ scope, period, timeZone, mostGroups },
      });
      return { period, timeZone, summary };
    },
  };
}

async function resolve(
  { db, clock }: Pick<StatisticsDeps, "db" | "clock">,
  { scope: { enterpriseId }, ...given }: Asked,
) {
  const timeZone = await findTimeZone(db, enterpriseId);
  if (timeZone === undefined) {
    throw problem("not_found", `Enterprise ${enterpriseId} was not found.`);
  }
  return { timeZone, period: parsePeriod(given, dayIn(timeZone, clock.now())) };
}
