import { expect } from "chai";
import {
  countRequests,
  deleteInboxRequests,
  deleteOldInboxRequests,
  insertRequests,
  listRequests,
} from "../../src/inbox/store.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

const everything = { after: 0, before: Number.MAX_SAFE_INTEGER };
const large = 250 * 1024;

describe("inbox store", () => {
  const database = useDatabase();
  let key: string;
  beforeEach(() => {
    key = randomIds.base62(22);
  });

  const add = (bodies: readonly string[], to = key): Promise<void> =>
    insertRequests(
      database.db,
      bodies.map((body) => ({ key: to, headers: [["Host", "a"]], body, isVerified: null })),
    );
  const list = (range: object) =>
    listRequests(database.db, key, { ...everything, limit: 100, ...range });

  it("lists at most 4 MB per page, and everything over all pages", async () => {
    await add(Array.from({ length: 40 }, (_, n) => `${n}`.padEnd(large, "x")));
    const seen: number[] = [];
    let before = Number.MAX_SAFE_INTEGER;
    let hasMore = true;
    while (hasMore) {
      const page = await list({ before });
      const weight = page.requests.reduce((sum, { body }) => sum + body.length, 0);
      expect(weight).to.be.within(large, 4 * 1024 * 1024);
      seen.push(...page.requests.map(({ body }) => Number.parseInt(body, 10)));
      before = page.requests.at(-1)?.id ?? 0;
      ({ hasMore } = page);
    }
    expect(seen).to.deep.equal(Array.from({ length: 40 }, (_, n) => 39 - n));
  });

  it("measures bodies as encoded in the answer, and lists at least one", async () => {
    await add(["\u0001".repeat(large), "\u0001".repeat(large), "\u0001".repeat(large)]);
    expect((await list({})).requests).to.have.length(2);
    await add(["\u0001".repeat(1024 * 1024)]);
    expect((await list({})).requests).to.have.length(1);
  });

  it("reports whether the range has more than the limit", async () => {
    await add(["1", "2", "3"]);
    expect(await list({ limit: 2 })).to.include({ hasMore: true });
    const { requests, hasMore } = await list({ limit: 3 });
    expect(requests.map(({ body }) => body)).to.deep.equal(["3", "2", "1"]);
    expect(hasMore).to.equal(false);
    expect(await list({ after: requests[0]?.id })).to.deep.equal({ requests: [], hasMore: false });
  });

  it("deletes the requests of one inbox", async () => {
    const other = randomIds.base62(22);
    await add(["1", "2"]);
    await add(["3"], other);
    await deleteInboxRequests(database.db, key);
    expect(await countRequests(database.db, key)).to.equal(0);
    expect(await countRequests(database.db, other)).to.equal(1);
  });

  it("deletes requests older than a time, in every inbox", async () => {
    await rowsOf(database.db, "DELETE FROM inbox_requests");
    await rowsOf(
      database.db,
      `INSERT INTO inbox_requests (inbox_key, headers, body, received_at)
       VALUES (?, '[]', 'old', '2026-01-01Z'), ('other', '[]', 'old', '2026-01-02Z'),
         (?, '[]', 'new', '2026-01-03Z')`,
      [key, key],
    );
    const horizon = new Date("2026-01-03T00:00:00Z");
    expect(await deleteOldInboxRequests(database.db, horizon)).to.equal(2);
    expect((await list({})).requests.map(({ body }) => body)).to.deep.equal(["new"]);
    expect(await countRequests(database.db, "other")).to.equal(0);
    expect(await deleteOldInboxRequests(database.db, horizon)).to.equal(0);
  });

  it("shows the requests of several processes in the order of their ids", async () => {
    const held = 7;
    await database.db.raw(`
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_advisory_xact_lock(${held}); RETURN NULL; END';
      CREATE TRIGGER hold AFTER INSERT ON inbox_requests
        FOR EACH ROW WHEN (NEW.body = 'slow') EXECUTE FUNCTION hold()`);
    const waitingSql = `
      SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`;
    const waiting = async (): Promise<number> => (await rowsOf(database.db, waitingSql)).length;
    let isStored = false;
    const { writes, seen } = await inTransaction(database.db, async (trx) => {
      await rowsOf(trx, "SELECT pg_advisory_xact_lock(?)", [held]);
      const slow = add(["slow"]);
      await eventually(async () => (await waiting()) === 1);
      const fast = add(["fast"]).then(() => {
        isStored = true;
      });
      await eventually(async () => isStored || (await waiting()) === 2);
      return { writes: [slow, fast], seen: (await list({})).requests };
    });
    await Promise.all(writes);
    const { requests } = await list({ after: seen[0]?.id ?? 0 });
    const bodies = [...requests, ...seen].map(({ body }) => body);
    expect(bodies).to.deep.equal(["fast", "slow"]);
    await database.db.raw("DROP TRIGGER hold ON inbox_requests; DROP FUNCTION hold()");
  });
});
