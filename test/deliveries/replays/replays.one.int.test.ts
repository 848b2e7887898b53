import { expect } from "chai";
import { createAudit } from "../../../src/audit/audit-log.ts";
import { createReplays } from "../../../src/deliveries/replays/service.ts";
import { createTasks } from "../../../src/platform/tasks/task.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useReplays } from "../../support/replay-harness.ts";
import { hasNoGap, readMade } from "../../support/replays.ts";
import { aCaller } from "../../support/webhook-api.ts";

describe("a replay of one delivery", () => {
  const t = useReplays();
  const repeat = (deliveryId: number | null | undefined) =>
    t.call("POST", `/webhooks/${t.sub.id}/deliveries/${deliveryId}/replay`);

  it("creates one delivery of the event immediately, and returns it", async () => {
    const [dead] = await t.past({ state: "dead", key: "ticket:7" });
    const woken = t.api.dueCalls();
    const { status, body, headers } = await repeat(dead?.deliveryId);
    expect(status).to.equal(202);
    expect(headers.get("location")).to.equal(`/api/webhooks/replays/${body["id"]}`);
    expect(body).to.include({ state: "done", total: 1, made: 1, waiting: 1, progress: 0 });
    expect(body["criteria"]["delivery"]).to.equal(dead?.deliveryId);
    expect(await readMade(t.db, body["id"])).to.deep.equal([
      {
        id: body["delivery_id"],
        sequence: 2,
        event_row_id: dead?.eventRowId,
        state: "pending",
        waits_for: null,
        replay_of: dead?.deliveryId,
        end_reason: null,
      },
    ]);
    expect(t.api.dueCalls()).to.be.greaterThan(woken);
    expect(await hasNoGap(t.db, t.sub.id)).to.equal(true);
  });

  it("has the time of its delivery, by which the log finds it", async () => {
    const [dead] = await t.past({ state: "dead" });
    let ms = 0;
    const clock = { now: () => new Date(Date.UTC(2026, 10, 20) + (ms += 5)) };
    const tasks = createTasks({ clock, wake: () => undefined });
    const deps = { db: t.db, clock, tasks, onDue: () => undefined, retentionDays: 30 };
    const replays = createReplays({ ...deps, audit: createAudit() });
    const admin = await aCaller(t.db, "admin", t.enterpriseId);
    const { replay, deliveryId } = await replays.repeat(admin, t.sub.id, dead?.deliveryId ?? 0);
    const sql = "SELECT created_at FROM deliveries WHERE id = ?";
    const [made] = await rowsOf<{ created_at: Date }>(t.db, sql, [deliveryId]);
    expect(replay.ended).to.deep.equal(replay.created);
    expect(made?.created_at).to.deep.equal(replay.created);
  });

  it("refuses a live delivery, and an event with another live delivery", async () => {
    const [live, dead] = await t.past({ state: "retry" }, { state: "dead" });
    const refused = await repeat(live?.deliveryId);
    expect(refused.status).to.equal(409);
    expect(refused.body["detail"]).to.contain("has not ended: its state is retry");
    expect((await repeat(dead?.deliveryId)).status).to.equal(202);
    const again = await repeat(dead?.deliveryId);
    expect(again.status).to.equal(409);
    expect(again.body["detail"]).to.contain("another delivery that has not ended");
    expect(await hasNoGap(t.db, t.sub.id)).to.equal(true);
  });

  it("refuses an event without content", async () => {
    const [expunged, gone] = await t.past(
      { state: "dead", isExpunged: true },
      { state: "delivered", isEventGone: true },
    );
    const first = await repeat(expunged?.deliveryId);
    expect([first.status, first.body["detail"]]).to.deep.equal([
      409,
      `The content of the event of delivery ${expunged?.deliveryId} was removed.`,
    ]);
    const second = await repeat(gone?.deliveryId);
    expect([second.status, second.body["detail"]]).to.deep.equal([
      409,
      `The event of delivery ${gone?.deliveryId} is no longer stored.`,
    ]);
  });

  it("joins the backlog of a webhook that is off", async () => {
    const [dead] = await t.past({ state: "dead" });
    await rowsOf(t.db, "UPDATE subscriptions SET is_active = false WHERE id = ?", [t.sub.id]);
    const { status, body } = await repeat(dead?.deliveryId);
    expect(status).to.equal(202);
    const [made] = await readMade(t.db, body["id"]);
    expect(made?.state).to.equal("paused");
  });

  it("refuses a pull webhook, and finds none of another enterprise", async () => {
    const [dead] = await t.past({ state: "dead" });
    const stranger = t.api.as(await aCaller(t.db));
    const path = `/webhooks/${t.sub.id}/deliveries/${dead?.deliveryId}/replay`;
    expect((await stranger("POST", path)).status).to.equal(404);
    expect((await repeat(999_999_999)).status).to.equal(404);
    await rowsOf(t.db, "UPDATE subscriptions SET mode = 'pull' WHERE id = ?", [t.sub.id]);
    for (const one of [
      path,
      `/webhooks/${t.sub.id}/replay`,
      `/webhooks/${t.sub.id}/replay/preview`,
    ]) {
      const answer = await t.call("POST", one);
      expect([answer.status, answer.body["detail"]]).to.deep.equal([
        409,
        "A webhook in pull mode keeps its events: pull them again from an older cursor.",
      ]);
    }
  });
});
