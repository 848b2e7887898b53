import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { lockReplay } from "../../../src/deliveries/replays/store.ts";
import { useReplays } from "../../support/replay-harness.ts";
import { hasNoGap, readMade } from "../../support/replays.ts";
import { aCaller } from "../../support/webhook-api.ts";

describe("replays that are under way", () => {
  const t = useReplays();
  const act = (id: number, action: string) => t.call("POST", `/webhooks/replays/${id}/${action}`);

  it("pause, resume, and end when they are cancelled", async () => {
    await t.past(
      ...Array.from({ length: 30 }, (_, n) => ({ state: "dead", key: `ticket:${n % 3}` })),
    );
    const id = await t.ask({ rate: 10 });
    await t.api.run(id);
    const paused = await act(id, "pause");
    expect(paused.body).to.include({ state: "paused", made: 10, estimated_end: null });
    t.api.clock.advance(5_000);
    await t.api.run(id);
    expect(await readMade(t.db, id)).to.have.lengthOf(10);
    expect((await act(id, "resume")).body).to.include({ state: "running" });
    await t.api.run(id);
    expect(await readMade(t.db, id)).to.have.lengthOf(20);
    const running = await t.show(id);
    expect(running["deliveries_per_second"]).to.be.greaterThan(0);
    expect(running["estimated_end"]).to.be.a("string");
    const [first] = await readMade(t.db, id);
    await rowsOf(t.db, "UPDATE deliveries SET state = 'sending' WHERE id = ?", [first?.id]);
    const cancelled = await act(id, "cancel");
    expect(cancelled.body).to.include({
      state: "cancelled",
      made: 20,
      cancelled: 19,
      waiting: 1,
    });
    await rowsOf(t.db, "UPDATE deliveries SET state = 'retry' WHERE id = ?", [first?.id]);
    await t.api.runUntil(id, async () => (await t.show(id))["waiting"] === 0);
    const made = await readMade(t.db, id);
    expect(new Set(made.map(({ state, end_reason }) => `${state} ${end_reason}`))).to.deep.equal(
      new Set(["cancelled replay_cancelled"]),
    );
    expect(await hasNoGap(t.db, t.sub.id)).to.equal(true);
    expect(await t.hasOpenTask(id)).to.equal(false);
  });

  it("leave to another replay what that one takes over meanwhile", async () => {
    const keys = ["ticket:1", "ticket:2", "ticket:3", "ticket:4"];
    const seeded = await t.past(...keys.map((key) => ({ state: "dead", key })));
    const [delivered, failed, waiting, left] = seeded.map(({ eventRowId }) => eventRowId);
    const first = await t.ask({ rate: 3 });
    const second = await t.ask();
    await t.api.run(first);
    expect(await t.eventsOf(first)).to.deep.equal([delivered, failed, waiting]);
    await rowsOf(
      t.db,
      `UPDATE deliveries SET ended_at = now(),
         state = CASE WHEN event_row_id = ? THEN 'delivered' ELSE 'dead' END
       WHERE replay_id = ? AND event_row_id <> ?`,
      [delivered, first, waiting],
    );
    await t.api.finish(second);
    expect(await t.eventsOf(second)).to.deep.equal([failed, left]);
    expect(await t.show(second)).to.include({ state: "done", total: 4, made: 2, skipped: 2 });
    await t.api.finish(first);
    expect(await t.eventsOf(first)).to.have.lengthOf(3);
    expect(await hasNoGap(t.db, t.sub.id)).to.equal(true);
  });

  it("do not block a settlement of theirs while they are locked", async () => {
    await t.past({ state: "dead" });
    const id = await t.ask();
    await t.api.run(id);
    const [made] = await readMade(t.db, id);
    const settle = async (): Promise<void> =>
      inTransaction(t.db, async (trx) => {
        await rowsOf(trx, "SET LOCAL lock_timeout = '2s'");
        // Inserting a row makes Postgres lock the rows that it references.
        for (const state of ["sending", "queued"]) {
          await rowsOf(trx, "UPDATE deliveries SET state = ? WHERE id = ?", [state, made?.id]);
        }
      });
    await inTransaction(t.db, async (trx) => {
      const { enterpriseId } = t;
      expect(await lockReplay(trx, { enterpriseId, id })).to.include({ id });
      await settle();
    });
  });

  it("refuse an action that their state does not allow, and name it", async () => {
    await t.past({ state: "dead" });
    const id = await t.ask();
    const early = await act(id, "pause");
    expect([early.status, early.body["details"]]).to.deep.equal([
      409,
      "Transition counting → paused",
    ]);
    await t.api.finish(id);
    for (const [action, to] of [
      ["pause", "paused"],
      ["resume", "running"],
      ["cancel", "cancelled"],
    ] as const) {
      const late = await act(id, action);
      expect([late.status, late.body["details"]]).to.deep.equal([409, `Transition done → ${to}`]);
    }
  });

  it("are at most three of a webhook", async () => {
    const ids = [await t.ask(), await t.ask(), await t.ask()];
    const refused = await t.call("POST", `/webhooks/${t.sub.id}/replay`, {});
    expect(refused.status).to.equal(409);
    await act(ids[0] ?? 0, "cancel");
    await t.ask();
  });

  it("are listed by webhook and state; invalid values are named", async () => {
    const ids = [await t.ask(), await t.ask()];
    await act(ids[0] ?? 0, "cancel");
    const found = async (query: string): Promise<[number, number[]]> => {
      const { body } = await t.call("GET", `/webhooks/replays?${query}`);
      return [body["total"], body["data"].map(({ id }: { id: number }) => id)];
    };
    expect(await found("state=cancelled,done")).to.deep.equal([1, [ids[0]]]);
    expect(await found(`webhook=${t.sub.id}`)).to.deep.equal([2, [ids[1], ids[0]]]);
    expect(await found(`webhook=${t.sub.id}&state=counting`)).to.deep.equal([1, [ids[1]]]);
    expect(await found("webhook=999999999")).to.deep.equal([0, []]);
    for (const [query, field] of [
      ["state=over", "state"],
      ["webhook=x", "webhook"],
    ] as const) {
      const { status, body } = await t.call("GET", `/webhooks/replays?${query}`);
      expect([status, body["errors"]?.[0]?.field ?? body["details"]]).to.deep.include(400);
      expect(JSON.stringify(body)).to.contain(field);
    }
  });

  it("are listed for their own enterprise only, newest first", async () => {
    const ids = [await t.ask(), await t.ask()];
    const list = await t.call("GET", "/webhooks/replays?limit=1");
    expect(list.body).to.include({ total: 2 });
    expect(list.body["data"].map(({ id }: { id: number }) => id)).to.deep.equal([ids[1]]);
    const stranger = t.api.as(await aCaller(t.db));
    expect((await stranger("GET", "/webhooks/replays")).body).to.deep.equal({
      total: 0,
      data: [],
    });
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/pause"],
      ["POST", "/cancel"],
    ] as const) {
      expect((await stranger(method, `/webhooks/replays/${ids[0]}${path}`)).status).to.equal(404);
    }
    expect((await stranger("POST", `/webhooks/${t.sub.id}/replay`, {})).status).to.equal(404);
    const preview = await stranger("POST", `/webhooks/${t.sub.id}/replay/preview`, {});
    expect(preview.status).to.equal(404);
    expect(await t.show(ids[0] ?? 0)).to.include({ state: "counting" });
  });

  it("leave nothing behind if a step cannot be committed", async () => {
    await t.past({ state: "dead" }, { state: "dead", key: "ticket:2" });
    const id = await t.ask();
    await rowsOf(
      t.db,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    );
    await rowsOf(
      t.db,
      `CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE OF made ON replays
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.made > 0) EXECUTE FUNCTION refuse()`,
    );
    const failed = await t.api.run(id).catch((thrown: unknown) => thrown);
    expect(String(failed)).to.contain("no");
    expect(await t.show(id)).to.include({ state: "running", made: 0 });
    expect(await readMade(t.db, id)).to.have.lengthOf(0);
    expect(await hasNoGap(t.db, t.sub.id)).to.equal(true);
    await rowsOf(t.db, "DROP FUNCTION refuse CASCADE");
    await t.api.finish(id);
    expect(await t.show(id)).to.include({ state: "done", made: 2 });
  });

  it("write an audit entry for each action of a user", async () => {
    const id = await t.ask({ object: "ticket", rate: 7 });
    await act(id, "cancel");
    const entries = await rowsOf<{
      action: string;
      object: string;
      object_id: string;
      changes: object;
    }>(
      t.db,
      `SELECT action, object, object_id, changes FROM audit_entries WHERE enterprise_id = ?
       ORDER BY id`,
      [t.enterpriseId],
    );
    const about = { action: "update", object: "webhook", object_id: String(t.sub.id) };
    expect(entries).to.deep.equal([
      {
        ...about,
        changes: { replay: { to: { id, status: ["dead"], rate: 7, object: "ticket" } } },
      },
      {
        ...about,
        changes: { replay: { from: { id, state: "counting" }, to: { id, state: "cancelled" } } },
      },
    ]);
  });
});
