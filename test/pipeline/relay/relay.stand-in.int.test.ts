import { expect } from "chai";
import type { Relay } from "../../../src/pipeline/relay/relay.ts";
import { tryLockShard, wholeOutbox } from "../../../src/pipeline/relay/shards.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { anEvent } from "../../support/factories.ts";
import { readLedger } from "../../support/ledger.ts";
import { useRelays } from "../../support/relays.ts";

// With two shards no batch is by rules, which would take more events than its first 64.
describe("a relay that stands in for another one", () => {
  const database = useDatabase();
  const { setUp, batches, aListener } = useRelays(database);

  /** A webhook all of whose events are dispatched at once. */
  const aWideListener = async () => {
    const listener = await aListener();
    await rowsOf(
      database.db,
      "UPDATE subscription_health SET window_size = 1000 WHERE subscription_id = ?",
      [listener.id],
    );
    return listener;
  };

  const publish = async (enterprise_id: number, count: number): Promise<void> => {
    await database.db.transaction(async (trx) => {
      for (let i = 0; i < count; i += 1) {
        await anEvent(trx, { enterprise_id });
      }
    });
  };

  const begin = (relay: Relay) => {
    const stop = new AbortController();
    const state = { handedOver: 0 };
    const running = relay.standIn(stop.signal, async () => void (state.handedOver += 1));
    const end = async (): Promise<void> => {
      stop.abort();
      await running;
    };
    return { state, end };
  };

  it("fans out when it is woken, and hands over after four full batches in a row", async () => {
    const left: number[] = [];
    const relay = setUp({ shardCount: 2, onDispatch: () => publishAndWake(left.shift() ?? 0) });
    const { enterprise_id, id } = await aWideListener();
    const { state, end } = begin(relay);
    const publishAndWake = async (count: number): Promise<void> => {
      await publish(enterprise_id, count);
      relay.wake([]);
    };
    let expected = 0;
    /** Each batch begins as soon as the one before has ended. */
    const publishInRow = async (counts: readonly number[]): Promise<void> => {
      const [first = 0, ...others] = counts;
      left.push(...others);
      await publishAndWake(first);
      expected += counts.reduce((sum, count) => sum + count, 0);
      await eventually(async () =>
        expect(await readLedger(database.db, id)).to.have.length(expected),
      );
    };
    await publishInRow([1]);
    await publishInRow([64, 64, 64, 1, 64, 64, 64]);
    await publishInRow([1]);
    expect(state.handedOver).to.equal(0);
    await publishInRow([64, 64, 64, 64, 64]); // the last one is heard before the other relay is woken
    await eventually(() => expect(state.handedOver).to.equal(2));
    await end();
  });

  it("counts full batches also when the relay was faster in between", async () => {
    let batchesLeft = 3;
    const publishAndLock = async (): Promise<void> => {
      if (batchesLeft > 0) {
        batchesLeft -= 1;
        await publish(enterprise_id, 64);
        const other = await database.db.transaction();
        expect(await tryLockShard(other, wholeOutbox)).to.equal(true);
        const { begun } = batches;
        const release = async (): Promise<void> => {
          await eventually(() => expect(batches.begun).to.be.at.least(begun + 4));
          await other.rollback();
        };
        void release();
      }
    };
    const relay = setUp({ shardCount: 2, onDispatch: publishAndLock });
    const { enterprise_id } = await aWideListener();
    const { state, end } = begin(relay);
    await publish(enterprise_id, 64);
    relay.wake([]);
    await eventually(() => expect(state.handedOver).to.equal(1));
    expect(batchesLeft).to.equal(0);
    await end();
  });

  it("tries again if the relay holds the lock, and does not see the event yet", async () => {
    const relay = setUp();
    const { enterprise_id, id } = await aListener();
    const { end } = begin(relay);
    const before = batches.begun;
    const other = await database.db.transaction();
    expect(await tryLockShard(other, wholeOutbox)).to.equal(true);
    await anEvent(database.db, { enterprise_id });
    relay.wake([]);
    await eventually(() => expect(batches.begun).to.be.at.least(before + 4));
    await other.rollback();
    await eventually(async () => expect(await readLedger(database.db, id)).to.have.length(1));
    await end();
  });

  it("waits longer each time for an event that is missing", async () => {
    const relay = setUp();
    const { enterprise_id } = await aListener();
    const { id } = await anEvent(database.db, { enterprise_id });
    await rowsOf(database.db, "DELETE FROM events WHERE id = ?", [id]);
    const { end } = begin(relay);
    const before = batches.begun;
    const wokenAt = performance.now();
    relay.wake([]);
    await eventually(() => performance.now() - wokenAt > 700);
    const begun = batches.begun - before;
    await end();
    await rowsOf(database.db, "DELETE FROM outbox");
    // Waits of 20, 40, 80, 160 and 320 ms. Without a longer one, there would be dozens.
    expect(begun).to.be.within(2, 18);
  });

  it("does not poll: another one does", async () => {
    const relay = setUp();
    const { enterprise_id, id } = await aListener();
    const { end } = begin(relay);
    await anEvent(database.db, { enterprise_id });
    await end();
    expect(await readLedger(database.db, id)).to.have.length(0);
    expect(await relay.runOnce()).to.equal(1);
  });

  it("hands over after a fault, and works again when it is woken next", async () => {
    const relay = setUp();
    const { enterprise_id, id } = await aListener();
    const { state, end } = begin(relay);
    await rowsOf(database.db, "ALTER TABLE deliveries RENAME COLUMN object TO object2");
    await anEvent(database.db, { enterprise_id });
    relay.wake([]);
    await eventually(() => expect(state.handedOver).to.equal(1));
    await rowsOf(database.db, "ALTER TABLE deliveries RENAME COLUMN object2 TO object");
    relay.wake([]);
    await eventually(async () => expect(await readLedger(database.db, id)).to.have.length(1));
    await end();
  });
});
