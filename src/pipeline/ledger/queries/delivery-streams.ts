/**
 * Deliveries of a subscription, newest first. Sequences and ids grow together, because both are
 * assigned under the health lock; `created_at` grows with them, except for the lock wait of a
 * transaction.
 */
import { rowsOf, type Queryable } from "../../../platform/db/pool.ts";
import type { SqlCondition } from "../../../platform/db/where.ts";
import type { StreamKind } from "./delivery-filter.ts";
import { failedStatesSql } from "../state-sql.ts";
import { successResult } from "../../../contracts/deliveries.ts";

/** The deliveries of a subscription with sequences from `from` on and below `below`. */
export type SequenceRange = { subscriptionId: number; from: number; below: number };

/** The deliveries of a subscription in the order of one index. `value`: a state or a result. */
export type DeliveryStream = SequenceRange & { value: string | null };

/** The next rows of a stream: how many were read, and which match. */
export type StreamChunk = {
  examined: number;
  lastSequence: number;
  lastId: number;
  found: number[];
};

export type StreamBounds = {
  since: Date | undefined;
  until: Date | undefined;
  before: number | undefined;
};

/** The event of `d`, for conditions on it. LATERAL with a limit always probes the index. */
export const eventSql = `
  LEFT JOIN LATERAL (
    SELECT event_id, event, event_type, object_id, body FROM events
    WHERE id = d.event_row_id AND occurred_at = d.event_at LIMIT 1) AS e ON true`;

export type DeliveryStreamQuery = {
  kind: StreamKind;
  condition: SqlCondition;
  needsEvent: boolean;
};

type StreamChunkRow = {
  n: number;
  examined: number;
  last_sequence: number;
  last_id: number;
  found: number[] | null;
};

/** The maximum lock wait between the time of a transaction and its sequences. */
const maxReorderMs = 15_000;

const wholeRange = { from: 0, below: Number.MAX_SAFE_INTEGER };

/**
 * Finds both ends by binary search over (subscription_id, sequence), for all subscriptions in one
 * statement: `low` becomes the first sequence at or after the bound.
 */
const rangesSql = `
  WITH RECURSIVE search AS (
    SELECT w.n, w.subscription_id, w.at, w.id, first.sequence AS low, last.sequence + 1 AS high
    FROM unnest(?::integer[], ?::bigint[], ?::timestamptz[], ?::bigint[])
      AS w(n, subscription_id, at, id)
    CROSS JOIN LATERAL (
      SELECT d.sequence FROM deliveries d WHERE d.subscription_id = w.subscription_id
      ORDER BY d.sequence LIMIT 1) AS first
    CROSS JOIN LATERAL (
      SELECT d.sequence FROM deliveries d WHERE d.subscription_id = w.subscription_id
      ORDER BY d.sequence DESC LIMIT 1) AS last
    UNION ALL
    SELECT s.n, s.subscription_id, s.at, s.id,
      CASE WHEN probe.is_past THEN s.low ELSE probe.sequence + 1 END,
      CASE WHEN probe.is_past THEN (s.low + s.high) / 2 ELSE s.high END
    FROM search s
    CROSS JOIN LATERAL (
      SELECT d.sequence, d.sequence >= s.high OR coalesce(d.created_at >= s.at, false)
        OR coalesce(d.id >= s.id, false) AS is_past
      FROM deliveries d
      WHERE d.subscription_id = s.subscription_id AND d.sequence >= (s.low + s.high) / 2
      ORDER BY d.sequence LIMIT 1) AS probe
    WHERE s.low < s.high
  )
  SELECT n, low FROM search WHERE low >= high`;

/**
 * The sequence range of a period per subscription, slightly wide. Subscriptions without deliveries
 * are left out.
 */
export async function findRanges(
  db: Queryable,
  subscriptionIds: readonly number[],
  bounds: StreamBounds,
): Promise<SequenceRange[]> {
  if (Object.values(bounds).every((bound) => bound === undefined)) {
    return subscriptionIds.map((subscriptionId) => ({ subscriptionId, ...wholeRange }));
  }
  const shifted = {
    ...bounds,
    since: shift(bounds.since, -maxReorderMs),
    until: shift(bounds.until, maxReorderMs),
  };
  const targets = subscriptionIds.flatMap((id) => targetsOf(id, shifted));
  const rows = await rowsOf<{ n: number; low: number }>(db, rangesSql, [
    targets.map((_, n) => n),
    targets.map(({ subscriptionId }) => subscriptionId),
    targets.map(({ at }) => at),
    targets.map(({ id }) => id),
  ]);
  const lows = new Map(rows.map(({ n, low }) => [n, low]));
  return subscriptionIds.flatMap((subscriptionId, index) => {
    const from = lows.get(index * 2) ?? 0;
    const below = lows.get(index * 2 + 1) ?? 0;
    return from < below ? [{ subscriptionId, from, below }] : [];
  });
}

function shift(date: Date | undefined, ms: number): Date | undefined {
  return date && new Date(date.getTime() + ms);
}

type SearchTarget = { subscriptionId: number; at: Date | null; id: number | null };

function targetsOf(subscriptionId: number, { since, until, before }: StreamBounds): SearchTarget[] {
  return [
    { subscriptionId, at: since ?? new Date(0), id: null },
    { subscriptionId, at: until ?? null, id: before ?? null },
  ];
}

const emptyChunk: StreamChunk = { examined: 0, lastSequence: 0, lastId: 0, found: [] };

/** Reads the newest `size` rows of each stream. Returns one chunk per stream, in the same order. */
export async function readStreams(
  db: Queryable,
  reading: DeliveryStreamQuery,
  streams: readonly DeliveryStream[],
  size: number,
): Promise<StreamChunk[]> {
  const { sql, bindings } = reading.condition;
  const rows = await rowsOf<StreamChunkRow>(
    db,
    `SELECT s.n, count(*) AS examined, min(d.sequence) AS last_sequence, min(d.id) AS last_id,
       json_agg(d.id) FILTER (WHERE ${sql}) AS found
     ${examinedSql(reading)}
     GROUP BY s.n`,
    [...bindings, ...bindingsOf(streams, size)],
  );
  const chunks = new Map(rows.map((row) => [row.n, row]));
  return streams.map((_, n) => {
    const row = chunks.get(n);
    return row === undefined
      ? emptyChunk
      : {
          examined: row.examined,
          lastSequence: row.last_sequence,
          lastId: row.last_id,
          found: row.found ?? [],
        };
  });
}

/**
 * Counts the matches among the newest `size` rows of each stream, and says whether there are more
 * rows.
 */
export async function countStreams(
  db: Queryable,
  reading: DeliveryStreamQuery,
  streams: readonly DeliveryStream[],
  size: number,
): Promise<{ count: number; isExact: boolean }> {
  const { sql, bindings } = reading.condition;
  const rows = await rowsOf<Omit<StreamChunkRow, "last_id" | "found"> & { count: number }>(
    db,
    `SELECT s.n, count(*) FILTER (WHERE ${sql}) AS count, count(*) AS examined,
       min(d.sequence) AS last_sequence
     ${examinedSql(reading)}
     GROUP BY s.n`,
    [...bindings, ...bindingsOf(streams, size)],
  );
  return {
    count: rows.reduce((sum, row) => sum + row.count, 0),
    isExact: rows.every(
      ({ n, examined, last_sequence: last }) => examined < size || last <= (streams[n]?.from ?? 0),
    ),
  };
}

/**
 * Each stream is the full order of one index, written out so that the planner recognises partial
 * indexes.
 */
const streamConditions: Readonly<Record<StreamKind, string>> = {
  all: "",
  paused: "AND d.state = 'paused'",
  given_up: `AND d.state IN ${failedStatesSql} AND d.state = s.value`,
  failed: `AND d.last_result <> '${successResult}' AND d.last_result = s.value`,
};

/**
 * Without the lower bound: between two bounds the planner expects few rows, and would read and sort
 * them all instead of scanning the index. The reader checks the lower bound itself.
 */
function examinedSql({ kind, needsEvent }: DeliveryStreamQuery): string {
  return `
  FROM unnest(?::integer[], ?::bigint[], ?::bigint[], ?::text[])
    AS s(n, subscription_id, below, value)
  CROSS JOIN LATERAL (
    SELECT d.* FROM deliveries d
    WHERE d.subscription_id = s.subscription_id AND d.sequence < s.below ${streamConditions[kind]}
    ORDER BY d.sequence DESC LIMIT ?) AS d
  ${needsEvent ? eventSql : ""}`;
}

function bindingsOf(streams: readonly DeliveryStream[], size: number): unknown[] {
  return [
    streams.map((_, n) => n),
    streams.map(({ subscriptionId }) => subscriptionId),
    streams.map(({ below }) => below),
    streams.map(({ value }) => value),
    size,
  ];
}
