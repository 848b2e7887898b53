import { expect } from "chai";
import { toWakeWord } from "../../../src/contracts/events.ts";
import { maxEventsByRules } from "../../../src/pipeline/ledger/fan-out-by-rules.ts";
import { fanOut } from "../../../src/pipeline/relay/fan-out.ts";
import {
  createSubscriptionSet,
  createRecentKinds,
} from "../../../src/pipeline/relay/subscription-rules.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { openLimits, readLedger } from "../../support/ledger.ts";

describe("fanning out recent kinds of events: events of any time, and missing ones", () => {
  const database = useDatabase();
  const limits = () => ({ ...openLimits(), reservedMs: 500 });

  /** A relay that was woken by a new ticket of the enterprise. */
  const setUp = async (columns: object = {}) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, ...columns });
    const set = createSubscriptionSet();
    await set.refresh(database.db);
    const kinds = createRecentKinds({
      ...{ db: database.db, log: createLogger("silent", "test"), subscriptions: set },
      nowMs: () => 0,
    });
    kinds.add([toWakeWord({ enterpriseId: enterprise_id, object: "ticket", event: "create" })]);
    return { enterprise_id, id, set, kinds };
  };
  const outboxRows = async () =>
    (await rowsOf<{ count: number }>(database.db, "SELECT count(*) AS count FROM outbox"))[0]
      ?.count;

  before(async () => {
    await rowsOf(database.db, "SELECT setval('events_id_seq', 1000)"); // leaves ids in front
  });
  afterEach(async () => {
    await database.db("outbox").del();
  });

  /** Fills a batch with rows of events that are missing. */
  const insertOrphans = async (occurred_at: Date): Promise<void> => {
    const ids = Array.from({ length: maxEventsByRules }, (_, index) => index + 1);
    await database
      .db("outbox")
      .insert(ids.map((event_row_id) => ({ event_row_id, occurred_at, enterprise_id: 1 })));
  };
  const wholeRange = { limit: maxEventsByRules, afterEventRowId: 0 };

  it("passes rows whose event is missing, however many are in front", async () => {
    const { enterprise_id, id, kinds, set } = await setUp();
    await insertOrphans(new Date());
    await anEvent(database.db, { enterprise_id });
    expect((await kinds.fanOut(limits()))?.events).to.have.length(1);
    await anEvent(database.db, { enterprise_id });
    expect((await fanOut(database.db, set, wholeRange, limits())).events).to.have.length(1);
    expect(await readLedger(database.db, id)).to.have.length(2);
    expect(await outboxRows()).to.equal(maxEventsByRules);
  });

  it("leaves them to the other way, which passes them, if their time is long ago", async () => {
    const { enterprise_id, id, kinds, set } = await setUp();
    await insertOrphans(new Date(0));
    await anEvent(database.db, { enterprise_id });
    expect(await kinds.fanOut(limits())).to.equal(undefined);
    expect((await fanOut(database.db, set, wholeRange, limits())).events).to.have.length(1);
    expect(await readLedger(database.db, id)).to.have.length(1);
  });

  for (const hours of [-2, 2]) {
    it(`leaves an event to the other way that is ${hours} hours from now`, async () => {
      const { enterprise_id, id, kinds, set } = await setUp({ valid_from: new Date(0) });
      const occurred_at = new Date(Date.now() + hours * 3_600_000);
      await anEvent(database.db, { enterprise_id, occurred_at });
      await anEvent(database.db, { enterprise_id });
      expect(await kinds.fanOut(limits())).to.equal(undefined);
      expect(await readLedger(database.db, id)).to.deep.equal([]);
      await fanOut(database.db, set, wholeRange, limits());
      expect((await readLedger(database.db, id)).map(({ state }) => state)).to.deep.equal([
        "queued",
        "queued",
      ]);
      expect(await outboxRows()).to.equal(0);
    });
  }

  it("finds an event that is long ago in its shard only", async () => {
    const { enterprise_id, id, set } = await setUp({ valid_from: new Date(0) });
    await insertOrphans(new Date(0));
    await anEvent(database.db, { enterprise_id, occurred_at: new Date(0) });
    for (const [index, count] of [
      [enterprise_id + 1, 0],
      [enterprise_id, 1],
    ] as const) {
      const range = { ...wholeRange, shard: { index: index % 2, count: 2 } };
      expect((await fanOut(database.db, set, range, limits())).events).to.have.length(count);
      expect(await readLedger(database.db, id)).to.have.length(count);
    }
  });

  it("knows a webhook that was created before an event that only the second read sees", async () => {
    const { enterprise_id, id, set } = await setUp({ valid_from: new Date(0) });
    await anEvent(database.db, { enterprise_id, occurred_at: new Date(0) });
    let created: { id: number } | undefined;
    const slowSet: typeof set = {
      ...set,
      refresh: async (db) => {
        const refreshed = set.refresh(db);
        if (created === undefined) {
          const paused = rowsOf(db, "SELECT pg_sleep(0.5)"); // delays the second read
          await refreshed;
          const valid_from = new Date(Date.now() - 60_000);
          created = await aSubscription(database.db, { enterprise_id, valid_from });
          await anEvent(database.db, { enterprise_id });
          await paused;
        }
        await refreshed;
      },
    };
    const { events } = await fanOut(database.db, slowSet, wholeRange, limits());
    expect(events).to.have.length(2);
    expect(await readLedger(database.db, id)).to.have.length(2);
    expect(await readLedger(database.db, created!.id)).to.have.length(1);
  });
});
