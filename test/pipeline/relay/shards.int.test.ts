import { expect } from "chai";
import { createOutbox } from "../../../src/pipeline/outbox/append.ts";
import { FanOutError } from "../../../src/pipeline/relay/fan-out.ts";
import type { BatchDeps } from "../../../src/pipeline/relay/batches.ts";
import { createRelay } from "../../../src/pipeline/relay/relay.ts";
import {
  listBusyShards,
  listShards,
  tryLockShard,
  type Shard,
} from "../../../src/pipeline/relay/shards.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { randomIds } from "../../../src/platform/ids.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";
import { listOrderFaults, openLimits } from "../../support/ledger.ts";
import { aTicketEvent } from "../../support/pipeline.ts";

describe("the shards of the outbox", () => {
  const database = useDatabase();
  const outbox = createOutbox({
    ...{ ids: randomIds, clock: systemClock, maxBytes: 262_144 },
    ...{ wake: () => undefined, faultPoint: () => undefined },
  });

  const canLock = (shard: Shard): Promise<boolean> =>
    inTransaction(database.db, (trx) => tryLockShard(trx, shard));

  it("are locked by one relay each, and exclude those of other counts that share an enterprise", async () => {
    const held = { index: 1, count: 4 };
    await inTransaction(database.db, async (trx) => {
      expect(await tryLockShard(trx, held)).to.equal(true);
      for (const count of [1, 2, 4, 8, 16]) {
        for (const shard of listShards(count)) {
          const won = await canLock(shard);
          const smaller = Math.min(count, held.count);
          const isShared = shard.index % smaller === held.index % smaller;
          expect(won, `${shard.index} of ${count}`).to.equal(!isShared);
        }
      }
    });
    expect(await canLock(held)).to.equal(true);
  });

  it("are tried if they have events", async () => {
    const { db } = database;
    const shards = listShards(4);
    expect(await listBusyShards(db, shards)).to.deep.equal([]);
    const { id } = await anEnterprise(db);
    await inTransaction(db, (trx) => outbox.append(trx, [aTicketEvent(id, 1)]));
    expect(await listBusyShards(db, shards)).to.deep.equal([{ index: id % 4, count: 4 }]);
    await rowsOf(db, "DELETE FROM outbox");
    await rowsOf(db, "DELETE FROM events");
  });

  const aCustomer = async () => {
    const { id: enterprise } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id: enterprise });
    return { enterprise, subscription: id };
  };
  type TestCustomer = Awaited<ReturnType<typeof aCustomer>>;

  /** Three changes of one ticket and one of another. */
  const publish = async ({ enterprise }: TestCustomer): Promise<void> => {
    const keys = [1, 2, 1, 1];
    await inTransaction(database.db, (trx) =>
      outbox.append(
        trx,
        keys.map((ticket) => aTicketEvent(enterprise, ticket)),
      ),
    );
  };

  const createTestRelay = (shardCount: number, more: Partial<BatchDeps> = {}) =>
    createRelay({
      db: database.db,
      dispatcher: { limits: () => openLimits(), dispatch: async () => undefined },
      log: createLogger("silent", "test"),
      shardCount,
      faultPoint: () => undefined,
      onEvents: () => undefined,
      onPending: () => undefined,
      ...more,
    });

  const startRelay = (shardCount: number) => {
    const stop = new AbortController();
    const state = { events: 0 };
    const relay = createTestRelay(shardCount, {
      onEvents: ({ length }) => (state.events += length),
    });
    const running = relay.run(stop.signal);
    return {
      state,
      wake: () => relay.wake([]),
      stop: async () => {
        stop.abort();
        await running;
      },
    };
  };

  const countOf = async (table: string): Promise<number> =>
    (await rowsOf<{ count: number }>(database.db, `SELECT count(*) AS count FROM ${table}`))[0]
      ?.count ?? 0;

  it("do not wait for one with an event that breaks its batches, which becomes a dead letter", async () => {
    const { db } = database;
    const customers = await Promise.all(Array.from({ length: 8 }, aCustomer));
    await rowsOf(db, "ALTER TABLE deliveries ADD CONSTRAINT poison CHECK (key <> 'ticket:666')");
    const relay = createTestRelay(4);
    const [first] = customers;
    const inOtherShards = customers.filter(
      ({ enterprise }) => enterprise % 4 !== (first?.enterprise ?? 0) % 4,
    );
    await inTransaction(db, (trx) =>
      outbox.append(
        trx,
        [666, 1].map((ticket) => aTicketEvent(first?.enterprise ?? 0, ticket)),
      ),
    );
    await Promise.all(customers.map((customer) => publish(customer)));
    const failure = await relay.runOnce().catch((thrown: unknown) => thrown);
    expect(failure).to.be.instanceOf(FanOutError);
    expect(await countOf("deliveries")).to.equal(4 * inOtherShards.length);
    await eventually(async () => {
      await relay.runOnce();
      expect(await countOf("outbox")).to.equal(0);
    });
    expect(await countOf("outbox_dead")).to.equal(1);
    expect(await countOf("deliveries")).to.equal(4 * customers.length + 1);
    await rowsOf(db, "ALTER TABLE deliveries DROP CONSTRAINT poison");
    await rowsOf(db, "TRUNCATE deliveries, events, outbox_dead");
  });

  for (const { title, counts } of [
    { title: "two relays of four shards", counts: [4, 4] },
    { title: "relays that disagree about the count, while it is being changed", counts: [1, 2, 4] },
  ]) {
    it(`keeps order and contiguous sequences: ${title}`, async function () {
      this.timeout(60_000);
      const customers = await Promise.all(Array.from({ length: 24 }, aCustomer));
      const relays = counts.map(startRelay);
      try {
        for (let round = 0; round < 100; round += 1) {
          await Promise.all(customers.map((customer) => publish(customer)));
          relays.forEach(({ wake }) => wake());
          if (round >= 10 && relays.every(({ state }) => state.events > 0)) {
            break;
          }
        }
        await eventually(async () => expect(await countOf("outbox")).to.equal(0), {
          timeoutMs: 20_000,
        });
      } finally {
        await Promise.all(relays.map((relay) => relay.stop()));
      }
      const ids = customers.map(({ subscription }) => subscription);
      expect(await listOrderFaults(database.db, ids)).to.deep.equal([]);
      expect(await countOf("deliveries")).to.equal(await countOf("events"));
      relays.forEach(({ state }) => expect(state.events).to.be.greaterThan(0));
    });
  }
});
