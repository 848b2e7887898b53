/** Sessions that ended in a period: a row for each, as JSON or CSV, or what they come to. */
import type { Readable } from "node:stream";
import type { Scope } from "../contracts/permissions.ts";
import { invalidParameter, problem } from "../contracts/problems.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/db/pool.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import { streamOf, type ExportFormat } from "./export.ts";
import { dayIn, parsePeriod, type Period } from "./period.ts";
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
import { findTimeZone } from "./store.ts";

export type SessionsOrder = Readonly<{
  scope: Scope;
  since?: string;
  until?: string;
  kind: SessionKind;
  serviceKey: string | undefined;
}>;

export type SessionStatistics = {
  /** Rejects before anything is read where the order is wrong. */
  sessions(
    order: SessionsOrder & Readonly<{ format: ExportFormat }>,
  ): Promise<{ period: Period; data: Readable }>;
  sessionSummary(
    order: SessionsOrder,
  ): Promise<{ period: Period; timeZone: string; summary: SessionSummary }>;
};

export type SessionExport = ReturnType<typeof presentRow>;

/** The statistics follow a session after this. */
const delayMs = 300_000;

const batchSize = 500;

const mostGroups = 50;

/** In the order of the columns. */
const sessionKeys: readonly (keyof SessionExport)[] = [
  ...(["id", "start_time", "end_time", "billing_duration", "total_participant_count"] as const),
  ...(["organizer", "service", "service_key", "type"] as const),
];

export function createSessionStatistics({
  db,
  clock,
}: Readonly<{ db: Db; clock: Clock }>): SessionStatistics {
  const select = async ({ scope, kind, serviceKey, ...given }: SessionsOrder) => {
    const { enterpriseId } = scope;
    const timeZone = await findTimeZone(db, enterpriseId);
    if (timeZone === undefined) {
      throw problem("not_found", `Enterprise ${enterpriseId} was not found.`);
    }
    if (serviceKey !== undefined && !(await isServiceKnown(db, enterpriseId, serviceKey))) {
      throw invalidParameter("service_key", "unknown", "No service has this service_key.");
    }
    const now = clock.now();
    const period = parsePeriod(given, dayIn(timeZone, now));
    const endedBy = new Date(now.getTime() - delayMs);
    return { scope, period, timeZone, kind, serviceKey, endedBy };
  };

  async function* readBatches(selection: SessionSelection): AsyncGenerator<SessionExport[]> {
    let after: SessionCursor | undefined;
    for (let found = batchSize; found === batchSize;) {
      const rows = await listSessionsAfter(db, selection, { after, limit: batchSize });
      const last = rows.at(-1);
      if (last !== undefined) {
        yield rows.map((row) => presentRow(row, selection.kind));
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
      return { period, timeZone, summary: await readSessionSummary(db, selection, mostGroups) };
    },
  };
}

function presentRow(session: SessionExportRow, type: SessionKind) {
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
