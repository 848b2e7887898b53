import { expect } from "chai";
import { openSession, type Session } from "../../../src/platform/db/connection.ts";
import { lockTimeoutMs, type LockWait } from "../../../src/platform/db/lock-waits.ts";
import { migrateUp } from "../../../src/platform/db/migrate.ts";
import { advisoryLocks, openPool, rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { openReleasePool } from "../../../src/release.ts";
import { cloneTemplate, dropDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { promised } from "../../support/promised.ts";

const newest = "20261130020000_add_agent_to_session_events";
const held = "20261127110200_drop_modified_index";

type Line = { message: string; fields: Partial<LockWait> };

describe("a release while others use its tables", function () {
  this.timeout(30_000);
  let db: Db;
  /** With a name of its own, like the pool of a running process. */
  let reader: Db;
  let name: string;
  let other: Session;
  let lines: Line[];
  const log = { warn: (fields: object, message: string) => void lines.push({ fields, message }) };

  const linesOf = (message: string): Line[] => lines.filter((line) => line.message === message);

  const isApplied = async (migration: string): Promise<boolean> =>
    (await rowsOf(reader, "SELECT FROM schema_migrations WHERE name = ?", [migration])).length > 0;

  /** Whether a release runs. */
  const isLocked = async (): Promise<boolean> => {
    const sql = `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE d.datname = current_database() AND locktype = 'advisory' AND objid = ? AND granted`;
    return (await rowsOf(reader, sql, [advisoryLocks.migration])).length > 0;
  };

  /** The longest of several reads, which queue behind a statement that waits for an exclusive lock. */
  const longestReadMs = async (table: string): Promise<number> => {
    let longestMs = 0;
    const endMs = performance.now() + 1_000;
    while (performance.now() < endMs) {
      const beginMs = performance.now();
      await rowsOf(reader, `SELECT FROM ${table} LIMIT 1`);
      longestMs = Math.max(longestMs, performance.now() - beginMs);
    }
    return longestMs;
  };

  beforeEach(async () => {
    const database = await cloneTemplate();
    name = database.name;
    lines = [];
    db = openReleasePool({ databaseUrl: database.url, log: log as never });
    reader = openPool({ url: database.url, maxConnections: 2, name: "reader" });
    other = await openSession({ url: database.url, name: "other" });
    await other.query("SET idle_in_transaction_session_timeout = 0");
    await rowsOf(db, "ALTER TABLE session_events DROP COLUMN agent_id");
    await rowsOf(db, "DELETE FROM schema_migrations WHERE name = ?", [newest]);
  });
  afterEach(async () => {
    await other.close();
    await Promise.all([db.destroy(), reader.destroy()]);
    await dropDatabase(name);
  });

  it("lets queries pass, says whom it waits for, and succeeds when they have ended", async () => {
    await other.query("BEGIN");
    await other.query("LOCK TABLE session_events IN ACCESS SHARE MODE"); // as pg_dump does
    const [mine] = await other.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const run = migrateUp(db, { log: log as never });
    await eventually(() => expect(linesOf("release.waits_for_lock")).to.not.be.empty);
    const longestMs = await longestReadMs("session_events");
    expect(longestMs).to.be.lessThan(lockTimeoutMs + promised(1_000));
    expect(await isApplied(newest)).to.equal(false);
    await other.query("COMMIT");
    expect(await run).to.include(newest);
    const waits = linesOf("release.waits_for_lock").map(({ fields }) => fields);
    expect(waits, "not one for each attempt").to.have.length(1);
    expect(waits[0]?.table).to.equal("session_events");
    expect(waits[0]?.statement).to.match(/^ALTER TABLE session_events ADD COLUMN agent_id/u);
    expect(waits[0]?.blockedBy?.map(({ pid }) => pid)).to.deep.equal([mine?.pid]);
    expect(waits[0]?.blockedBy?.[0]?.name).to.equal("sightline other");
  });

  it("gives up after a while, and can be run again", async () => {
    await other.query("BEGIN");
    await other.query("LOCK TABLE session_events IN ACCESS SHARE MODE");
    const thrown = await migrateUp(db, { giveUpAfterMs: 1 }).catch((error: unknown) => error);
    expect(String(thrown)).to.match(/in use for \d+ s: run release again/u);
    await other.query("COMMIT");
    expect(await migrateUp(db)).to.include(newest);
  });

  it("ends at a stop, and leaves nothing locked", async () => {
    await other.query("BEGIN");
    await other.query("LOCK TABLE session_events IN ACCESS SHARE MODE");
    const stop = new AbortController();
    const run = migrateUp(db, { signal: stop.signal }).catch((error: unknown) => error);
    await eventually(async () => expect(await isLocked()).to.equal(true));
    stop.abort();
    expect(String(await run)).to.include("AbortError");
    expect(await isLocked()).to.equal(false);
  });

  it("lets queries pass if a migration without a transaction waits", async () => {
    await migrateUp(db);
    await rowsOf(db, "DELETE FROM schema_migrations WHERE name = ?", [held]);
    await other.query("BEGIN");
    await other.query("SELECT FROM tickets");
    const run = migrateUp(db, { log: log as never });
    await eventually(() => expect(linesOf("release.waits_for_lock")).to.not.be.empty);
    expect(await longestReadMs("tickets")).to.be.lessThan(promised(1_000));
    await other.query("COMMIT");
    expect(await run).to.deep.equal([held]);
  });

  it("says which other release it waits for", async () => {
    await other.query("SELECT pg_advisory_lock($1)", [advisoryLocks.migration]);
    const [mine] = await other.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const run = migrateUp(db, { log: log as never });
    await eventually(() => expect(linesOf("release.waits_for_other")).to.not.be.empty);
    await other.query("SELECT pg_advisory_unlock($1)", [advisoryLocks.migration]);
    expect(await run).to.include(newest);
    expect(linesOf("release.waits_for_other").map(({ fields }) => fields.pid)).to.deep.equal([
      mine?.pid,
    ]);
  });
});
