import { expect } from "chai";
import { createSettlements } from "../../../src/pipeline/delivery/settlements.ts";
import type { ClaimedDelivery } from "../../../src/pipeline/ledger/claim.ts";
import type { Settlement } from "../../../src/pipeline/ledger/record-results.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { aSettlement, claimAll, fanOutAll, openLimits } from "../../support/ledger.ts";

/** Longer than a test: what waits is stored only for another reason. */
const patienceMs = 600_000;

const concurrency = 10;

describe("results of a worker, one by one", () => {
  const database = useDatabase();
  const now = { ms: 0, freeSlots: concurrency };

  /** Deliveries of a webhook whose window is full-sized, ordered by these keys. */
  const claimOf = async (keys: readonly string[]): Promise<ClaimedDelivery[]> => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, {
      ...{ enterprise_id, filters: ["*"], is_ordered: true },
    });
    const sql = "UPDATE subscription_health SET window_size = ? WHERE subscription_id = ?";
    await rowsOf(database.db, sql, [openLimits().maxInFlight, id]);
    for (const key of keys) {
      await anEvent(database.db, { enterprise_id, key });
    }
    return claimAll(database.db, await fanOutAll(database.db));
  };

  /** Has stored two results of the webhook, so that it is known to be steady, with nothing due. */
  const begin = async (keys: readonly string[] = ["c", "d", "e", "f"]) => {
    Object.assign(now, { ms: 0, freeSlots: concurrency });
    const batches = { stored: 0 };
    const settlements = createSettlements({
      db: database.db,
      concurrency,
      patienceMs,
      nowMs: () => now.ms,
      freeSlots: () => now.freeSlots,
      writeNotices: async () => undefined,
      dispatcher: { limits: openLimits, dispatch: async () => undefined },
      log: createLogger("silent", "test"),
      leaseMs: 60_000,
      pace: () => "full",
      send: () => undefined,
      signal: new AbortController().signal,
      faultPoint: (name) => {
        batches.stored += name === "delivery.afterSettle" ? 1 : 0;
      },
    });
    const [first, second, ...others] = await claimOf(["a", "b", ...keys]);
    await settlements.add(aSettlement(first!));
    await settlements.add(aSettlement(second!));
    settlements.noteDispatch();
    batches.stored = 0;
    const add = (index: number, more: Partial<Settlement> = {}) =>
      settlements.add(aSettlement(others[index]!, more));
    return { settlements, batches, add };
  };

  it("wait for each other, until one comes that cannot wait", async () => {
    const { batches, add } = await begin();
    const failed = { state: "retry", dueAt: new Date(Date.now() + 60_000) } as const;
    const stored = [add(0), add(1), add(2, failed)];
    expect(await Promise.all(stored)).to.deep.equal([true, true, true]);
    expect(batches.stored).to.equal(1);
  });

  it("are stored at once when a delivery may wait for them, and those of the next second too", async () => {
    const { settlements, batches, add } = await begin();
    const stored = [add(0), add(1)];
    settlements.hurry();
    await Promise.all(stored);
    expect(batches.stored).to.equal(1);
    now.ms = 999;
    settlements.noteDispatch();
    await add(2);
    expect(batches.stored).to.equal(2);
    now.ms = 1_000;
    const last = add(3);
    settlements.hurry();
    await last;
  });

  it("wait only while the relay of this process dispatches", async () => {
    const { batches, add } = await begin();
    now.ms = 1_000;
    await add(0);
    expect(batches.stored).to.equal(1);
  });

  it("wait only while most slots are free", async () => {
    const { batches, add } = await begin();
    now.freeSlots = concurrency / 2 - 1;
    await add(0);
    expect(batches.stored).to.equal(1);
  });

  it("wait only while nothing is due", async () => {
    const { settlements, batches, add } = await begin(["c", "c", "e"]);
    const first = add(0);
    settlements.hurry();
    await first; // lets its successor go, which then is due
    now.ms = 1_000;
    settlements.noteDispatch();
    await add(1);
    expect(batches.stored).to.equal(2);
  });
});
