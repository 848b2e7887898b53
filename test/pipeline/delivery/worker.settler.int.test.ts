import { expect } from "chai";
import { createSettler, type SettlerDeps } from "../../../src/pipeline/delivery/settler.ts";
import type { ClaimedDelivery } from "../../../src/pipeline/ledger/claim.ts";
import type { Settlement } from "../../../src/pipeline/ledger/record-results.ts";
import { openPool, rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { freePort } from "../../support/free-port.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { aSettlement, claimAll, fanOutAll, openLimits, readLedger } from "../../support/ledger.ts";

import { createTcpProxy, throughProxy } from "../../support/tcp-proxy.ts";

const leaseMs = 200;

describe("storing results", () => {
  const database = useDatabase();
  let enterpriseId: number;
  let subscriptionId: number;
  let settlements: Settlement[];
  let stop: AbortController;
  beforeEach("claim two deliveries", async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    await anEvent(database.db, { enterprise_id });
    await anEvent(database.db, { enterprise_id });
    [enterpriseId, subscriptionId] = [enterprise_id, id];
    const claimed = await claimAll(database.db, await fanOutAll(database.db));
    settlements = claimed.map((one) => aSettlement(one));
    stop = new AbortController();
  });

  const settlerOn = (
    db: Db,
    onSettled: SettlerDeps["onSettled"] = () => undefined,
    more: Partial<SettlerDeps> = {},
  ) =>
    createSettler({
      onSettled,
      faultPoint: () => undefined,
      db,
      writeNotices: async () => undefined,
      dispatcher: { limits: openLimits, dispatch: async () => undefined },
      log: createLogger("silent", "test"),
      leaseMs,
      pace: () => "full",
      freeSlots: () => undefined,
      send: () => undefined,
      signal: stop.signal,
      ...more,
    });
  const withRecord = (settlement: Settlement, more: Partial<Settlement["record"]>): Settlement => ({
    ...settlement,
    record: { ...settlement.record, ...more },
  });
  const statesOf = async (): Promise<string[]> =>
    (await readLedger(database.db, subscriptionId)).map(({ state }) => state);

  it("drops only the answer if Postgres refuses it", async () => {
    const [first, second] = settlements;
    const { settle } = settlerOn(database.db);
    const unstorable = withRecord(first!, { responseBody: "half a character: \uD83D" });
    const storable = withRecord(second!, { responseBody: "a whole answer" });
    expect(await settle([unstorable, storable])).to.deep.equal([true, true]);
    expect(await statesOf()).to.deep.equal(["delivered", "delivered"]);
    const bodies = await rowsOf<{ response_body: string | null }>(
      database.db,
      "SELECT response_body FROM attempts WHERE delivery_id = ANY(?) ORDER BY delivery_id = ?",
      [settlements.map(({ deliveryId }) => deliveryId), second!.deliveryId],
    );
    expect(bodies.map((row) => row.response_body)).to.deep.equal([null, "a whole answer"]);
  });

  it("reports how many deliveries the results unblock", async () => {
    const seen: number[][] = [];
    const { settle } = settlerOn(database.db, (...counts) => seen.push(counts));
    const before = await readLedger(database.db, subscriptionId);
    await database.db("deliveries").insert(
      before.slice(1).map(({ sequence }) => ({
        enterprise_id: enterpriseId,
        ...{ subscription_id: subscriptionId, sequence: sequence + 1 },
        ...{ event_row_id: -subscriptionId, event_at: new Date(), object: "ticket", key: "next" },
        ...{ state: "pending", due_at: new Date(0) },
      })),
    );
    await settle(settlements);
    expect(seen).to.deep.equal([[2, 1]]);
  });

  for (const [free, what, expected] of [
    [2, "what fits into the free slots, too", { sent: 4, queued: 0 }],
    [0, "one for each result if all slots are taken", { sent: 2, queued: 0 }],
    [
      undefined,
      "nothing if jobs wait for the slots, and keeps a few in the queue",
      { sent: 0, queued: 2 },
    ],
  ] as const) {
    it(`sends ${what}`, async () => {
      for (let i = 0; i < 20; i += 1) {
        await anEvent(database.db, { enterprise_id: enterpriseId });
      }
      await fanOutAll(database.db); // 6 are queued, for a window of 8 in all
      const counts = { sent: 0, queued: 0 };
      const { settle } = settlerOn(database.db, undefined, {
        freeSlots: () => free,
        send: () => void (counts.sent += 1),
        dispatcher: {
          limits: openLimits,
          dispatch: async (jobs) => void (counts.queued += jobs.length),
        },
      });
      await settle(settlements);
      expect(counts).to.deep.equal(expected);
    });
  }

  describe("of two webhooks", () => {
    const counts = { sent: 0, queued: 0 };
    /** Stores the results of the first webhook along with one of another, which matches `filter`. */
    const settleWithOther = async (filter: string, free: SettlerDeps["freeSlots"]) => {
      const columns = { enterprise_id: enterpriseId };
      const other = await aSubscription(database.db, { ...columns, filters: [filter] });
      await anEvent(database.db, { ...columns, object: "media" });
      for (let i = 0; i < 20; i += 1) {
        await anEvent(database.db, columns);
      }
      const jobs = await fanOutAll(database.db);
      const claimed = await claimAll(database.db, jobs);
      const one = claimed.find(({ subscriptionId: id }) => id === other.id);
      await rowsOf(database.db, "UPDATE subscription_health SET window_size = 64");
      Object.assign(counts, { sent: 0, queued: 0 });
      const { settle } = settlerOn(database.db, undefined, {
        freeSlots: free,
        send: () => void (counts.sent += 1),
        dispatcher: {
          limits: openLimits,
          dispatch: async (some) => void (counts.queued += some.length),
        },
      });
      await settle([...settlements, aSettlement(one!)]);
      return counts;
    };

    it("shares the free slots", async () => {
      const found = await settleWithOther("ticket.*", () => 10);
      expect(found).to.deep.equal({ sent: 13, queued: 0 });
    });

    it("adds no jobs to those that wait because another kind of object has free slots", async () => {
      const free = (object: string) => (object === "media" ? 200 : undefined);
      // At most eight in flight.
      expect(await settleWithOther("media.*", free)).to.deep.equal({ sent: 0, queued: 2 });
    });
  });

  it("does not wait for the jobs of what the results let go, and adds all of them", async () => {
    for (let i = 0; i < 20; i += 1) {
      await anEvent(database.db, { enterprise_id: enterpriseId });
    }
    await fanOutAll(database.db); // 6 are queued, for a window of 8 in all
    let answer = (): void => undefined;
    const hangs = new Promise<void>((resolve) => (answer = resolve));
    const added: number[] = [];
    const { settle, untilDispatched } = settlerOn(database.db, undefined, {
      dispatcher: {
        limits: openLimits,
        dispatch: async (jobs) => {
          await hangs;
          added.push(...jobs.map(({ deliveryId }) => deliveryId));
        },
      },
    });
    const [first, second] = settlements;
    expect(await settle([first!])).to.deep.equal([true]);
    expect(await settle([second!])).to.deep.equal([true]);
    expect(await statesOf()).to.include.members(["delivered", "queued", "pending"]);
    expect(added).to.deep.equal([]);
    answer();
    await untilDispatched();
    const queued = (await readLedger(database.db, subscriptionId)).slice(8, 10);
    expect(queued.map(({ state }) => state)).to.deep.equal(["queued", "queued"]);
    expect(added).to.deep.equal(queued.map(({ id }) => id));
  });

  it("repeats nothing if the answer of Postgres is lost after the commit", async () => {
    for (let i = 0; i < 20; i += 1) {
      await anEvent(database.db, { enterprise_id: enterpriseId });
    }
    await fanOutAll(database.db); // 6 are queued, for a window of 8 in all
    const sent: ClaimedDelivery[] = [];
    let commits = 0;
    const { settle } = settlerOn(database.db, undefined, {
      freeSlots: () => 0,
      send: (delivery) => void sent.push(delivery),
      faultPoint: () => {
        commits += 1;
        if (commits === 1) {
          throw new Error("Connection terminated unexpectedly");
        }
      },
    });
    const dueAt = new Date(Date.now() + 60_000);
    const failed = settlements.map((one): Settlement => ({
      ...withRecord(one, { status: 500 }),
      state: "retry",
      dueAt,
    }));
    expect(await settle(failed)).to.deep.equal([true, true]);
    expect(commits).to.equal(2);
    const [health] = await rowsOf<{ failures_in_row: number }>(
      database.db,
      "SELECT failures_in_row FROM subscription_health WHERE subscription_id = ?",
      [subscriptionId],
    );
    expect(health?.failures_in_row).to.equal(2);
    const sending = (await readLedger(database.db, subscriptionId)).filter(
      ({ state }) => state === "sending",
    );
    expect(sending).to.have.length(2);
    expect(sent.map(({ deliveryId, generation }) => [deliveryId, generation])).to.deep.equal(
      sending.map(({ id, generation }) => [id, generation]),
    );
  });

  it("loses one result that cannot be stored, and none of the others", async () => {
    const [first, second] = settlements;
    const { settle } = settlerOn(database.db);
    const impossible = withRecord(first!, { durationMs: 2 ** 40 });
    expect(await settle([impossible, second!])).to.deep.equal([false, true]);
    expect(await statesOf()).to.deep.equal(["sending", "delivered"]);
  });

  describe("during an outage of Postgres", () => {
    let proxied: Db;
    let proxy: ReturnType<typeof createTcpProxy>;
    beforeEach("connect to a port that is not open yet", async () => {
      proxy = createTcpProxy(await freePort(), Number(new URL(database.url).port));
      const url = throughProxy(database.url, proxy);
      proxied = openPool({ url, maxConnections: 1, name: "test" });
    });
    afterEach("close the connections", async () => {
      await proxied.destroy();
      await proxy.close();
    });

    it("retries for the whole outage, even beyond the lease", async () => {
      const startedAt = performance.now();
      const settling = settlerOn(proxied).settle(settlements);
      await eventually(() => performance.now() - startedAt > 3 * leaseMs);
      await proxy.open();
      expect(await settling).to.deep.equal([true, true]);
      expect(await statesOf()).to.deep.equal(["delivered", "delivered"]);
    });

    it("stops at the end of the grace period", async () => {
      const settling = settlerOn(proxied)
        .settle(settlements)
        .catch((error: unknown) => error);
      stop.abort();
      expect(await settling).to.be.instanceOf(Error);
    });
  });
});
