import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useReplays } from "../../support/replay-harness.ts";
import { hasNoGap, readMade, type Seed } from "../../support/replays.ts";
import { aCaller } from "../../support/webhook-api.ts";

const hourMs = 3_600_000;

describe("the recovery of a webhook", () => {
  const t = useReplays();
  const at = (inMs: number): Date => new Date(t.api.clock.now().getTime() + inMs);
  const since = () => ({ since: at(-2 * hourMs).toISOString() });
  const path = (more = "") => `/webhooks/${t.sub.id}/recover${more}`;
  const change = (id: number | null | undefined, columns: object) =>
    t.db("deliveries").where({ id }).update(columns);
  const dueOf = async (id: number | null | undefined): Promise<Date | undefined> =>
    (await rowsOf<{ due_at: Date }>(t.db, "SELECT due_at FROM deliveries WHERE id = ?", [id]))[0]
      ?.due_at;
  /** Deliveries that failed once, an hour ago, and are due again in an hour. */
  const failing = async (...seeds: Seed[]) => {
    const seeded = await t.past(...seeds.map((seed) => ({ state: "retry", ...seed })));
    for (const { deliveryId } of seeded) {
      const tried = { attempts: 1, queued_at: at(-hourMs), due_at: at(hourMs) };
      await change(deliveryId, tried);
    }
    return seeded;
  };

  type Change = readonly [inMs: number, isActive: boolean, filters?: string, conditions?: string];
  /** Replaces the history of the webhook: since when it was on or off, and its settings. */
  const wasOn = async (...changes: readonly Change[]) => {
    const { id } = t.sub;
    const older = t.db("subscription_revisions").where({ subscription_id: id });
    await older.clone().where("revision", "<=", 0).delete();
    await older.update({ valid_from: at(0) });
    for (const [index, settings] of changes.entries()) {
      const [inMs, isActive, filters = "*", conditions = null] = settings;
      await rowsOf(
        t.db,
        `INSERT INTO subscription_revisions
           (revision, subscription_id, enterprise_id, valid_from, is_active, is_ordered, filters,
            conditions)
         VALUES (?, ?, ?, ?, ?, false, ?, ?)`,
        [
          ...[index - changes.length, id, t.sub.enterprise_id, at(inMs), isActive],
          ...[[filters], conditions],
        ],
      );
    }
  };

  it("leaves out events from before the webhook, and those of times at which it was on", async () => {
    const minute = 60_000;
    t.api.clock.set(new Date()); // the age of an event counts from the time of the machine
    await wasOn([-90 * minute, true], [-60 * minute, false], [-30 * minute, true]);
    const [, , off, changing] = await t.past(
      { key: "ticket:1", ageMs: 100 * minute },
      { key: "ticket:2", ageMs: 75 * minute },
      { key: "ticket:3", ageMs: 45 * minute },
      { key: "ticket:4", ageMs: 30 * minute - 2_000 },
      { key: "ticket:5", ageMs: 10 * minute },
    );
    expect((await t.call("POST", path("/preview"), since())).body["count"]).to.equal(2);
    const { body } = await t.call("POST", path(), since());
    await t.api.finish(body["id"]);
    expect(await t.eventsOf(body["id"])).to.deep.equal([off?.eventRowId, changing?.eventRowId]);
  });

  it("leaves out events that the filters or conditions of their time left out", async () => {
    const minute = 60_000;
    t.api.clock.set(new Date());
    await wasOn(
      [-180 * minute, false, "*"],
      [-70 * minute, false, "media.*"],
      [-50 * minute, false, "*", '{"props.state":"done"}'],
      [-30 * minute, true, "ticket.*"],
    );
    const done = { props: { state: "done" } };
    const [wide, , , held] = await t.past(
      { key: "ticket:1", ageMs: 80 * minute },
      { key: "ticket:2", ageMs: 60 * minute },
      { key: "ticket:3", ageMs: 40 * minute },
      { key: "ticket:4", ageMs: 40 * minute, body: done },
      { key: "media:1", object: "media", ageMs: 40 * minute, body: done },
    );
    expect((await t.call("POST", path("/preview"), since())).body["count"]).to.equal(2);
    const { body } = await t.call("POST", path(), since());
    await t.api.finish(body["id"]);
    expect(await t.eventsOf(body["id"])).to.deep.equal([wide?.eventRowId, held?.eventRowId]);
  });

  it("creates deliveries for exactly the events undelivered since then", async () => {
    await wasOn([-4 * hourMs, false]);
    const [dead, cancelled, missed] = await t.past(
      { state: "dead", key: "ticket:1" },
      { state: "cancelled", key: "ticket:2" },
      { key: "ticket:3" },
      { state: "delivered", key: "ticket:4" },
      { state: "dead", key: "ticket:5", ageMs: 3 * hourMs },
    );
    const preview = await t.call("POST", path("/preview"), since());
    expect([preview.status, preview.body["count"], preview.body["exact"]]).to.deep.equal([
      200,
      3,
      true,
    ]);
    expect(preview.body["retries"]).to.deep.equal({ count: 0, more: false });
    const { status, body, headers } = await t.call("POST", path(), since());
    expect(status).to.equal(202);
    expect(headers.get("location")).to.equal(`/api/webhooks/replays/${body["id"]}`);
    expect(body["criteria"]).to.deep.include({ undelivered: true, until: null });
    await t.api.finish(body["id"]);
    expect(await t.eventsOf(body["id"])).to.deep.equal([
      dead?.eventRowId,
      cancelled?.eventRowId,
      missed?.eventRowId,
    ]);
    expect(await hasNoGap(t.db, t.sub.id)).to.equal(true);
  });

  it("skips events that arrived before a replay of them failed", async () => {
    const [arrived] = await t.past({ state: "delivered", ageMs: hourMs });
    const { body: replay } = await t.call(
      "POST",
      `/webhooks/${t.sub.id}/deliveries/${arrived?.deliveryId}/replay`,
    );
    await change(replay["delivery_id"], { state: "dead", attempts: 10, ended_at: at(0) });
    const { body } = await t.call("POST", path(), since());
    await t.api.finish(body["id"]);
    expect(await readMade(t.db, body["id"])).to.deep.equal([]);
  });

  it("expedites retries since then, once, and probes the open circuit", async () => {
    const [first, second] = await failing({ key: "ticket:1" }, { key: "ticket:2" });
    const [old] = await failing({ key: "ticket:3", ageMs: 3 * hourMs });
    await t
      .db("subscription_health")
      .where({ subscription_id: t.sub.id })
      .update({ probe_at: at(60_000), failures_in_row: 20 });
    const preview = await t.call("POST", path("/preview"), since());
    expect(preview.body["retries"]).to.deep.equal({ count: 2, more: false });
    const { body } = await t.call("POST", path(), since());
    const now = t.api.clock.now();
    expect(body["retries"]).to.deep.equal({ count: 2, more: false });
    expect([await dueOf(first?.deliveryId), await dueOf(second?.deliveryId)]).to.deep.equal([
      now,
      now,
    ]);
    expect(await dueOf(old?.deliveryId)).to.deep.equal(at(hourMs));
    const [health] = await rowsOf<{ probe_at: Date }>(
      t.db,
      "SELECT probe_at FROM subscription_health WHERE subscription_id = ?",
      [t.sub.id],
    );
    expect(health?.probe_at).to.deep.equal(now);
  });

  it("expedites further retries in its task, but none that failed again", async () => {
    const many = await failing(
      ...Array.from({ length: 1_001 }, (_, index) => ({ key: `ticket:${index}` })),
    );
    const { body } = await t.call("POST", path(), since());
    expect(body["retries"]).to.deep.equal({ count: 1_001, more: false });
    const planned = async () =>
      (
        await rowsOf<{ id: number }>(
          t.db,
          "SELECT id FROM deliveries WHERE subscription_id = ? AND due_at > ? ORDER BY id",
          [t.sub.id, t.api.clock.now()],
        )
      ).map(({ id }) => id);
    expect((await planned()).length).to.equal(1);
    // It was attempted after the recovery was requested, so its next attempt is unchanged.
    const failed = many[0]?.deliveryId ?? 0;
    await change(failed, { queued_at: at(1_000), due_at: at(2 * hourMs) });
    await t.api.finish(body["id"]);
    expect(await planned()).to.deep.equal([failed]);
  });

  it("runs alone, so that an event gets one delivery", async () => {
    await t.past({ state: "dead" });
    const both = await Promise.all([
      t.call("POST", path(), since()),
      t.call("POST", path(), since()),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([202, 409]);
    const started = both.find(({ status }) => status === 202);
    await t.api.finish(started?.body["id"]);
    const again = await t.call("POST", path(), since());
    expect(again.status).to.equal(202);
    await t.api.finish(again.body["id"]);
    expect((await readMade(t.db, started?.body["id"])).length).to.equal(1);
    expect(await readMade(t.db, again.body["id"])).to.deep.equal([]);
  });

  it("is refused for a webhook that is off or pulled, and not found for another enterprise", async () => {
    const stranger = t.api.as(await aCaller(t.db));
    expect((await stranger("POST", path(), since())).status).to.equal(404);
    expect((await stranger("POST", path("/preview"), since())).status).to.equal(404);
    expect((await t.call("POST", path(), {})).status).to.equal(400);
    expect((await t.call("POST", path(), { since: "yesterday" })).status).to.equal(400);
    const typo = await t.call("POST", path(), { since: "2126-11-20" });
    expect(typo.status).to.equal(400);
    expect(typo.body["errors"]).to.deep.equal([{ field: "since", reason: "future" }]);
    const set = (columns: object) => t.db("subscriptions").where({ id: t.sub.id }).update(columns);
    await set({ is_active: false });
    expect((await t.call("POST", path(), since())).body["detail"]).to.contain("is disabled");
    await set({ is_active: true, mode: "pull" });
    expect((await t.call("POST", path(), since())).status).to.equal(409);
  });
});
