import { expect } from "chai";
import type { Caller } from "../../../src/http/route.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { createLive } from "../../../src/deliveries/live/service.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { startLiveApi, type LiveApi } from "../../support/live-api.ts";
import { readStream } from "../../support/pull-api.ts";
import { aCaller } from "../../support/webhook-api.ts";
import { promised } from "../../support/promised.ts";

const times = { heartbeatMs: 150, checkMs: 200, mostMs: 60_000 };

describe("live views of an enterprise", () => {
  const database = useDatabase();
  let api: LiveApi;
  let admin: Caller;
  beforeEach(async () => {
    api = await startLiveApi(database.db, { times });
    admin = await aCaller(database.db);
  });
  afterEach(() => api.close());

  const open = async (caller = admin) => readStream(await api.open(caller));

  it("limits streams to four per user and twenty per enterprise, with Retry-After", async () => {
    const { enterpriseId } = admin;
    const others = await Promise.all(
      [1, 2, 3, 4, 5].map(() => aCaller(database.db, "admin", enterpriseId)),
    );
    const expectRefusal = async (caller: Caller): Promise<void> => {
      const refused = await api.open(caller);
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers.get("retry-after"))).to.be.above(0);
      await refused.body?.cancel();
    };
    const streams = await Promise.all([admin, admin, admin, admin].map(open));
    await expectRefusal(admin);
    for (const other of others.slice(0, 4)) {
      streams.push(...(await Promise.all([other, other, other, other].map(open))));
    }
    await expectRefusal(others[4] ?? admin);
    // A request without a stream is still answered.
    expect((await api.as(admin)("GET", "/webhooks/live")).status).to.equal(200);
    await Promise.all(streams.map((stream) => stream.leave()));
    await eventually(async () => {
      const again = await api.open(admin);
      await again.body?.cancel();
      return again.status === 200;
    });
  });

  it("serves thirty pages that open at once, and one more immediately while another is open", async () => {
    const { enterpriseId } = admin;
    const others = [
      admin,
      ...(await Promise.all([1, 2].map(() => aCaller(database.db, "admin", enterpriseId)))),
    ];
    const asked = others.flatMap((caller) =>
      Array.from({ length: 10 }, () => api.as(caller)("GET", "/webhooks/live")),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    const slow = await startLiveApi(database.db, { times, everyMs: 5_000 });
    const stream = readStream(await slow.open(admin));
    await stream.has("update", 1);
    const startedMs = performance.now();
    expect((await slow.as(admin)("GET", "/webhooks/live")).status).to.equal(200);
    expect(performance.now() - startedMs).to.be.below(promised(4_500));
    await stream.leave();
    await slow.close();
  });

  it("answers a request that waits for a poll with 503 when the process stops", async () => {
    const slow = await startLiveApi(database.db, { times, everyMs: 5_000 });
    const startedMs = performance.now();
    const waiting = slow.as(admin)("GET", "/webhooks/live");
    const late = waiting.then(() => slow.as(admin)("GET", "/webhooks/live"));
    const stream = readStream(await slow.open(admin));
    await stream.has("snapshot", 1); // the poll that the request joined has begun
    slow.stop();
    for (const { status, headers } of [await waiting, await late]) {
      expect(status).to.equal(503);
      expect(Number(headers.get("retry-after"))).to.be.above(0);
    }
    expect(performance.now() - startedMs).to.be.below(promised(4_500));
    await slow.close();
  });

  it("serializes each view once for all clients", async () => {
    const stopping = new AbortController();
    const live = createLive({
      db: database.db,
      clock: systemClock,
      log: { info: () => undefined, warn: () => undefined },
      stopping: stopping.signal,
      everyMs: 100,
      recheck: async () => undefined,
    });
    const poll = () => Promise.all([live.snapshot(admin), live.snapshot(admin)]);
    const [first, second] = await poll();
    expect(first, "requests that wait for a poll").to.equal(second);
    const stream = live.stream(admin, "update");
    stream.resume();
    const [third, fourth] = await poll();
    expect(third, "while a stream is open").to.equal(fourth).and.not.equal(first);
    stream.destroy();
    stopping.abort();
  });
});
