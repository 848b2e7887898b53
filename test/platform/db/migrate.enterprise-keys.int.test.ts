import { readFile } from "node:fs/promises";
import { expect } from "chai";
import * as addColumns from "../../../migrations/20261128160000_add_enterprise_columns.ts";
import * as addToDailyKeys from "../../../migrations/20261128160100_add_enterprise_to_daily_keys.ts";
import * as addToKeys from "../../../migrations/20261128160200_add_enterprise_to_keys.ts";
import * as dropTriggers from "../../../migrations/20261128160300_drop_enterprise_triggers.ts";
import {
  createPartition,
  createPartitionFromDefault,
  dailyTables,
} from "../../../src/pipeline/ledger/daily-partitions.ts";
import { isSchemaCurrent, migrateDown, migrateUp } from "../../../src/platform/db/migrate.ts";
import { openPool, rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { createEmptyDatabase, dropDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { dumpSchema } from "../../support/schema-dump.ts";

const schemaFile = new URL("../../../migrations/schema.sql", import.meta.url);

const early = [
  "20261128160000_add_enterprise_columns",
  "20261128160100_add_enterprise_to_daily_keys",
  "20261128160200_add_enterprise_to_keys",
];
const late = "20261128160300_drop_enterprise_triggers";

/** What the previous version writes for one event and its delivery; binds an enterprise. */
const writeAsBeforeSql = `
  WITH event AS (
    INSERT INTO events (occurred_at, event_id, enterprise_id, object, event, object_id, key, body)
    SELECT :at, 'evt_' || gen_random_uuid(), id, 'ticket', 'create', '1', 'ticket:1', '{}'
    FROM enterprises WHERE id = :enterprise RETURNING id, occurred_at, enterprise_id
  ), waiting AS (
    INSERT INTO outbox (event_row_id, occurred_at, enterprise_id) SELECT * FROM event
  ), counted AS (
    UPDATE subscription_health h SET last_sequence = last_sequence + 1
    FROM subscriptions s WHERE s.id = h.subscription_id AND s.enterprise_id = :enterprise
    RETURNING s.id, last_sequence
  ), delivery AS (
    INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
      key, state, due_at)
    SELECT event.enterprise_id, counted.id, counted.last_sequence, event.id, event.occurred_at,
      'ticket', 'ticket:1', 'delivered', now()
    FROM event, counted RETURNING id, event_at, subscription_id, enterprise_id
  ), alert AS (
    INSERT INTO alert_states (subscription_id) SELECT subscription_id FROM delivery
    ON CONFLICT (subscription_id) DO UPDATE SET behind_since = now()
  ), tally AS (
    INSERT INTO delivery_tallies AS t (subscription_id, enterprise_id, step, at, delivered, failed,
      retried, dead)
    SELECT subscription_id, enterprise_id, 60, date_trunc('day', now()), 1, 0, 0, 0 FROM delivery
    ON CONFLICT (subscription_id, step, at) DO UPDATE SET delivered = t.delivered + 1
  )
  SELECT id FROM delivery`;

/** In a statement of its own, as after each request. */
const attemptAsBeforeSql = `
  INSERT INTO attempts (started_at, delivery_id, number, duration_ms)
  SELECT event_at, id, 1, 1 FROM deliveries WHERE id = ?`;

const deadLetterAsBeforeSql = `
  WITH failed AS (
    DELETE FROM outbox WHERE event_row_id = (SELECT max(event_row_id) FROM outbox WHERE
      enterprise_id = ?) RETURNING event_row_id, occurred_at)
  INSERT INTO outbox_dead (event_row_id, occurred_at, reason)
  SELECT event_row_id, occurred_at, 'broken' FROM failed`;

/** Rows whose enterprise is not that of what they belong to, by table. */
const wrongRowsSql = `
  SELECT 'attempts' AS table FROM attempts a LEFT JOIN deliveries d ON d.id = a.delivery_id
    WHERE a.enterprise_id IS DISTINCT FROM d.enterprise_id
  UNION ALL SELECT 'outbox' FROM outbox o LEFT JOIN events e ON e.id = o.event_row_id
    WHERE o.enterprise_id IS DISTINCT FROM e.enterprise_id
  UNION ALL SELECT 'outbox_dead' FROM outbox_dead o LEFT JOIN events e ON e.id = o.event_row_id
    WHERE o.enterprise_id IS DISTINCT FROM e.enterprise_id
  UNION ALL SELECT 'subscription_health' FROM subscription_health h
    LEFT JOIN subscriptions s ON s.id = h.subscription_id
    WHERE h.enterprise_id IS DISTINCT FROM s.enterprise_id
  UNION ALL SELECT 'alert_states' FROM alert_states a
    LEFT JOIN subscriptions s ON s.id = a.subscription_id
    WHERE a.enterprise_id IS DISTINCT FROM s.enterprise_id`;

const countsSql = `
  SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM deliveries) AS deliveries,
    (SELECT count(*) FROM attempts) AS attempts, (SELECT count(*) FROM outbox) AS outbox,
    (SELECT count(*) FROM outbox_dead) AS dead,
    (SELECT sum(delivered) FROM delivery_tallies) AS tallied`;

const oldDay = new Date("2026-10-01T12:00:00Z");
const lastDay = new Date("2026-10-02T12:00:00Z");
const withoutPartition = new Date("2026-10-03T12:00:00Z");

describe("a release that adds the enterprise to the keys of the pipeline", () => {
  let db: Db;
  let name: string;
  let enterprises: number[];
  let schemaBefore: string;

  beforeEach("restore the schema of the previous version, with rows", async () => {
    const database = await createEmptyDatabase();
    name = database.name;
    db = openPool({ url: database.url, maxConnections: 6, name: "test", statementTimeoutMs: 0 });
    await migrateUp(db);
    for (const migration of [dropTriggers, addToKeys, addToDailyKeys]) {
      await migration.down(db);
    }
    await inTransaction(db, (trx) => addColumns.down(trx));
    await rowsOf(db, "DELETE FROM schema_migrations WHERE name = ANY(?)", [[...early, late]]);
    schemaBefore = await dumpSchema(db);
    for (const table of dailyTables) {
      await createPartition(db, table, "2026-10-01");
      await createPartition(db, table, "2026-10-02");
    }
    enterprises = [await anEnterpriseAsBefore(), await anEnterpriseAsBefore()];
    await writeAsBefore();
    await rowsOf(db, deadLetterAsBeforeSql, [enterprises[1]]);
  });
  afterEach(async () => {
    await db.destroy();
    await dropDatabase(name);
  });

  const anEnterpriseAsBefore = async (): Promise<number> => {
    const [row] = await rowsOf<{ enterprise_id: number }>(
      db,
      `WITH enterprise AS (
         INSERT INTO enterprises (name, api_key) VALUES ('One', md5(random()::text)) RETURNING id
       ), subscription AS (
         INSERT INTO subscriptions (enterprise_id, secret_sealed) SELECT id, '' FROM enterprise
         RETURNING id, enterprise_id)
       SELECT enterprise_id FROM subscription`,
    );
    await rowsOf(
      db,
      `INSERT INTO subscription_health (subscription_id)
       SELECT id FROM subscriptions WHERE enterprise_id = ?`,
      [row?.enterprise_id],
    );
    return row?.enterprise_id ?? 0;
  };

  /** An event of each day, with a delivery and its attempt, for each enterprise. */
  const writeAsBefore = async (): Promise<void> => {
    for (const enterprise of enterprises) {
      for (const at of [oldDay, lastDay, withoutPartition]) {
        const { rows } = await db.raw<{ rows: { id: number }[] }>(writeAsBeforeSql, {
          at,
          enterprise,
        });
        expect(rows).to.have.length(1);
        await rowsOf(db, attemptAsBeforeSql, [rows[0]?.id]);
      }
    }
  };

  const counts = async () => (await rowsOf<Record<string, number>>(db, countsSql))[0];

  /** Deletes the rows of migrations, as a crash right before them does. */
  const forget = (names: readonly string[]) =>
    rowsOf(db, "DELETE FROM schema_migrations WHERE name = ANY(?)", [names]);

  it("fills all rows, and those that the previous version writes until the next release", async () => {
    expect(await migrateUp(db)).to.deep.equal(early);
    expect(await isSchemaCurrent(db), "the new version is ready").to.equal(true);
    expect(await rowsOf(db, wrongRowsSql)).to.deep.equal([]);
    const all = { events: 6, deliveries: 6, attempts: 6, outbox: 5, dead: 1, tallied: 6 };
    expect(await counts()).to.deep.equal(all);

    await writeAsBefore();
    await rowsOf(db, deadLetterAsBeforeSql, [enterprises[0]]);
    enterprises.push(await anEnterpriseAsBefore());
    expect(await migrateUp(db)).to.deep.equal([late]);
    expect(await rowsOf(db, wrongRowsSql)).to.deep.equal([]);
    expect(await counts()).to.deep.equal({
      ...{ events: 12, deliveries: 12, attempts: 12 },
      ...{ outbox: 10, dead: 2, tallied: 12 },
    });
    expect(await dumpSchema(db)).to.equal(await readFile(schemaFile, "utf8"));
    const thrown = await writeAsBefore().catch((error: unknown) => error);
    expect(String(thrown), "no version may be skipped").to.match(/enterprise_id|ON CONFLICT/u);
  });

  it("removes rows that nothing can reach: those whose delivery or event was deleted", async () => {
    await rowsOf(db, "DELETE FROM deliveries WHERE event_at = ?", [oldDay]);
    await rowsOf(db, "UPDATE outbox SET enterprise_id = NULL");
    await rowsOf(db, "INSERT INTO outbox (event_row_id, occurred_at) VALUES (999, now())");
    await migrateUp(db);
    expect(await rowsOf(db, wrongRowsSql)).to.deep.equal([]);
    expect(await counts()).to.include({ events: 6, attempts: 4, outbox: 5, dead: 1 });
  });

  it("lets the previous version write meanwhile", async () => {
    let isOver = false;
    let rounds = 0;
    const writer = async () => {
      while (!isOver) {
        await writeAsBefore();
        rounds += 1;
      }
    };
    const writers = Promise.all([writer(), writer()]);
    expect(await migrateUp(db)).to.deep.equal(early);
    isOver = true;
    await writers;
    expect(rounds).to.be.above(2);
    expect(await rowsOf(db, wrongRowsSql)).to.deep.equal([]);
    const written = 6 * (rounds + 1);
    expect(await counts()).to.include({ deliveries: written, attempts: written, tallied: written });
  });

  it("continues after a crash in the middle, which left an index without an end", async () => {
    await rowsOf(db, "CREATE UNIQUE INDEX deliveries_pkey_new ON deliveries (id)");
    await rowsOf(db, "CREATE UNIQUE INDEX events_20261001_pkey_new ON events_20261001 (id)");
    await migrateUp(db);
    const again = early.slice(1);
    await forget(again);
    expect(await migrateUp(db), "after their last step").to.deep.equal(again);
    await writeAsBefore();
    expect(await migrateUp(db)).to.deep.equal([late]);
    await forget([late]);
    expect(await migrateUp(db)).to.deep.equal([late]);
    expect(await dumpSchema(db)).to.equal(await readFile(schemaFile, "utf8"));
    expect(await rowsOf(db, wrongRowsSql)).to.deep.equal([]);
  });

  it("fills rows that the previous version moves to a partition meanwhile", async () => {
    await inTransaction(db, (trx) => addColumns.up(trx));
    const holder = await db.transaction();
    await holder.raw("SELECT FROM attempts_20261002 FOR UPDATE");
    const migration = addToDailyKeys.up(db);
    await eventually(async () => {
      const waiting = await rowsOf(
        db,
        `SELECT FROM pg_stat_activity WHERE datname = current_database()
         AND wait_event_type = 'Lock' AND query LIKE 'UPDATE public.attempts_20261002%'`,
      );
      expect(waiting).to.have.length(1);
    });
    const moved = { day: "2026-10-03", isOpen: false };
    expect(await createPartitionFromDefault(db, dailyTables[1], moved)).to.equal(2);
    await holder.commit();
    await migration;
    await addToKeys.up(db);
    expect(await rowsOf(db, wrongRowsSql)).to.deep.equal([]);
    expect(await counts()).to.include({ attempts: 6 });
  });

  it("keeps the index that tallies need during the next release", async () => {
    const idOf = (index: string) =>
      rowsOf(db, "SELECT CAST(CAST(? AS regclass) AS oid) AS id", [index]);
    await migrateUp(db);
    const before = await idOf("delivery_tallies_pkey_new");
    await migrateUp(db);
    expect(await idOf("delivery_tallies_pkey")).to.deep.equal(before);
  });

  it("gives the new key to partitions of both versions", async () => {
    const [events] = dailyTables;
    await migrateUp(db);
    await createPartition(db, events, "2026-10-05");
    await migrateUp(db);
    const keys = await rowsOf<{ key: string }>(
      db,
      `SELECT DISTINCT pg_get_constraintdef(oid) AS key FROM pg_constraint
       WHERE contype = 'p' AND (conrelid = 'events'::regclass OR conparentid <> 0
         AND conrelid IN (SELECT relid FROM pg_partition_tree('events')))`,
    );
    expect(keys.map(({ key }) => key)).to.deep.equal([
      "PRIMARY KEY (id, occurred_at, enterprise_id)",
    ]);
  });

  it("can be reverted, and the previous version goes on", async () => {
    await migrateUp(db);
    await migrateUp(db);
    expect(await migrateDown(db)).to.deep.equal([late]);
    await writeAsBefore();
    expect(await migrateDown(db)).to.deep.equal(early.toReversed());
    expect(await dumpSchema(db)).to.equal(schemaBefore);
    await writeAsBefore();
    expect(await counts()).to.include({ deliveries: 18, attempts: 18, tallied: 18 });
    await migrateUp(db);
    expect(await rowsOf(db, wrongRowsSql)).to.deep.equal([]);
  });
});
