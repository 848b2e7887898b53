import { expect } from "chai";
import { toWakeWord } from "../../../src/contracts/events.ts";
import { createPartition, dayOf } from "../../../src/pipeline/ledger/daily-partitions.ts";
import { fanOut } from "../../../src/pipeline/relay/fan-out.ts";
import {
  createSubscriptionSet,
  createRecentKinds,
} from "../../../src/pipeline/relay/subscription-rules.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { openPool, rowsOf, type Db, type Queryable } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { fillDeliveries } from "../../support/explain.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { openLimits } from "../../support/ledger.ts";

describe("plans of the fan-out that were kept from nearly empty tables", () => {
  let pool: Db;
  after(() => pool.destroy()); // before the database is dropped
  const database = useDatabase();
  before(() => {
    pool = openPool({ url: database.url, maxConnections: 1, name: "test", isIndexedOnly: true });
  });

  /**
   * What this connection has read so far: scans of indexes on events, index entries of deliveries.
   */
  const reads = async (): Promise<{ eventLists: number; entries: number }> => {
    await rowsOf(pool, "SELECT pg_stat_force_next_flush()");
    const [row] = await rowsOf<{ eventLists: number; entries: number }>(
      pool,
      `SELECT sum(idx_scan) FILTER (WHERE relname = 'events_default'
           AND indexrelname NOT LIKE '%pkey')::bigint AS "eventLists",
         sum(idx_tup_read) FILTER (WHERE relname = 'deliveries')::bigint AS entries
       FROM pg_stat_user_indexes`,
    );
    return row ?? { eventLists: 0, entries: 0 };
  };

  it("read each event by its key, and no backlog", async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id });
    const set = createSubscriptionSet();
    await set.refresh(pool);
    const kinds = createRecentKinds({
      ...{ db: pool, log: createLogger("silent", "test"), subscriptions: set },
      nowMs: () => 0,
    });
    kinds.add([toWakeWord({ enterpriseId: enterprise_id, object: "ticket", event: "create" })]);
    const range = { limit: 100, afterEventRowId: 0 };
    const deliver = async (): Promise<unknown[]> => {
      await anEvent(database.db, { enterprise_id });
      const byRules = await kinds.fanOut(openLimits());
      await anEvent(database.db, { enterprise_id });
      const { events } = await fanOut(pool, set, range, openLimits());
      return [byRules?.events.length, events?.length];
    };
    await anEvent(database.db, { enterprise_id });
    await rowsOf(database.db, "ANALYZE");
    await fanOut(pool, set, range, openLimits());
    expect(await deliver()).to.deep.equal([1, 1]);
    await fillDeliveries(database.db, id, { state: "delivered", count: 3_000, keys: 50 });
    await rowsOf(
      database.db,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at,
         object, key, state, due_at, waits_for)
       SELECT ?, ?, 100000 + n, -n, now(), 'ticket', 'ticket:busy', 'pending', now(), 99999 + n
       FROM generate_series(1, 3000) AS n`,
      [enterprise_id, id],
    );
    await rowsOf(
      database.db,
      "UPDATE subscription_health SET last_sequence = 200000 WHERE subscription_id = ?",
      [id],
    );
    const before = await reads();
    expect(await deliver()).to.deep.equal([1, 1]);
    const after = await reads();
    expect(after.eventLists).to.equal(0);
    expect(after.entries - before.entries).to.be.lessThan(60);
  });

  for (const count of [1, 2]) {
    it(`open no partition of another day, unless an event is of that day (shards: ${count})`, async () => {
      // Not yesterday: events of an hour ago may be of that day.
      const days = [-4, -3, -2].map((plusDays) => dayOf(new Date(), plusDays));
      for (const day of days) {
        await createPartition(database.db, { table: "events", column: "occurred_at" }, day);
      }
      const { id: enterprise_id } = await anEnterprise(database.db);
      const shard = { index: enterprise_id % count, count };
      /** The partitions whose keys are searched; an index that is not opened is not locked. */
      const openedFor = async (occurred_at: Date): Promise<string[]> => {
        await anEvent(database.db, { enterprise_id, occurred_at });
        const opened: string[] = [];
        const refresh = async (trx: Queryable): Promise<void> => {
          const rows = await rowsOf<{ name: string }>(
            trx,
            `SELECT c.relname AS name FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
             WHERE l.pid = pg_backend_pid() AND c.relname LIKE 'events\\_%\\_pkey'`,
          );
          opened.push(...rows.map(({ name }) => name));
        };
        const set = { ...createSubscriptionSet(), refresh };
        const range = { limit: 100, afterEventRowId: 0, shard };
        expect((await fanOut(pool, set, range, openLimits())).events).to.have.length(1);
        return opened;
      };
      const namesOf = (some: readonly string[]): string[] =>
        some.map((day) => `events_${day.replaceAll("-", "")}_pkey`);
      await openedFor(new Date()); // the planner opens all of them once
      const opened = await openedFor(new Date());
      expect(opened).to.include("events_default_pkey");
      expect(opened.filter((name) => namesOf(days).includes(name))).to.deep.equal([]);
      expect(await openedFor(new Date(days[0]!))).to.include.members(namesOf(days));
    });
  }
});
