import { expect } from "chai";
import { createAudit } from "../../../src/audit/audit-log.ts";
import { retryRoutes } from "../../../src/deliveries/retries/routes.ts";
import { createRetries } from "../../../src/deliveries/retries/service.ts";
import { serveCallers, type Call, type CallersApi } from "../../support/callers-api.ts";
import { anyone, fetchBy, runCli, type CliOptions } from "../../support/cli-shell.ts";
import { useDatabase } from "../../support/database.ts";
import { aSubscription, type SubscriptionRow } from "../../support/factories.ts";
import { readLedger } from "../../support/ledger.ts";
import { seedPast, startReplayApi, type ReplayApi } from "../../support/replays.ts";
import { aCaller } from "../../support/webhook-api.ts";

describe("sightline retry, probe and recover", () => {
  const database = useDatabase();
  let api: ReplayApi;
  let retries: CallersApi;
  let calls: { retry: Call; recover: Call };
  let sub: SubscriptionRow;
  let ids: number[];
  before(async () => {
    const { db } = database;
    api = await startReplayApi(db);
    const deps = { db, clock: api.clock, audit: createAudit(), onDue: () => undefined };
    retries = await serveCallers(retryRoutes(createRetries(deps)));
  });
  after(() => Promise.all([api.close(), retries.close()]));
  beforeEach("a delivery that waits for a retry, and a dead one", async () => {
    const admin = await aCaller(database.db);
    calls = { retry: retries.as(admin), recover: api.as(admin) };
    sub = await aSubscription(database.db, {
      enterprise_id: admin.enterpriseId,
      filters: ["ticket.*"],
    });
    const seeded = await seedPast(database.db, sub, [
      { state: "retry", key: "ticket:1" },
      { state: "dead", key: "ticket:2" },
    ]);
    ids = seeded.map(({ deliveryId }) => deliveryId ?? 0);
    await database
      .db("deliveries")
      .where({ id: ids[0] })
      .update({ attempts: 1, due_at: new Date(Date.now() + 3_600_000) });
  });

  const run = (words: string, more: CliOptions = {}) =>
    runCli(words.split(" "), {
      env: anyone,
      fetch: fetchBy(words.startsWith("recover") ? calls.recover : calls.retry),
      ...more,
    });
  const isDue = async (): Promise<boolean> => {
    const [first] = await readLedger(database.db, sub.id);
    return first !== undefined && first.due_at <= api.clock.now();
  };

  it("retries what it can, and explains the rest", async () => {
    const { code, out } = await run(`retry ${ids.join(" ")} ${ids[0]}`);
    expect(out).to.contain(`Delivery ${ids[0]} is being retried.`);
    expect(out).to.contain(`Delivery ${ids[1]} is dead: replay it instead.`);
    expect([code, await isDue()]).to.deep.equal([1, true]);
    expect((await run("retry none")).code).to.equal(2);
  });

  it("probes an open circuit", async () => {
    expect((await run(`probe ${sub.id}`)).code).to.equal(3);
    await database
      .db("subscription_health")
      .where({ subscription_id: sub.id })
      .update({ probe_at: new Date(Date.now() + 60_000) });
    expect((await run(`probe ${sub.id}`)).out).to.contain(`Webhook ${sub.id} is being probed.`);
    expect(await isDue()).to.equal(true);
  });

  it("prints the scope of a recovery, and starts it after confirmation", async () => {
    const recover = `recover ${sub.id} --since 2026-01-01`;
    const counted = await run(`${recover} --dry-run`);
    expect(counted.err).to.contain("undelivered events to replay: 1, deliveries to retry now: 1.");
    expect((await run(recover, { answers: ["n"] })).err).to.contain("Nothing was started.");
    expect(await isDue()).to.equal(false);
    const done = await run(recover, { answers: ["y"] });
    expect(done.out).to.match(/^Recovery \d+ has started/u);
    expect([done.code, await isDue()]).to.deep.equal([0, true]);
  });
});
