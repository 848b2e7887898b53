import { expect } from "chai";
import { toWakeWord } from "../../../src/contracts/events.ts";
import { maxEventsByRules } from "../../../src/pipeline/ledger/fan-out-by-rules.ts";
import { recordRevision, takeRevision } from "../../../src/pipeline/ledger/revisions.ts";
import { fanOut } from "../../../src/pipeline/relay/fan-out.ts";
import {
  createSubscriptionSet,
  type SubscriptionSet,
  createRecentKinds,
} from "../../../src/pipeline/relay/subscription-rules.ts";
import { advisoryLocks, rowsOf } from "../../../src/platform/db/pool.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { fanOutAll, openLimits, readLedger } from "../../support/ledger.ts";

describe("fanning out recent kinds of events in one round trip", () => {
  const database = useDatabase();
  const limits = () => ({ ...openLimits(), reservedMs: 500 });
  const depsOf = (subscriptions: SubscriptionSet) => ({
    ...{ db: database.db, log: createLogger("silent", "test"), subscriptions },
    nowMs: () => 0,
  });
  const ticketCreated = (enterpriseId: number) =>
    toWakeWord({ enterpriseId, object: "ticket", event: "create" });

  /** A relay with an earlier fan-out, woken by a new ticket of the enterprise. */
  const setUp = async (columns: object = {}) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, ...columns });
    const set = createSubscriptionSet();
    await set.refresh(database.db);
    const kinds = createRecentKinds(depsOf(set));
    kinds.add([ticketCreated(enterprise_id)]);
    return { enterprise_id, id, set, kinds };
  };
  const outboxRows = async () =>
    (await rowsOf<{ count: number }>(database.db, "SELECT count(*) AS count FROM outbox"))[0]
      ?.count;
  const change = (id: number, columns: Record<string, unknown>) =>
    inTransaction(database.db, async (trx) => {
      const revision = await takeRevision(trx);
      await trx("subscriptions").where({ id }).update(columns);
      await recordRevision(trx, id, revision, { reason: null, changedBy: null });
    });
  const healthOf = (id: number) =>
    database.db("subscription_health").where({ subscription_id: id });
  const healthIs = (id: number, columns: object) => healthOf(id).update(columns);

  afterEach(async () => {
    await database.db("outbox").del();
  });

  it("inserts, numbers and queues the deliveries, and returns fresh jobs", async () => {
    const { enterprise_id, id, kinds } = await setUp();
    const event = await anEvent(database.db, { enterprise_id });
    await anEvent(database.db, { enterprise_id });
    const fannedOut = await kinds.fanOut(limits());
    expect(fannedOut?.events).to.deep.equal([{ object: "ticket" }, { object: "ticket" }]);
    const rows = await readLedger(database.db, id);
    expect(
      rows.map(({ sequence, state, generation }) => [sequence, state, generation]),
    ).to.deep.equal([
      [1, "queued", 1],
      [2, "queued", 1],
    ]);
    expect(fannedOut?.enqueued[0]).to.deep.include({ deliveryId: rows[0]?.id, generation: 1 });
    expect(fannedOut?.enqueued[0]?.fresh).to.deep.include({
      ...{ subscriptionId: id, sequence: 1, eventId: event.event_id, object: "ticket" },
      occurredAt: event.occurred_at.getTime(),
    });
    expect(await outboxRows()).to.equal(0);
    expect((await kinds.fanOut(limits()))?.events).to.deep.equal([]);
  });

  it("does what the batches of several round trips do", async () => {
    const columns = [
      {},
      { is_ordered: true },
      { filters: ["media.*"] },
      { filters: ["*.create"] },
      {},
    ];
    const run = async (isByRules: boolean) => {
      const { enterprise_id, id, kinds, set } = await setUp();
      const ids = [id];
      for (const some of columns) {
        ids.push((await aSubscription(database.db, { enterprise_id, ...some })).id);
      }
      await healthIs(ids.at(-1) ?? 0, { probe_at: new Date(Date.now() + 60_000) });
      await set.refresh(database.db);
      const results: unknown[] = [];
      for (const keys of [
        ["a", "b"],
        ["a", "c", "a", "d"],
        ["b", "a"],
      ]) {
        for (const key of keys) {
          await anEvent(database.db, { enterprise_id, key: `ticket:${key}` });
        }
        const fannedOut = isByRules ? await kinds.fanOut(limits()) : undefined;
        const enqueued = fannedOut?.enqueued ?? (await fanOutAll(database.db, limits()));
        expect(fannedOut !== undefined).to.equal(isByRules);
        results.push(
          enqueued.map(({ fresh }) => [ids.indexOf(fresh?.subscriptionId ?? 0), fresh?.sequence]),
        );
      }
      for (const one of ids) {
        const rows = await readLedger(database.db, one);
        results.push(
          rows.map((row) => [row.key, row.sequence, row.state, row.generation, row.waits_for]),
        );
      }
      return results;
    };
    expect(await run(true)).to.deep.equal(await run(false));
  });

  it("passes a retry that is planned for later", async () => {
    const { enterprise_id, id, kinds } = await setUp();
    await anEvent(database.db, { enterprise_id });
    await kinds.fanOut(limits());
    await database
      .db("deliveries")
      .where({ subscription_id: id })
      .update({ state: "retry", attempts: 1, due_at: new Date(Date.now() + 3_600_000) });
    await anEvent(database.db, { enterprise_id });
    expect((await kinds.fanOut(limits()))?.enqueued).to.have.length(1);
  });

  for (const [reason, columns] of [
    ["its filters do not match", { filters: ["media.*"] }],
    ["it is off", { is_active: false }],
  ] as const) {
    it(`removes events that the only subscription does not get because ${reason}`, async () => {
      const { enterprise_id, id, kinds } = await setUp(columns);
      await anEvent(database.db, { enterprise_id });
      expect(await kinds.fanOut(limits())).to.deep.equal({
        events: [{ object: "ticket" }],
        enqueued: [],
        hasPending: false,
      });
      expect(await readLedger(database.db, id)).to.deep.equal([]);
      expect(await outboxRows()).to.equal(0);
    });
  }

  it("takes the oldest events, a bounded number at once", async () => {
    const { enterprise_id, id, kinds } = await setUp();
    await healthIs(id, { window_size: 256 });
    for (let count = 0; count < maxEventsByRules + 3; count += 1) {
      await anEvent(database.db, { enterprise_id });
    }
    await kinds.fanOut(limits());
    await kinds.fanOut(limits());
    const ids = await rowsOf<{ event_row_id: number }>(
      database.db,
      "SELECT event_row_id FROM deliveries WHERE subscription_id = ? ORDER BY sequence",
      [id],
    );
    expect(ids).to.have.length(maxEventsByRules + 3);
    expect(ids).to.deep.equal(ids.toSorted((one, other) => one.event_row_id - other.event_row_id));
  });

  type SetUp = Awaited<ReturnType<typeof setUp>>;
  const startedAt = Date.now();
  const refusals: [string, object, (one: SetUp) => Promise<unknown>][] = [
    [
      "an event of another kind is in the outbox",
      {},
      ({ enterprise_id }) => anEvent(database.db, { enterprise_id, event: "delete" }),
    ],
    [
      "an event of another enterprise is in the outbox",
      {},
      async () => anEvent(database.db, { enterprise_id: (await anEnterprise(database.db)).id }),
    ],
    ["a subscription has changed since", {}, ({ id }) => change(id, { name: "changed" })],
    [
      "the subscription was deleted since",
      {},
      ({ id }) => change(id, { deleted_at: new Date(), is_active: false }),
    ],
    [
      "another subscription was created since",
      {},
      ({ enterprise_id }) => aSubscription(database.db, { enterprise_id }),
    ],
    [
      "the event is older than the newest revision",
      { valid_from: new Date(startedAt - 60_000) },
      ({ enterprise_id }) =>
        anEvent(database.db, { enterprise_id, occurred_at: new Date(startedAt - 90_000) }),
    ],
    [
      "the content of the event was removed",
      {},
      ({ enterprise_id }) =>
        anEvent(database.db, { enterprise_id, body: "", expunged_at: new Date() }),
    ],
    ["the concurrency window has no room", {}, ({ id }) => healthIs(id, { window_size: 0.5 })],
    ["the receiver failed last", {}, ({ id }) => healthIs(id, { failures_in_row: 1 })],
    ["the health is missing", {}, ({ id }) => healthOf(id).del()],
    ["the subscription has a rate limit", { max_per_second: 5 }, async () => undefined],
    [
      "the subscription has conditions",
      { conditions: '{"event":"create"}' },
      async () => undefined,
    ],
    ["the subscription is pulled", { mode: "pull" }, async () => undefined],
    [
      "a delivery is due before",
      {},
      async ({ enterprise_id }) => {
        await anEvent(database.db, { enterprise_id });
        await fanOutAll(database.db, { ...openLimits(), closed: ["ticket"] });
      },
    ],
  ];
  for (const [reason, columns, prepare] of refusals) {
    it(`does nothing if ${reason}, and leaves it to the other way`, async () => {
      const one = await setUp(columns);
      await prepare(one);
      await anEvent(database.db, { enterprise_id: one.enterprise_id });
      const before = await readLedger(database.db, one.id);
      const waiting = await outboxRows();
      expect(await one.kinds.fanOut(limits())).to.equal(undefined);
      expect(await readLedger(database.db, one.id)).to.deep.equal(before);
      expect(await outboxRows()).to.equal(waiting);
      await fanOut(database.db, one.set, { limit: 100, afterEventRowId: 0 }, limits());
      expect(await outboxRows()).to.equal(0);
    });
  }

  it("does nothing while another relay holds the outbox, or while a queue is closed", async () => {
    const { enterprise_id, kinds } = await setUp();
    await anEvent(database.db, { enterprise_id });
    await inTransaction(database.db, async (trx) => {
      await rowsOf(trx, "SELECT pg_advisory_xact_lock(?)", [advisoryLocks.relay]);
      expect(await kinds.fanOut(limits())).to.equal(undefined);
    });
    expect(await kinds.fanOut({ ...limits(), closed: ["media"] })).to.equal(undefined);
    expect(await outboxRows()).to.equal(1);
  });

  it("follows the subscriptions after a change", async () => {
    const { enterprise_id, id, kinds, set } = await setUp();
    await change(id, { filters: ["media.*"] });
    await set.refresh(database.db);
    await anEvent(database.db, { enterprise_id });
    expect((await kinds.fanOut(limits()))?.events).to.have.length(1);
    expect(await readLedger(database.db, id)).to.deep.equal([]);
  });

  it("is never ahead of an earlier event of the same object, with many relays", async () => {
    const { enterprise_id, id, set } = await setUp({ is_ordered: true });
    const relays = Array.from({ length: 4 }, () => {
      const kinds = createRecentKinds(depsOf(set));
      kinds.add([ticketCreated(enterprise_id)]);
      return kinds;
    });
    for (let count = 0; count < 200; count += 1) {
      await anEvent(database.db, { enterprise_id, key: `ticket:${count % 7}` });
      if (count % 20 === 19) {
        await Promise.all(relays.map((kinds) => kinds.fanOut(limits())));
      }
    }
    while ((await outboxRows()) !== 0) {
      await fanOut(database.db, set, { limit: 100, afterEventRowId: 0 }, limits());
    }
    const rows = await rowsOf<{
      sequence: number;
      event_row_id: number;
      waits_for: number | null;
      key: string;
    }>(
      database.db,
      "SELECT sequence, event_row_id, waits_for, key FROM deliveries WHERE subscription_id = ? ORDER BY event_row_id",
      [id],
    );
    expect(rows.map(({ sequence }) => sequence)).to.deep.equal(
      rows.map((_row, index) => index + 1),
    );
    const last = new Map<string, number>();
    for (const { key, sequence, waits_for } of rows) {
      expect(waits_for).to.equal(last.get(key) ?? null);
      last.set(key, sequence);
    }
  });
});
