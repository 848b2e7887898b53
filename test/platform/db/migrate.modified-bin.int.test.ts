import { expect } from "chai";
import * as addModifiedBin from "../../../migrations/20261127110000_add_modified_bin.ts";
import * as fillModifiedBin from "../../../migrations/20261127110100_fill_modified_bin.ts";
import * as dropModifiedIndex from "../../../migrations/20261127110200_drop_modified_index.ts";
import {
  isSchemaCurrent,
  migrateDown,
  migrateUp,
  migrationStatus,
} from "../../../src/platform/db/migrate.ts";
import { openPool, rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { createEmptyDatabase, dropDatabase } from "../../support/database.ts";
import { aTicketFixture, type TicketFixture } from "../../support/tickets.ts";

const early = ["20261127110000_add_modified_bin", "20261127110100_fill_modified_bin"];
const late = "20261127110200_drop_modified_index";

/** More than a batch of the migration. */
const ticketCount = 5_003;

describe("a release that orders tickets by the five minutes of their last change", () => {
  let db: Db;
  let name: string;
  let fixture: TicketFixture;

  beforeEach("restore the schema of the previous version, with tickets", async () => {
    const database = await createEmptyDatabase();
    name = database.name;
    db = openPool({ url: database.url, maxConnections: 4, name: "test" });
    await migrateUp(db);
    await dropModifiedIndex.down(db);
    await fillModifiedBin.down(db);
    await addModifiedBin.down(db);
    await rowsOf(db, "DELETE FROM schema_migrations WHERE name = ANY(?)", [[...early, late]]);
    fixture = await aTicketFixture(db);
    await insertTickets(ticketCount);
  });
  afterEach(async () => {
    await db.destroy();
    await dropDatabase(name);
  });

  /** As the previous version does, each a minute after the one before. */
  const insertTickets = (count: number) =>
    rowsOf(
      db,
      `WITH places AS (
         INSERT INTO conversations (uid, enterprise_id, created_at)
         SELECT gen_random_uuid(), ?, now() FROM generate_series(1, ?) RETURNING id)
       INSERT INTO tickets (enterprise_id, conversation_id, service_id, button_id, state,
         requestor_email, requestor_secret, information_code, start_time, end_time, modified_at)
       SELECT ?, id, ?, ?, 'opened', 'a@example.com', 'secret ' || id, 'code ' || id, now(), now(),
         timestamptz '2026-01-01 00:00:00.123456Z' + id * interval '1 minute'
       FROM places`,
      [fixture.enterpriseId, count, fixture.enterpriseId, fixture.service.id, fixture.buttonId],
    );

  const wrongTickets = () =>
    rowsOf(
      db,
      `SELECT id FROM tickets WHERE modified_bin IS DISTINCT FROM
         date_bin('5 minutes', modified_at, timestamptz '2000-01-01 00:00:00Z')`,
    );

  const isValid = async (index: string) => {
    const [row] = await rowsOf<{ indisvalid: boolean }>(
      db,
      "SELECT indisvalid FROM pg_index WHERE indexrelid = CAST(? AS regclass)",
      [index],
    );
    return row?.indisvalid;
  };

  const changeAsBefore = () =>
    rowsOf(
      db,
      `UPDATE tickets SET modified_at = modified_at + interval '1 day'
       WHERE id IN (SELECT min(id) FROM tickets)`,
    );

  it("fills all tickets, and those that the previous version creates and changes", async () => {
    expect(await migrateUp(db)).to.deep.equal(early);
    expect((await migrationStatus(db)).pending).to.deep.equal([late]);
    expect(await isSchemaCurrent(db), "the new version is ready").to.equal(true);
    expect(await wrongTickets()).to.deep.equal([]);

    await insertTickets(10);
    await changeAsBefore();
    expect(await wrongTickets()).to.deep.equal([]);

    expect(await migrateUp(db)).to.deep.equal([late]);
    const thrown = await changeAsBefore().catch((error: unknown) => error);
    expect(String(thrown)).to.include("tickets_modified_bin_check");
  });

  it("can be run by several processes at once", async () => {
    const applied = await Promise.all([migrateUp(db), migrateUp(db), migrateUp(db)]);
    expect(applied.flat()).to.deep.equal(early);
    expect(await isValid("tickets_modified_bin")).to.equal(true);
  });

  it("builds the old index again when it is reverted, after a crash in the middle", async () => {
    await migrateUp(db);
    await migrateUp(db);
    await rowsOf(db, "CREATE INDEX tickets_modified ON tickets (id)");
    await rowsOf(
      db,
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'tickets_modified'::regclass",
    );
    expect(await migrateDown(db)).to.deep.equal([late]);
    expect(await isValid("tickets_modified")).to.equal(true);
    await changeAsBefore();
    expect(await wrongTickets()).to.deep.equal([]);
  });

  it("continues after a crash in the middle", async () => {
    await migrateUp(db);
    await rowsOf(db, "DELETE FROM schema_migrations WHERE name = ?", [early[1]]);
    await rowsOf(db, "ALTER TABLE tickets DISABLE TRIGGER set_modified_bin");
    await rowsOf(db, "UPDATE tickets SET modified_bin = NULL WHERE id % 2 = 0");
    await rowsOf(db, "ALTER TABLE tickets ENABLE TRIGGER set_modified_bin");
    expect(await migrateUp(db)).to.include(early[1]);
    expect(await wrongTickets()).to.deep.equal([]);
  });

  it("continues after a crash that left Knex's own lock", async () => {
    await rowsOf(db, "UPDATE schema_migrations_lock SET is_locked = 1");
    expect(await migrateUp(db)).to.deep.equal(early);
    await rowsOf(db, "UPDATE schema_migrations_lock SET is_locked = 1");
    expect(await migrateDown(db), "all of the same run").to.deep.equal(early.toReversed());
  });

  it("continues after a crash between a migration and its row in schema_migrations", async () => {
    await rowsOf(
      db,
      `ALTER TABLE schema_migrations ADD CONSTRAINT crash CHECK (name <> '${early[0]}') NOT VALID`,
    );
    const thrown = await migrateUp(db).catch((error: unknown) => error);
    expect(String(thrown)).to.include("crash");
    await rowsOf(db, "ALTER TABLE schema_migrations DROP CONSTRAINT crash");
    expect(await migrateUp(db)).to.deep.equal(early);
  });
});
