import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { aSubscription } from "../../support/factories.ts";
import { useReplays } from "../../support/replay-harness.ts";
import { hasNoGap, readMade, seedPast } from "../../support/replays.ts";

describe("a replay of many", () => {
  const t = useReplays();
  it("delivers dead deliveries again, each once, in order and with contiguous sequences", async () => {
    const seeded = await t.past(
      { state: "dead", key: "ticket:1" },
      { state: "delivered", key: "ticket:1" },
      { state: "dead", key: "ticket:2" },
      { state: "dead", key: "ticket:1" },
      { state: "cancelled", key: "ticket:1" },
      { state: "retry", key: "ticket:3" },
    );
    const id = await t.ask();
    expect(await t.show(id)).to.include({ state: "counting", total: null, progress: 0 });
    await t.api.run(id);
    const made = await readMade(t.db, id);
    expect(made.map((one) => [one.event_row_id, one.sequence, one.waits_for])).to.deep.equal([
      [seeded[0]?.eventRowId, 7, null],
      [seeded[2]?.eventRowId, 8, null],
      [seeded[3]?.eventRowId, 9, 7],
    ]);
    expect(await hasNoGap(t.db, t.sub.id)).to.equal(true);
    await t.api.finish(id);
    expect(await t.show(id)).to.include({
      state: "done",
      total: 3,
      made: 3,
      skipped: 0,
      delivered: 3,
      waiting: 0,
      progress: 1,
    });
    expect(await t.hasOpenTask(id)).to.equal(false);
  });

  it("waits for a live delivery of the same object", async () => {
    await t.past({ state: "dead", key: "ticket:1" }, { state: "pending", key: "ticket:1" });
    const id = await t.ask();
    await t.api.run(id);
    expect((await readMade(t.db, id)).map((one) => one.waits_for)).to.deep.equal([2]);
    await t.api.finish(id);
  });

  it("applies every condition", async () => {
    const hour = 3_600_000;
    const seeded = await t.past(
      { state: "dead", result: "5xx", ageMs: 5 * hour },
      { state: "dead", result: "timeout_response", ageMs: 2 * hour },
      { state: "delivered", result: "2xx", object: "media", ageMs: 2 * hour },
      {
        state: "cancelled",
        object: "conversationevent",
        event: "create",
        eventType: "media.OCRDone",
        ageMs: hour,
      },
    );
    const at = (age: number) => new Date(Date.now() - age).toISOString();
    const cases: [object, number[]][] = [
      [{}, [0, 1]],
      [{ result: "5xx" }, [0]],
      [{ since: at(3 * hour) }, [1]],
      [{ until: at(3 * hour) }, [0]],
      [{ status: "delivered" }, [2]],
      [{ status: ["dead", "cancelled"] }, [0, 1, 3]],
      [{ status: "dead,delivered,cancelled" }, [0, 1, 2, 3]],
      [{ status: "dead,delivered", object: "media" }, [2]],
      [{ status: "delivered,cancelled", eventType: "media.OCRDone" }, [3]],
      [{ status: "dead,delivered,cancelled", since: at(3 * hour), until: at(1.5 * hour) }, [1, 2]],
    ];
    for (const [criteria, wanted] of cases) {
      const preview = await t.call("POST", `/webhooks/${t.sub.id}/replay/preview`, criteria);
      expect(preview.status).to.equal(200);
      expect(preview.body["examples"], JSON.stringify(criteria)).to.have.members(
        wanted.map((index) => seeded[index]?.eventId),
      );
      expect(preview.body).to.include({ count: wanted.length, exact: true, skipped: 0 });
    }
    const [last] = cases.slice(-1);
    const id = await t.ask(last?.[0]);
    await t.api.finish(id);
    expect(await t.eventsOf(id)).to.deep.equal(last?.[1].map((index) => seeded[index]?.eventRowId));
  });

  it("selects an event by its newest delivery: one delivered by a replay is not dead", async () => {
    const [saved, lost] = await t.past({ state: "dead" }, { state: "dead", key: "ticket:2" });
    const first = await t.ask();
    await t.api.run(first);
    await rowsOf(
      t.db,
      `UPDATE deliveries SET ended_at = now(), waits_for = NULL,
         state = CASE WHEN event_row_id = ? THEN 'delivered' ELSE 'dead' END
       WHERE replay_id = ?`,
      [saved?.eventRowId, first],
    );
    await t.api.finish(first);
    const second = await t.ask();
    await t.api.finish(second);
    expect(await t.eventsOf(second)).to.deep.equal([lost?.eventRowId]);
  });

  it("finds never attempted events, by the current filters of the webhook", async () => {
    const seeded = await t.past(
      { key: "ticket:1" },
      { object: "media", key: "media:1" },
      { state: "delivered" },
      { body: { props: { state: "closed" } }, key: "ticket:2" },
      { key: "ticket:3", isExpunged: true },
      { ageMs: 40 * 86_400_000 },
    );
    const other = await aSubscription(t.db, { enterprise_id: t.enterpriseId });
    await seedPast(t.db, other, [{ state: "delivered", key: "ticket:4" }]);
    const [waiting] = await t.past({ key: "ticket:5" });
    await rowsOf(
      t.db,
      `INSERT INTO outbox (event_row_id, occurred_at, enterprise_id)
       SELECT id, occurred_at, enterprise_id FROM events WHERE id = ?`,
      [waiting?.eventRowId],
    );
    const id = await t.ask({ status: "never_attempted" });
    await t.api.finish(id);
    const made = await t.eventsOf(id);
    expect(made.slice(0, 2)).to.deep.equal([seeded[0]?.eventRowId, seeded[3]?.eventRowId]);
    expect(made, "and the one that only the other webhook got").to.have.lengthOf(3);
    expect(await t.show(id)).to.include({ state: "done", total: 4, made: 3, skipped: 1 });
    await rowsOf(t.db, "UPDATE subscriptions SET filters = ?, conditions = ? WHERE id = ?", [
      ["*"],
      JSON.stringify({ object: "media" }),
      t.sub.id,
    ]);
    const second = await t.ask({ status: "never_attempted" });
    await t.api.finish(second);
    expect(await t.eventsOf(second)).to.deep.equal([seeded[1]?.eventRowId]);
  });

  it("ignores deliveries newer than its request", async () => {
    const [dead] = await t.past({ state: "dead" });
    const id = await t.ask({ status: "dead,never_attempted" });
    await t.past({ state: "dead", key: "ticket:8" }, { key: "ticket:9" });
    await t.api.finish(id);
    expect(await t.eventsOf(id)).to.deep.equal([dead?.eventRowId]);
  });

  it("counts events without content, and skips them", async () => {
    await t.past(
      { state: "dead", isExpunged: true },
      { state: "dead" },
      { state: "dead", isEventGone: true },
    );
    const preview = await t.call("POST", `/webhooks/${t.sub.id}/replay/preview`, {});
    expect(preview.body).to.include({ count: 1, skipped: 2 });
    const id = await t.ask();
    await t.api.finish(id);
    expect(await t.show(id)).to.include({
      state: "done",
      total: 3,
      made: 1,
      skipped: 2,
      progress: 1,
    });
  });

  it("respects its rate, and the limit of unattempted deliveries", async () => {
    await t.past(...Array.from({ length: 40 }, (_, n) => ({ state: "dead", key: `ticket:${n}` })));
    const id = await t.ask({ rate: 10 });
    const made: number[] = [];
    for (let second = 0; second < 4; second += 1) {
      await t.api.run(id);
      await t.api.run(id);
      made.push((await readMade(t.db, id)).length);
      t.api.clock.advance(1_000);
    }
    expect(made).to.deep.equal([10, 20, 30, 40]);
    await t.api.finish(id);
  });

  it("keeps at most 500 unattempted deliveries", async () => {
    await t.past(...Array.from({ length: 520 }, (_, n) => ({ state: "dead", key: `ticket:${n}` })));
    const id = await t.ask({ rate: 400 });
    for (let second = 0; second < 4; second += 1) {
      await t.api.run(id);
      t.api.clock.advance(1_000);
    }
    expect(await readMade(t.db, id)).to.have.lengthOf(500);
    expect(await t.show(id)).to.include({ state: "running", waiting: 500, made: 500, total: 520 });
    await t.api.finish(id);
    expect(await readMade(t.db, id)).to.have.lengthOf(520);
  }).timeout(30_000);

  it("waits while the webhook is off, and fails when it is deleted", async () => {
    await t.past({ state: "dead" });
    await rowsOf(t.db, "UPDATE subscriptions SET is_active = false WHERE id = ?", [t.sub.id]);
    const id = await t.ask();
    await t.api.run(id);
    expect(await t.show(id)).to.include({ state: "running", total: 1, made: 0 });
    await rowsOf(t.db, "UPDATE subscriptions SET deleted_at = now() WHERE id = ?", [t.sub.id]);
    await t.api.finish(id);
    expect(await t.show(id)).to.include({ state: "failed", error: "The webhook was deleted." });
  });

  it("refuses invalid criteria, and names the field", async () => {
    const cases: [object, string][] = [
      [{ status: "gone" }, "status"],
      [{ status: [] }, "status"],
      [{ status: ["dead", "dead"] }, "status"],
      [{ since: "yesterday" }, "since"],
      [{ since: "2126-11-20" }, "since"],
      [{ since: "2026-11-20", until: "2026-11-19" }, "until"],
      [{ rate: 0 }, "rate"],
      [{ rate: 1_001 }, "rate"],
      [{ object: "conference" }, "object"],
      [{ result: "5xx; --" }, "result"],
      [{ result: "5xx", status: "never_attempted" }, "result"],
    ];
    for (const [body, field] of cases) {
      const { status, body: answer } = await t.call("POST", `/webhooks/${t.sub.id}/replay`, body);
      expect([status, answer["errors"]?.[0]?.field], JSON.stringify(body)).to.deep.equal([
        400,
        field,
      ]);
    }
  });

  it("accepts the same by query", async () => {
    await t.past({ state: "cancelled" });
    const answer = await t.call(
      "POST",
      `/webhooks/${t.sub.id}/replay?status=dead,cancelled&rate=5`,
    );
    expect(answer.status).to.equal(202);
    expect(answer.body).to.include({ rate: 5 });
    expect(answer.body["criteria"]["status"]).to.deep.equal(["dead", "cancelled"]);
  });
});
