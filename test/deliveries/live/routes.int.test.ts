import { expect } from "chai";
import type { Caller } from "../../../src/http/route.ts";
import { tallyAttempts } from "../../../src/pipeline/schedule/tallies.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import type { PresentedSnapshot } from "../../../src/deliveries/live/service.ts";
import { addAttempt } from "../../support/attempts.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { aSubscription } from "../../support/factories.ts";
import { startLiveApi, type LiveApi } from "../../support/live-api.ts";
import { readStream } from "../../support/pull-api.ts";
import { aCaller } from "../../support/webhook-api.ts";

const times = { heartbeatMs: 150, checkMs: 200, mostMs: 60_000 };

describe("GET /webhooks/live", () => {
  const database = useDatabase();
  let api: LiveApi;
  let admin: Caller;
  let owner: { enterpriseId: number; subscriptionId: number };
  beforeEach(async () => {
    api = await startLiveApi(database.db, { times });
    admin = await aCaller(database.db);
    const { enterpriseId } = admin;
    const { id } = await aSubscription(database.db, { enterprise_id: enterpriseId, name: "One" });
    owner = { enterpriseId, subscriptionId: id };
  });
  afterEach(() => api.close());

  const snapshot = async (): Promise<PresentedSnapshot> =>
    (await api.as(admin)("GET", "/webhooks/live")).body as never;
  const parse = ({ data }: { data: string }): PresentedSnapshot =>
    JSON.parse(data) as PresentedSnapshot;
  const open = async (caller = admin) => readStream(await api.open(caller));
  const addOpen = (state: string, dueInMs: number, count = 1): Promise<unknown> =>
    rowsOf(
      database.db,
      `WITH counted AS (
         UPDATE subscription_health SET last_sequence = last_sequence + ?
         WHERE subscription_id = ? RETURNING last_sequence
       )
       INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, due_at)
       SELECT ?, ?, last_sequence - ? + n, nextval('events_id_seq'), now(), 'ticket', 'ticket:' || n,
         ?, now() + ? * interval '1 millisecond'
       FROM counted, generate_series(1, ?) AS n`,
      [
        ...[count, owner.subscriptionId, owner.enterpriseId, owner.subscriptionId, count],
        ...[state, dueInMs, count],
      ],
    );

  it("returns one view as JSON, even for an idle enterprise", async () => {
    const { status, headers, body } = await api.as(admin)("GET", "/webhooks/live");
    expect(status).to.equal(200);
    expect(headers.get("content-type")).to.equal("application/json");
    expect(body).to.deep.include({ attempts_per_second: 0, dead_today: 0, tail: [], left_out: 0 });
    expect(body["webhooks"]).to.have.length(1);
    expect(body["webhooks"][0]).to.deep.include({ name: "One", state: "ok", in_flight: 0 });
  });

  it("shows settled attempts immediately, with results and percentiles", async () => {
    const stream = await open();
    await stream.has("snapshot", 1);
    await addAttempt(database.db, owner, { at: new Date() });
    await addAttempt(database.db, owner, { at: new Date(), status: 503, number: 2 });
    await addAttempt(database.db, owner, {
      ...{ at: new Date(), status: null, failure: "refused", number: 10, state: "dead" },
    });
    const updates = (): PresentedSnapshot[] =>
      stream.messages.filter(({ event }) => event === "update").map(parse);
    const sum = (key: "delivered" | "failed" | "retried" | "dead"): number =>
      updates().reduce((all, { buckets }) => all + (buckets[0]?.[key] ?? 0), 0);
    await eventually(() => sum("delivered") + sum("failed") === 3);
    expect([sum("delivered"), sum("failed"), sum("retried"), sum("dead")]).to.deep.equal([
      1, 2, 2, 1,
    ]);
    const tail = updates().flatMap((update) => update.tail);
    expect(tail.map(({ code, error, gave_up }) => [code, error, gave_up])).to.have.deep.members([
      [200, null, false],
      [503, null, false],
      [null, "refused", true],
    ]);
    const last = updates().at(-1);
    expect(last?.delivered_per_second).to.be.above(0);
    expect(last?.answer_ms.p50).to.be.within(15, 25);
    expect(last?.webhooks[0]?.failed_per_second).to.be.above(0);
    await stream.leave();
  });

  it("starts with the last minutes and continues with one-second intervals", async () => {
    await addAttempt(database.db, owner, { at: new Date(Date.now() - 60_000) });
    await addAttempt(database.db, owner, { at: new Date(Date.now() - 400_000) });
    await tallyAttempts({ db: database.db, clock: systemClock });
    const stream = await open();
    const [first] = await stream.has("snapshot", 1);
    const { buckets } = parse(first ?? { data: "" });
    // Idle intervals are included, so that charts show zeros instead of gaps.
    const full = buckets.filter(({ delivered }) => delivered > 0);
    expect(full.map(({ seconds, delivered }) => [seconds, delivered])).to.deep.equal([[10, 1]]);
    expect(buckets).to.have.length.within(30, 31);
    const [update] = await stream.has("update", 1);
    expect(parse(update ?? { data: "" }).buckets).to.have.length(1);
    expect(stream.messages.map(({ id }) => Number(id))).to.deep.equal(
      stream.messages.map((_, index) => Number(first?.id) + index),
    );
    await stream.leave();
  });

  it("names updates `beat` for clients that do not ask for the new names", async () => {
    const stream = readStream(await api.open(admin, ""));
    await stream.has("beat", 2);
    expect(new Set(stream.messages.map(({ event }) => event))).to.deep.equal(
      new Set(["snapshot", "beat"]),
    );
    await stream.leave();
  });

  it("counts waiting, overdue, in-flight and paused deliveries, and since when", async () => {
    await addOpen("pending", -30_000, 3);
    await addOpen("retry", 60_000, 2);
    await addOpen("queued", -1_000, 4);
    await addOpen("paused", -1_000, 5);
    const { webhooks, ...all } = await snapshot();
    const expected = {
      in_flight: 4,
      waiting: { count: 5, more: false },
      waiting_about: null,
      past_due: { count: 3, more: false },
      paused: { count: 5, more: false },
    };
    expect(all).to.deep.include(expected);
    expect(webhooks[0]).to.deep.include(expected);
    expect(all.oldest_waiting_seconds).to.be.within(30, 40);
  });

  it("counts a long backlog up to a limit, and estimates the rest", async () => {
    await addOpen("pending", -30_000, 25_000);
    const { waiting, waiting_about: about, past_due: pastDue } = await snapshot();
    expect(waiting).to.deep.equal({ count: 10_000, more: true });
    expect(pastDue).to.deep.equal({ count: 10_000, more: true });
    expect(about).to.equal(25_000);
  });

  it("sorts webhooks by severity", async () => {
    const { enterpriseId: enterprise_id } = admin;
    const add = async (name: string, health: Record<string, unknown>, columns = {}) => {
      const { id } = await aSubscription(database.db, { enterprise_id, name, ...columns });
      await database.db("subscription_health").where({ subscription_id: id }).update(health);
    };
    await add("Off", { failures_in_row: 0 }, { is_active: false });
    await add("Throttled", { throttled_until: new Date(Date.now() + 60_000) });
    await add("Failing", { failing_since: new Date(), failures_in_row: 3 });
    const probe = new Date(Date.now() + 30_000);
    await add("Open", { failing_since: new Date(), failures_in_row: 12, probe_at: probe });
    const { webhooks } = await snapshot();
    expect(webhooks.map(({ name, state }) => `${name} ${state}`)).to.deep.equal([
      ...["Open open", "Failing failing", "Throttled throttled", "One ok", "Off off"],
    ]);
    expect(webhooks[0]?.next_probe).to.be.a("string");
  });

  it("shows at most twenty attempts, including failures, and the number of omitted ones", async () => {
    const stream = await open();
    await stream.has("snapshot", 1);
    await database.db.transaction(async (trx) => {
      for (let n = 0; n < 40; n += 1) {
        const status = n < 3 ? 500 : 200;
        await addAttempt(trx, owner, { at: new Date(), status });
      }
    });
    const full = (): PresentedSnapshot | undefined =>
      stream.messages.map(parse).find(({ tail }) => tail.length > 0);
    await eventually(() => full() !== undefined);
    expect(full()?.tail).to.have.length(13);
    expect(full()?.tail.filter(({ code }) => code === 500)).to.have.length(3);
    expect(full()?.left_out).to.equal(27);
    await stream.leave();
  });

  it("shows only data of the own enterprise", async () => {
    const stranger = await aCaller(database.db);
    const [own, other] = [await open(), await open(stranger)];
    await Promise.all([own.has("snapshot", 1), other.has("snapshot", 1)]);
    await addAttempt(database.db, owner, { at: new Date() });
    const attempts = (stream: typeof own): number =>
      stream.messages.map(parse).reduce((all, { tail }) => all + tail.length, 0);
    await eventually(() => attempts(own) === 1);
    await other.has("update", other.messages.length + 2);
    expect(attempts(other)).to.equal(0);
    expect(other.messages.map(parse).flatMap(({ webhooks }) => webhooks)).to.deep.equal([]);
    await Promise.all([own.leave(), other.leave()]);
  });

  /** Calls `turn` for each query about this enterprise's backlogs. */
  const withCountsOf = (enterpriseId: number, turn: () => Promise<unknown>): Db =>
    new Proxy(database.db, {
      get: (target, name) =>
        name === "raw"
          ? (sql: string, bindings: Record<string, unknown> = {}) =>
              bindings["enterpriseId"] === enterpriseId && sql.includes("AS in_flight")
                ? turn().then(() => target.raw(sql, bindings as never))
                : target.raw(sql, bindings as never)
          : Reflect.get(target, name),
    });

  const watchBoth = async (turn: () => Promise<unknown>) => {
    const failing = await aCaller(database.db);
    const other = await startLiveApi(withCountsOf(failing.enterpriseId, turn), { times });
    const [bad, valid] = [
      readStream(await other.open(failing)),
      readStream(await other.open(admin)),
    ] as const;
    return {
      ...{ bad, healthy: valid },
      end: async () => {
        await Promise.all([bad.leave(), valid.leave()]);
        await other.close();
      },
    };
  };

  it("continues for others while the counts of one enterprise hang", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { bad, healthy, end } = await watchBoth(() => held);
    await healthy.has("update", 5);
    expect(bad.messages).to.deep.equal([]);
    release();
    await bad.has("snapshot", 1);
    await end();
  });

  it("continues for others while the counts of one enterprise fail, and retries them rarely", async () => {
    let asked = 0;
    let isBroken = true;
    const { bad, healthy, end } = await watchBoth(async () => {
      asked += 1;
      if (isBroken) {
        throw new Error("cannot be counted");
      }
    });
    const startedAt = performance.now();
    await healthy.has("update", 8);
    expect(bad.messages).to.deep.equal([]);
    // Polls are retried after a second, with increasing delays.
    const most = 2 + Math.ceil((performance.now() - startedAt) / 1_000);
    expect(asked).to.be.within(1, most);
    isBroken = false;
    await bad.has("snapshot", 1);
    await end();
  });

  it("ends when the token is revoked, and immediately when the process stops", async () => {
    const revoked = await open();
    await revoked.has("snapshot", 1);
    api.revoke(admin);
    await eventually(() => revoked.isOver);
    const stopped = await open();
    await stopped.has("snapshot", 1);
    api.stop();
    await eventually(() => stopped.isOver);
  });

  it("polls the database once for all clients, and not at all without clients", async () => {
    const streams = await Promise.all([open(), open(), open()]);
    await Promise.all(streams.map((stream) => stream.has("update", 3)));
    const polls = async (): Promise<number> => {
      const [row] = await rowsOf<{ calls: number }>(
        database.db,
        `SELECT CAST(coalesce(sum(idx_scan), 0) AS bigint) AS calls FROM pg_stat_user_tables
         WHERE relname = 'subscription_health'`,
      );
      return row?.calls ?? 0;
    };
    const ids = streams.map((stream) => stream.messages.map(({ id }) => id).slice(0, 3));
    expect(new Set(ids.map((one) => one.at(-1))).size).to.be.at.most(2);
    await Promise.all(streams.map((stream) => stream.leave()));
    let before = -1;
    await eventually(async () => {
      const now = await polls();
      const isQuiet = now === before;
      before = now;
      return isQuiet;
    });
  });

  it("requires the permission to read webhooks", async () => {
    const viewer = await aCaller(database.db, "viewer", admin.enterpriseId);
    expect((await api.as(viewer)("GET", "/webhooks/live")).status).to.equal(403);
  });
});
