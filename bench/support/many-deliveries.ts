import { rowsOf, type Db } from "../../src/platform/db/pool.ts";

export type ManyDeliveries = {
  readonly enterpriseId: number;
  readonly subscriptionIds: number[];
  readonly replayId: number;
  readonly newest: Date;
  /** An event from the middle of the log, and its object. */
  readonly eventId: string;
  readonly objectId: string;
  readonly count: number;
};

export type ManyDeliveriesOptions = {
  /** Total deliveries, with at least one attempt each. */
  count: number;
  subscriptions: number;
  days: number;
  /** Number of the newest deliveries that are live; 3,000 by default. */
  live?: number;
  /** Called after each batch with the number of deliveries. */
  onProgress: (made: number) => void;
};

const dayMs = 86_400_000;
const pieceSize = 500_000;
const defaultLive = 3_000;
/** Number of the oldest deliveries that belong to a replay. */
const replayedCount = 20_000;

async function makeEnterprise(
  db: Db,
  subscriptions: number,
): Promise<Pick<ManyDeliveries, "enterpriseId" | "subscriptionIds">> {
  const [enterprise] = await rowsOf<{ id: number }>(
    db,
    `INSERT INTO enterprises (name, api_key) VALUES ('Many deliveries', md5(random()::text))
     RETURNING id`,
  );
  const enterpriseId = enterprise?.id ?? 0;
  const rows = await rowsOf<{ id: number }>(
    db,
    `WITH made AS (
       INSERT INTO subscriptions (enterprise_id, name, url, is_active, filters, secret_sealed)
       SELECT ?, 'Receiver ' || n, 'https://receiver-' || n || '.example/in', true, '{ticket.*}', ''
       FROM generate_series(1, ?) AS n RETURNING id, enterprise_id
     ), known AS (
       INSERT INTO subscription_health (subscription_id, enterprise_id)
       SELECT id, enterprise_id FROM made)
     SELECT id FROM made ORDER BY id`,
    [enterpriseId, subscriptions],
  );
  return { enterpriseId, subscriptionIds: rows.map(({ id }) => id) };
}

/** Creates one partition per day, like the platform. */
async function makePartitions(db: Db, first: Date, days: number): Promise<void> {
  const dayOf = (n: number): string =>
    new Date(first.getTime() + n * dayMs).toISOString().slice(0, 10);
  for (const table of ["events", "attempts"]) {
    for (let n = 0; n <= days; n += 1) {
      const name = `${table}_${dayOf(n).replaceAll("-", "")}`;
      await db.raw(
        `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table}
         FOR VALUES FROM ('${dayOf(n)} 00:00+00') TO ('${dayOf(n + 1)} 00:00+00')`,
      );
    }
  }
}

type Piece = ManyDeliveries & {
  from: number;
  to: number;
  first: Date;
  eventMs: number;
  live: number;
  /** Ids up to this one are in use. */
  base: number;
};

/**
 * Each event has `subscriptions.length` deliveries; events are evenly distributed over the days.
 */
const eventsSql = `
  INSERT INTO events (id, occurred_at, event_id, enterprise_id, object, event, event_type,
    object_id, key, body)
  SELECT n, at, 'evt_bench_' || n, g.enterprise_id, t.object, t.event,
    CASE WHEN t.object = 'conversationevent' THEN 'media.OCRDone' END, n / 10, 'ticket:' || n / 10,
    '{"event":"' || t.event || '","time":1795216792,"object":"' || t.object || '","objectId":' ||
      n / 10 || ',"props":{"state":"closed","reference":"R-' || n || '"}}'
  FROM (SELECT CAST(:enterpriseId AS bigint) AS enterprise_id) AS g,
    generate_series(CAST(:from AS bigint), CAST(:to AS bigint)) AS n,
    LATERAL (SELECT CAST(:first AS timestamptz) + (n - CAST(:base AS bigint)) * (:eventMs * interval '1 millisecond'),
      CASE WHEN n % 1000 = 0 THEN 'smsmessage' WHEN n % 5 = 0 THEN 'conversationevent'
        ELSE 'ticket' END,
      CASE WHEN n % 5 = 0 THEN 'create' ELSE 'update' END) AS t(at, object, event)`;

/** 1 % failed at first; one in five of those is dead. */
const deliveriesSql = `
  INSERT INTO deliveries (id, enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
    key, state, attempts, generation, due_at, created_at, ended_at, last_result, replay_id)
  SELECT (n - 1) * g.width + k, g.enterprise_id, g.subscriptions[k], n, n, at, t.object,
    'ticket:' || n / 10, t.state, CASE WHEN n % 100 = 0 THEN 2 ELSE 1 END, 1, at, at,
    CASE WHEN t.state IN ('delivered', 'dead') THEN at + interval '2 seconds' END,
    CASE WHEN n % 500 = 0 THEN '5xx' WHEN n % 700 = 0 THEN 'timeout_response'
      WHEN n <= g.last_event - g.live THEN '2xx' END,
    CASE WHEN k = 1 AND n - CAST(:base AS bigint) <= g.replayed THEN g.replay_id END
  FROM (SELECT CAST(:enterpriseId AS bigint) AS enterprise_id,
      CAST(:subscriptionIds AS bigint[]) AS subscriptions, CAST(:replayId AS bigint) AS replay_id,
      CAST(:width AS bigint) AS width, CAST(:lastEvent AS bigint) AS last_event,
      CAST(:live AS bigint) AS live, CAST(:replayed AS bigint) AS replayed) AS g,
    generate_series(CAST(:from AS bigint), CAST(:to AS bigint)) AS n,
    generate_series(1, CAST(:width AS integer)) AS k,
    LATERAL (SELECT CAST(:first AS timestamptz) + (n - CAST(:base AS bigint)) * (:eventMs * interval '1 millisecond'),
      CASE WHEN n % 1000 = 0 THEN 'smsmessage' WHEN n % 5 = 0 THEN 'conversationevent'
        ELSE 'ticket' END,
      CASE WHEN n > g.last_event - g.live THEN CASE WHEN n % 2 = 0 THEN 'pending' ELSE 'retry' END
        WHEN n % 500 = 0 THEN 'dead' ELSE 'delivered' END) AS t(at, object, state)`;

const attemptsSql = `
  INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms, status, failure,
    phases, request_headers, response_headers, response_body)
  SELECT g.enterprise_id, at + interval '1 second' * i, (n - 1) * g.width + k, i, 84,
    CASE WHEN n % 500 = 0 THEN 503 ELSE 200 END, NULL, '{"firstByte":80,"total":84}',
    '{"User-Agent":"Sightline Cloud"}', '{"server":"nginx"}', 'ok'
  FROM (SELECT CAST(:enterpriseId AS bigint) AS enterprise_id, CAST(:width AS bigint) AS width) AS g,
    generate_series(CAST(:from AS bigint), CAST(:to AS bigint)) AS n,
    generate_series(1, CAST(:width AS integer)) AS k,
    generate_series(1, CASE WHEN n % 100 = 0 THEN 2 ELSE 1 END) AS i,
    LATERAL (SELECT CAST(:first AS timestamptz) + (n - CAST(:base AS bigint)) * (:eventMs * interval '1 millisecond'))
      AS t(at)`;

async function makePiece(db: Db, piece: Piece): Promise<void> {
  const { enterpriseId, subscriptionIds, replayId, from, to, first, eventMs, count, live, base } =
    piece;
  const width = subscriptionIds.length;
  const shared = { enterpriseId, from, to, first, eventMs, base };
  await db.transaction(async (trx) => {
    // The foreign keys are valid by construction; checking each one would cost a query.
    await trx.raw("SET LOCAL session_replication_role = 'replica'");
    await trx.raw(eventsSql, shared);
    await trx.raw(deliveriesSql, {
      ...shared,
      ...{ subscriptionIds, replayId, width },
      lastEvent: base + count / width,
      live: live / width,
      replayed: replayedCount,
    });
    await trx.raw(attemptsSql, { ...shared, width });
  });
}

async function makeReplay(
  db: Db,
  enterpriseId: number,
  subscriptionId: number | undefined,
  at: Date,
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    `INSERT INTO replays (enterprise_id, subscription_id, state, criteria, max_per_second, phase,
       last_sequence, last_event_row_id, created_at, ended_at)
     VALUES (?, ?, 'done', '{}', 10, 'done', 0, 0, ?::timestamptz, ?::timestamptz + interval '2 days')
     RETURNING id`,
    [enterpriseId, subscriptionId, at, at],
  );
  return row?.id ?? 0;
}

async function lastIdInUse(db: Db): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    `SELECT greatest((SELECT max(id) FROM deliveries), (SELECT max(id) FROM events), 0) AS id`,
  );
  return row?.id ?? 0;
}

/** An enterprise with a long delivery log. */
export async function manyDeliveries(
  db: Db,
  { count, subscriptions, days, live = defaultLive, onProgress }: ManyDeliveriesOptions,
): Promise<ManyDeliveries> {
  const first = new Date(Date.now() - days * dayMs);
  const owner = await makeEnterprise(db, subscriptions);
  await makePartitions(db, first, days);
  const replayId = await makeReplay(db, owner.enterpriseId, owner.subscriptionIds[0], first);
  const base = await lastIdInUse(db);
  const events = count / subscriptions;
  const middle = base + Math.floor(events / 2) + 1;
  const many: ManyDeliveries = {
    ...{ ...owner, replayId, count },
    newest: new Date(first.getTime() + days * dayMs),
    eventId: `evt_bench_${middle}`,
    objectId: String(Math.floor(middle / 10)),
  };
  const eventMs = (days * dayMs) / events;
  const step = pieceSize / subscriptions;
  for (let from = 1; from <= events; from += step) {
    const to = Math.min(events, from + step - 1);
    await makePiece(db, { ...many, base, live, first, eventMs, from: base + from, to: base + to });
    onProgress(to * subscriptions);
  }
  await settleTables(db);
  return many;
}

/** Advances the sequences past rows that were inserted with explicit ids. */
export async function continueAfter(db: Db): Promise<void> {
  await db.raw(
    "SELECT setval(pg_get_serial_sequence('deliveries', 'id'), max(id)) FROM deliveries",
  );
  await db.raw("SELECT setval('events_id_seq', max(id)) FROM events");
  // Marks the long log as tallied, so that only new attempts are measured.
  await db.raw(
    `UPDATE delivery_tally_progress SET reached = (SELECT max(id) FROM attempts),
       made_reached = (SELECT max(id) FROM deliveries)`,
  );
  await db.raw(
    `UPDATE subscription_health h SET last_sequence = coalesce(
       (SELECT max(d.sequence) FROM deliveries d WHERE d.subscription_id = h.subscription_id), 0)`,
  );
}

/** Waiting deliveries of a throttled subscription. */
export async function addBacklog(db: Db, enterpriseId: number, count: number): Promise<void> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    `INSERT INTO subscriptions (enterprise_id, name, url, is_active, filters, secret_sealed)
     VALUES (?, 'Backlog', 'https://slow.example/in', true, '{ticket.*}', '') RETURNING id`,
    [enterpriseId],
  );
  const id = row?.id ?? 0;
  await rowsOf(
    db,
    `INSERT INTO subscription_health (subscription_id, enterprise_id, last_sequence, throttled_until)
     VALUES (?, ?, ?, now() + interval '1 day')`,
    [id, enterpriseId, count],
  );
  await rowsOf(
    db,
    `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
       key, state, due_at)
     SELECT ?, ?, n, nextval('events_id_seq'), now(), 'ticket', 'ticket:' || n, 'pending',
       now() - n * interval '1 millisecond'
     FROM generate_series(1, ?::integer) AS n`,
    [enterpriseId, id, count],
  );
  await settleTables(db);
}

/** Does what autovacuum and the checkpointer would do during the measurement. */
async function settleTables(db: Db): Promise<void> {
  await db.raw("VACUUM (ANALYZE) deliveries");
  await db.raw("VACUUM (ANALYZE) events");
  await db.raw("VACUUM (ANALYZE) attempts");
  await db.raw("CHECKPOINT");
}
