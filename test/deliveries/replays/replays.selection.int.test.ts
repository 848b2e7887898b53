import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { aSubscription } from "../../support/factories.ts";
import { useReplays } from "../../support/replay-harness.ts";
import { hasNoGap, readMade, seedPast } from "../../support/replays.ts";
import { aCaller } from "../../support/webhook-api.ts";

const path = "/webhooks/deliveries/replay";

describe("a replay of a selection", () => {
  const t = useReplays();
  const idsOf = (seeded: readonly { deliveryId: number | null }[]): number[] =>
    seeded.map(({ deliveryId }) => deliveryId ?? 0);

  it("creates a delivery of each, with one replay per webhook", async () => {
    const other = await aSubscription(t.db, { enterprise_id: t.enterpriseId });
    const own = idsOf(await t.past({ state: "dead" }, { state: "delivered" }));
    const others = idsOf(await seedPast(t.db, other, [{ state: "cancelled" }]));
    const woken = t.api.dueCalls();
    const { status, body } = await t.call("POST", path, { deliveries: [...others, ...own] });
    expect(status).to.equal(202);
    expect(body["refused"]).to.deep.equal([]);
    expect(body["replays"]).to.have.length(2);
    const made = await Promise.all(body["replays"].map((id: number) => readMade(t.db, id)));
    const expected = made.flat().map((row) => ({ id: row.replay_of, delivery_id: row.id }));
    expect(body["replayed"]).to.have.deep.members(expected).and.to.have.length(3);
    expect(made.flat().map(({ state }) => state)).to.deep.equal(["pending", "pending", "pending"]);
    expect(await hasNoGap(t.db, t.sub.id)).to.equal(true);
    expect(await hasNoGap(t.db, other.id)).to.equal(true);
    expect(t.api.dueCalls()).to.be.greaterThan(woken);

    const [first] = body["replays"];
    const shown = await t.show(first);
    expect(shown).to.include({ state: "done", made: 2, total: 2 });
    expect(shown["criteria"]["deliveries"]).to.have.members(own);
    const [entry] = await rowsOf<{ changes: { replay: { to: object } } }>(
      t.db,
      "SELECT changes FROM audit_entries WHERE object = 'webhook' AND object_id = ? ORDER BY id DESC",
      [String(t.sub.id)],
    );
    expect(entry?.changes.replay.to).to.deep.equal({ id: first, deliveries: own });
  });

  it("reports refused deliveries, and replays the rest", async () => {
    const pulled = await aSubscription(t.db, { enterprise_id: t.enterpriseId, mode: "pull" });
    const [live = 0, dead = 0, gone = 0] = idsOf(
      await t.past({ state: "retry" }, { state: "dead" }, { state: "dead", isEventGone: true }),
    );
    const [kept = 0] = idsOf(await seedPast(t.db, pulled, [{ state: "available" }]));
    const ids = [live, dead, gone, kept, 999_999_999];
    const { body } = await t.call("POST", path, { deliveries: ids });
    expect(body["replayed"].map(({ id }: { id: number }) => id)).to.deep.equal([dead]);
    const refused = new Map<number, string>(
      body["refused"].map(({ id, detail }: { id: number; detail: string }) => [id, detail]),
    );
    expect([...refused.keys()]).to.have.members(ids.filter((id) => id !== dead));
    expect(refused.get(live)).to.contain("has not ended");
    expect(refused.get(gone)).to.contain("no longer stored");
    expect(refused.get(kept)).to.contain("in pull mode");
    expect(refused.get(999_999_999)).to.contain("was not found");
    // The deliveries of the first replay have not ended yet.
    const again = (await t.call("POST", path, { deliveries: [dead] })).body;
    expect([again["replayed"], again["replays"]]).to.deep.equal([[], []]);
    expect(again["refused"][0].detail).to.contain("another delivery that has not ended");
  });

  it("replays an event once if two of its deliveries are selected", async () => {
    const [first] = await t.past({ state: "dead" });
    const one = (await t.call("POST", path, { deliveries: idsOf([first!]) })).body;
    const [{ delivery_id: second }] = one["replayed"];
    await rowsOf(t.db, "UPDATE deliveries SET state = 'dead', ended_at = now() WHERE id = ?", [
      second,
    ]);
    const { body } = await t.call("POST", path, { deliveries: [first!.deliveryId, second] });
    const made = new Set(body["replayed"].map((row: { delivery_id: number }) => row.delivery_id));
    expect([body["replayed"].length, made.size]).to.deep.equal([2, 1]);
    expect(await t.show(body["replays"][0])).to.include({ made: 1, total: 1, waiting: 1 });
  });

  it("finds none of another enterprise, and accepts a hundred at once", async () => {
    const [dead] = idsOf(await t.past({ state: "dead" }));
    const stranger = t.api.as(await aCaller(t.db));
    const { body } = await stranger("POST", path, { deliveries: [dead] });
    expect(body["replayed"]).to.deep.equal([]);
    expect(body["refused"]).to.deep.equal([
      { id: dead, detail: `Delivery ${dead} was not found.` },
    ]);
    const ids = Array.from({ length: 101 }, (_, n) => n + 1);
    for (const deliveries of [ids, [], [1, 1], ["1"], undefined]) {
      expect((await t.call("POST", path, { deliveries })).status).to.equal(400);
    }
  });
});
