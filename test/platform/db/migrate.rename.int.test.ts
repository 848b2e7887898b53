import { readFile } from "node:fs/promises";
import { expect } from "chai";
import type { Knex } from "knex";
import * as addNewNames from "../../../migrations/20261127100000_add_new_names.ts";
import * as addNotifiedColumns from "../../../migrations/20261127120000_add_notified_columns.ts";
import * as renameToldColumns from "../../../migrations/20261127120100_rename_told_columns.ts";
import * as renameOldNames from "../../../migrations/20261127100100_rename_old_names.ts";
import {
  createPartition,
  dailyTables,
  listDayPartitions,
} from "../../../src/pipeline/ledger/daily-partitions.ts";
import { openSession, type Session } from "../../../src/platform/db/connection.ts";
import { isSchemaCurrent, migrateUp, migrationStatus } from "../../../src/platform/db/migrate.ts";
import { advisoryLocks, openPool, rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { preparedRowsOf } from "../../../src/platform/db/prepared.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { createEmptyDatabase, dropDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";
import { dumpSchema } from "../../support/schema-dump.ts";

const schemaFile = new URL("../../../migrations/schema.sql", import.meta.url);
const first = "20261127100000_add_new_names";
const second = "20261127100100_rename_old_names";

type Migration = { down: (knex: Knex) => Promise<void> };

/** A database without the given migrations, the last one first, and a connection like an old one. */
async function createDatabaseBefore(
  migrations: Readonly<Record<string, Migration>>,
): Promise<{ db: Db; name: string; old: Session }> {
  const { name, url } = await createEmptyDatabase();
  const db = openPool({ url, maxConnections: 3, name: "test" });
  await migrateUp(db);
  await inTransaction(db, async (trx) => {
    await trx.raw("SET LOCAL search_path TO public");
    for (const { down } of Object.values(migrations)) {
      await down(trx);
    }
    await trx.raw("DELETE FROM schema_migrations WHERE name = ANY(?)", [Object.keys(migrations)]);
  });
  await anEnterprise(db);
  return { db, name, old: await openSession({ url, name: "test" }) };
}

describe("a release that renames", () => {
  let db: Db;
  let name: string;
  /** A connection of the previous version, or of psql. */
  let old: Session;

  beforeEach("restore the schema of the previous version", async () => {
    ({ db, name, old } = await createDatabaseBefore({
      [second]: renameOldNames,
      [first]: addNewNames,
    }));
    await old.query(insertEventSql("message_id"), ["evt_before"]);
  });
  afterEach(async () => {
    await old.close();
    await db.destroy();
    await dropDatabase(name);
  });

  const eventIds = async (): Promise<string[]> => {
    const rows = await preparedRowsOf<{ event_id: string }>(db, selectEventsSql, ["evt_%"]);
    return rows.map((row) => row.event_id);
  };
  const hasViews = async (): Promise<boolean> =>
    (await rowsOf(db, "SELECT FROM pg_namespace WHERE nspname = 'sightline_next'")).length > 0;

  it("lets both versions work on the same rows, and renames in a later run", async () => {
    expect(await migrateUp(db)).to.deep.equal([first]);
    expect((await migrationStatus(db)).pending).to.deep.equal([second]);
    expect(await isSchemaCurrent(db), "the new version is ready").to.equal(true);

    await rowsOf(db, insertEventSql("event_id").replace("$1", "?"), ["evt_new"]);
    await old.query(insertEventSql("message_id"), ["evt_old"]);
    expect(await eventIds()).to.deep.equal(["evt_before", "evt_new", "evt_old"]);
    expect(await old.query("SELECT message_id FROM events ORDER BY id")).to.have.length(3);
    await expectBothToShareTasks(db, old);

    expect(await migrateUp(db)).to.deep.equal([second]);
    expect(await eventIds(), "on connections that prepared the statement before").to.have.length(3);
    expect(await hasViews()).to.equal(false);
    expect(await dumpSchema(db)).to.equal(await readFile(schemaFile, "utf8"));
  });

  it("makes partitions in between, whose indexes are renamed too", async () => {
    const [events] = dailyTables;
    await createPartition(db, events, "2031-03-01");
    await migrateUp(db);
    await createPartition(db, events, "2031-03-02");
    const partitions = await listDayPartitions(db, events);
    expect(partitions.map(({ name: one }) => one)).to.deep.equal([
      "events_20310301",
      "events_20310302",
    ]);
    await migrateUp(db);
    const indexes = await rowsOf<{ name: string }>(
      db,
      `SELECT indexname AS name FROM pg_indexes WHERE indexname ~ '(message|event)_id_idx$'
       ORDER BY 1`,
    );
    expect(indexes.map((row) => row.name)).to.deep.equal([
      ...["events_20310301_event_id_idx", "events_20310302_event_id_idx"],
      "events_default_event_id_idx",
    ]);
  });

  it("counts runs of the same replacement of the processes as one", async () => {
    const replacementBeganAt = new Date();
    expect(await migrateUp(db, { replacementBeganAt })).to.deep.equal([first]);
    expect(await migrateUp(db, { replacementBeganAt })).to.deep.equal([]);
    expect(await migrateUp(db, { replacementBeganAt: new Date() })).to.deep.equal([second]);
  });

  it("counts runs at the same time as one", async () => {
    const applied = await Promise.all([migrateUp(db), migrateUp(db)]);
    expect(applied.flat()).to.deep.equal([first]);
    expect(await hasViews()).to.equal(true);
  });

  it("counts a run that starts during another one as the same", async () => {
    expect(await migrateUp(db)).to.deep.equal([first]);
    await old.query("SELECT pg_advisory_lock($1)", [advisoryLocks.migration]); // and goes on
    const run = migrateUp(db);
    await eventually(async () => {
      expect(await old.query(waitingRunsSql)).to.have.length(1);
    });
    await old.query("SELECT pg_advisory_unlock($1)", [advisoryLocks.migration]);
    expect(await run).to.deep.equal([]);
    expect(await migrateUp(db)).to.deep.equal([second]);
  });

  it("lets writers pass while it waits for a long transaction", async () => {
    await migrateUp(db);
    await old.query("BEGIN");
    await old.query("SELECT FROM tasks");
    const renaming = migrateUp(db);
    await eventually(async () => (await rowsOf(db, waitingSql)).length > 0);
    const beginMs = performance.now();
    await rowsOf(db, insertEventSql("event_id").replace("$1", "?"), ["evt_passing"]);
    expect(performance.now() - beginMs).to.be.lessThan(1_000);
    expect((await migrationStatus(db)).pending).to.deep.equal([second]);
    await old.query("COMMIT");
    expect(await renaming).to.deep.equal([second]);
    expect(await eventIds()).to.include("evt_passing");
  });

  it("reverts to the views", async () => {
    await migrateUp(db);
    await migrateUp(db);
    await inTransaction(db, async (trx) => {
      await trx.raw("SET LOCAL search_path TO public");
      await renameOldNames.down(trx);
    });
    expect(await eventIds()).to.deep.equal(["evt_before"]);
    expect(await old.query("SELECT message_id FROM events")).to.have.length(1);
  });
});

describe("a later release that renames", () => {
  const early = "20261127120000_add_notified_columns";
  const late = "20261127120100_rename_told_columns";
  let db: Db;
  let name: string;
  let subscriptionId: number;
  /** A connection of the previous version, which searches the views of the rename before. */
  let old: Session;

  beforeEach("restore the schema of the previous version", async () => {
    ({ db, name, old } = await createDatabaseBefore({
      [late]: renameToldColumns,
      [early]: addNotifiedColumns,
    }));
    const { id: enterpriseId } = await anEnterprise(db);
    subscriptionId = (await aSubscription(db, { enterprise_id: enterpriseId })).id;
    await old.query("SET search_path TO sightline_next, public");
    await old.query(upsertAlertSql("behind_told_at"), [subscriptionId]);
  });
  afterEach(async () => {
    await old.close();
    await db.destroy();
    await dropDatabase(name);
  });

  const upsertAsNew = () =>
    preparedRowsOf(db, upsertAlertSql("behind_notified_at").replace("$1", "?"), [subscriptionId]);
  const selectAsNew = () =>
    preparedRowsOf<{ is_behind_notified: boolean; behind_notified_at: Date }>(
      db,
      `SELECT is_behind_notified, behind_notified_at FROM alert_states
       WHERE subscription_id = ? FOR UPDATE`,
      [subscriptionId],
    );

  it("lets both versions work on the same rows, and renames in a later run", async () => {
    expect(await migrateUp(db)).to.deep.equal([early]);
    expect((await migrationStatus(db)).pending).to.deep.equal([late]);
    expect(await isSchemaCurrent(db), "the new version is ready").to.equal(true);

    await upsertAsNew();
    await old.query(upsertAlertSql("behind_told_at"), [subscriptionId]);
    const [row] = await selectAsNew();
    expect(row).to.deep.include({ is_behind_notified: false });
    expect(await old.query("SELECT behind_told_at AS at FROM alert_states")).to.deep.equal([
      { at: row?.behind_notified_at },
    ]);

    expect(await migrateUp(db)).to.deep.equal([late]);
    expect(await selectAsNew(), "on a connection that prepared it before").to.deep.equal([row]);
    await upsertAsNew();
    expect(await dumpSchema(db)).to.equal(await readFile(schemaFile, "utf8"));
  });

  it("reverts to the view", async () => {
    await migrateUp(db);
    await migrateUp(db);
    await inTransaction(db, async (trx) => {
      await trx.raw("SET LOCAL search_path TO public");
      await renameToldColumns.down(trx);
    });
    expect(await selectAsNew()).to.have.length(1);
    expect(await old.query("SELECT behind_told_at FROM alert_states")).to.have.length(1);
  });
});

describe("the schema", () => {
  let schema = "";
  before("read it", async () => {
    schema = await readFile(schemaFile, "utf8");
  });

  it("has none of the words that have a better known one", () => {
    const lines = schema
      .split("\n")
      .filter((line) => /\blane\b|_lane_|\bstays\b|\bstays_|_told/u.test(line));
    expect(lines).to.deep.equal([]);
  });

  it("calls the id of an event event_id, and the number of its row event_row_id", () => {
    expect(schema.match(/\bevent_id (?!text)\w+/gu)).to.equal(null);
    expect(schema.match(/\bevent_row_id (?!bigint)\w+/gu)).to.equal(null);
    expect(schema.match(/\bmessage_id (?!bigint)\w+/gu), "that of a mail or SMS").to.equal(null);
  });
});

function insertEventSql(column: string): string {
  return `INSERT INTO events (${column}, enterprise_id, object, event, object_id, key, body)
    VALUES ($1, 1, 'ticket', 'update', '1', 'ticket:1', '{}')`;
}

const selectEventsSql = "SELECT event_id FROM events WHERE event_id LIKE ? ORDER BY id";

const waitingRunsSql = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
  AND pid <> pg_backend_pid() AND query LIKE 'SELECT pg_try_advisory_lock%'`;

const waitingSql = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Uses the views like the code uses its tables: upsert, lock, return deleted rows. */
async function expectBothToShareTasks(db: Db, old: Session): Promise<void> {
  const { id: enterpriseId } = await anEnterprise(db);
  await old.query(upsertTaskSql("lane", enterpriseId));
  await rowsOf(db, upsertTaskSql("queue", enterpriseId));
  expect(await old.query("SELECT lane, attempts FROM tasks")).to.deep.equal([
    { lane: "timers", attempts: 7 },
  ]);
  await inTransaction(db, async (trx) => {
    const lockSql = "FROM tasks FOR UPDATE SKIP LOCKED";
    expect(await rowsOf(trx, `SELECT queue ${lockSql}`)).to.deep.equal([{ queue: "timers" }]);
    expect(await old.query(`SELECT lane ${lockSql}`)).to.deep.equal([]);
  });
  await old.query(`INSERT INTO outbox (event_id, occurred_at, enterprise_id)
     SELECT id, occurred_at, enterprise_id FROM events`);
  const taken = await rowsOf<{ event_row_id: number }>(
    db,
    `DELETE FROM outbox o USING events e WHERE e.id = o.event_row_id AND e.event_id = 'evt_old'
     RETURNING o.event_row_id`,
  );
  expect(taken).to.have.length(1);
  expect(await old.query("SELECT event_id FROM outbox")).to.have.length(2);
}

function upsertAlertSql(column: string): string {
  return `INSERT INTO alert_states (subscription_id, enterprise_id, ${column})
    SELECT id, enterprise_id, clock_timestamp() FROM subscriptions WHERE id = $1
    ON CONFLICT (subscription_id) DO UPDATE SET ${column} = excluded.${column}`;
}

function upsertTaskSql(column: string, enterpriseId: number): string {
  return `INSERT INTO tasks (${column}, kind, key, enterprise_id, due_at)
    VALUES ('timers', 'ticket.age', 'ticket:1', ${enterpriseId}, now())
    ON CONFLICT (kind, key) WHERE state IN ('waiting', 'queued', 'running') DO UPDATE
    SET due_at = excluded.due_at, attempts = tasks.attempts + 7`;
}
