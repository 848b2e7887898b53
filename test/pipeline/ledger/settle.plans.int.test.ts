import { expect } from "chai";
import type { ClaimedDelivery } from "../../../src/pipeline/ledger/claim.ts";
import { enqueueOrClaimDue } from "../../../src/pipeline/ledger/enqueue-due.ts";
import { lockHealth } from "../../../src/pipeline/ledger/health.ts";
import { settleAttempts } from "../../../src/pipeline/ledger/settle.ts";
import { openPool, rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import {
  listDueProbes,
  listDueSubscriptions,
} from "../../../src/pipeline/ledger/due-subscriptions.ts";
import { useDatabase } from "../../support/database.ts";
import { fillDeliveries } from "../../support/explain.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { aSettlement, claimAll, fanOutAll, openLimits, settleAll } from "../../support/ledger.ts";

describe("plans that were kept from an empty ledger", () => {
  let pool: Db;
  after(() => pool.destroy()); // before the database is dropped
  const database = useDatabase();
  before(() => {
    pool = openPool({ url: database.url, maxConnections: 1, name: "test", isIndexedOnly: true });
  });

  /** What this connection has read of `deliveries` so far: index entries, and sequential scans. */
  const reads = async (): Promise<{ entries: number; scans: number }> => {
    await rowsOf(pool, "SELECT pg_stat_force_next_flush()");
    const [row] = await rowsOf<{ entries: number; scans: number }>(
      pool,
      `SELECT (SELECT sum(idx_tup_read)::bigint FROM pg_stat_user_indexes
         WHERE relname = 'deliveries') AS entries,
         (SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'deliveries') AS scans`,
    );
    return row ?? { entries: 0, scans: 0 };
  };

  it("read one delivery for each one that is fanned out, claimed and settled", async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const filters = ["ticket.*"];
    await aSubscription(database.db, { enterprise_id, filters });
    const other = await aSubscription(database.db, { enterprise_id, filters: ["sms.*"] });
    const deliver = async (key: string): Promise<number> => {
      await anEvent(database.db, { enterprise_id, key });
      const claimed = await claimAll(pool, await fanOutAll(pool));
      await settleAll(
        pool,
        claimed.map((one) => aSettlement(one)),
      );
      await listDueSubscriptions(pool, new Date());
      await listDueProbes(pool, new Date());
      return claimed.length;
    };
    expect(await deliver("first"), "with empty tables").to.equal(1);
    await fillDeliveries(database.db, other.id, { state: "sending", count: 3_000, keys: 50 });
    await fillDeliveries(database.db, other.id, { state: "pending", count: 3_000, keys: 50 });
    const before = await reads();
    for (const key of ["second", "third"]) {
      expect(await deliver(key)).to.equal(1);
    }
    const after = await reads();
    expect(after.scans - before.scans).to.equal(0);
    expect(after.entries - before.entries).to.be.lessThan(60);
  });

  it("look for due deliveries of a steady webhook without reading the others", async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["ticket.*"] });
    await rowsOf(database.db, "UPDATE subscription_health SET window_size = 256");
    const keys = ["first", "second", "third"];
    for (const key of keys) {
      await anEvent(database.db, { enterprise_id, key });
    }
    const claimed = await claimAll(database.db, await fanOutAll(database.db));
    const seen = { askedMs: Date.now(), dueMs: Number.NEGATIVE_INFINITY };
    const settle = async (one: ClaimedDelivery): Promise<void> => {
      const { accepted } = await settleAttempts(
        {
          db: pool,
          steady: new Set([id]),
          dueSeen: new Map([[id, seen]]),
          sendDue: () => undefined,
          writeNotices: async () => undefined,
        },
        [aSettlement(one)],
        openLimits(new Date(seen.askedMs)),
      );
      expect(accepted).to.deep.equal([true]);
    };
    await settle(claimed[0]!);
    const later = { count: 3_000, keys: 3_000, createdAt: new Date(seen.askedMs + 3_600_000) };
    for (const state of ["pending", "retry", "delivered"]) {
      await fillDeliveries(database.db, id, { state, ...later });
    }
    const before = await reads();
    await settle(claimed[1]!);
    await settle(claimed[2]!);
    const after = await reads();
    expect(after.scans - before.scans).to.equal(0);
    expect(after.entries - before.entries).to.be.lessThan(10);
  });
});

describe("plans of a large ledger", () => {
  let pool: Db;
  after(() => pool.destroy()); // before the database is dropped
  const database = useDatabase();

  it("look up each delivery of a batch once", async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id });
    const other = await aSubscription(database.db, { enterprise_id });
    await fillDeliveries(database.db, other.id, { state: "pending", count: 20_000, keys: 20_000 });
    await fillDeliveries(database.db, id, { state: "pending", count: 60, keys: 60 });
    await rowsOf(database.db, "UPDATE subscription_health SET window_size = 60");
    await rowsOf(database.db, "ANALYZE deliveries");
    pool = openPool({ url: database.url, maxConnections: 1, name: "test", isIndexedOnly: true });
    const lookUps = async (): Promise<number> => {
      await rowsOf(pool, "SELECT pg_stat_force_next_flush()");
      const [row] = await rowsOf<{ entries: number }>(
        pool,
        `SELECT idx_tup_read AS entries FROM pg_stat_user_indexes
         WHERE indexrelname = 'deliveries_pkey'`,
      );
      return row!.entries;
    };
    const before = await lookUps();
    const { enqueued } = await inTransaction(pool, async (trx) => {
      await lockHealth(trx, [id]);
      return enqueueOrClaimDue(trx, [id], openLimits(), openLimits());
    });
    expect(enqueued).to.have.length(60);
    expect((await lookUps()) - before).to.be.lessThan(130);
  });
});
