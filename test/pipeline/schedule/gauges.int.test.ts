import { expect } from "chai";
import { updateGauges } from "../../../src/pipeline/schedule/gauges.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { createMetrics } from "../../../src/platform/metrics.ts";
import { createTestClock } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { fanOutAll, openLimits } from "../../support/ledger.ts";

describe("the gauges", () => {
  const database = useDatabase();
  const setUp = async () => {
    const clock = createTestClock(new Date());
    const metrics = createMetrics();
    const deps = {
      db: database.db,
      clock,
      metrics,
      queue: { counts: async () => ({ waiting: 3, active: 1, delayed: 0, failed: 0 }) },
    };
    const read = async (name: string) => {
      await updateGauges(deps);
      const { text } = await metrics.render();
      const line = text.split("\n").find((one) => one.startsWith(`${name} `));
      return Number(line?.slice(name.length + 1));
    };
    return { clock, read, metrics, deps };
  };

  it("show the size of the outbox, and its oldest event", async () => {
    const { clock, read } = await setUp();
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { occurred_at } = await anEvent(database.db, { enterprise_id });
    clock.set(new Date(occurred_at.getTime() + 90_000));
    expect(await read("webhook_outbox_rows")).to.equal(1);
    expect(await read("webhook_outbox_oldest_seconds")).to.equal(90);
    await fanOutAll(database.db);
    expect(await read("webhook_outbox_rows")).to.equal(0);
    expect(await read("webhook_outbox_oldest_seconds")).to.equal(0);
  });

  it("show the delay of the oldest overdue delivery", async () => {
    const { clock, read } = await setUp();
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    await anEvent(database.db, { enterprise_id });
    await fanOutAll(database.db, openLimits(clock.now()));
    clock.advance(240_000);
    expect(await read("webhook_past_due_seconds")).to.equal(240);
    // Throttled subscriptions are not late, and disabled ones do not count.
    const throttle = (until: Date | null) =>
      rowsOf(
        database.db,
        "UPDATE subscription_health SET throttled_until = ? WHERE subscription_id = ?",
        [until, id],
      );
    await throttle(new Date(clock.now().getTime() + 1_000));
    expect(await read("webhook_past_due_seconds")).to.equal(0);
    await throttle(null);
    // With an open circuit, lateness starts at the time of the probe.
    const probe = (at: Date | null) =>
      rowsOf(database.db, "UPDATE subscription_health SET probe_at = ? WHERE subscription_id = ?", [
        at,
        id,
      ]);
    await probe(new Date(clock.now().getTime() + 1_000));
    expect(await read("webhook_past_due_seconds")).to.equal(0);
    await probe(new Date(clock.now().getTime() - 10_000));
    expect(await read("webhook_past_due_seconds")).to.equal(10);
    await probe(null);
    await rowsOf(database.db, "UPDATE subscriptions SET is_active = false WHERE id = ?", [id]);
    expect(await read("webhook_past_due_seconds")).to.equal(0);
    expect(await read('webhook_subscriptions{state="off"}')).to.equal(1);
  });

  it("are updated even if one of them cannot be read", async () => {
    const { metrics, deps } = await setUp();
    const away = { counts: async () => Promise.reject(new Error("queue away")) };
    const failed = await updateGauges({ ...deps, queue: away }).catch(
      (error: Error) => error.message,
    );
    expect(failed).to.equal("queue away");
    const { text } = await metrics.render();
    expect(text).to.include('webhook_subscriptions{state="active"}');
  });
});
