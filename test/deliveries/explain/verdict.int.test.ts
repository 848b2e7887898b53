import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { cancelDeliveriesOf } from "../../../src/pipeline/ledger/redact.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { reviseSubscription, stampOf, useExplainApi } from "../../support/explain-api.ts";
import type { EventRow } from "../../support/factories.ts";
import { fanOutAll } from "../../support/ledger.ts";

describe("explaining why there is no delivery", () => {
  const database = useDatabase();
  const api = useExplainApi(database);

  /** Whether the millisecond of the newest event has passed. */
  const isPast = async (): Promise<boolean> => {
    const [row] = await rowsOf<{ is_past: boolean }>(
      database.db,
      "SELECT clock_timestamp() > max(occurred_at) + interval '1 ms' AS is_past FROM events",
    );
    return row?.is_past === true;
  };

  const redact = (event: EventRow) =>
    inTransaction(database.db, async (trx) => {
      await cancelDeliveriesOf(trx, event.id, new Date());
      await trx.raw("UPDATE events SET body = '', expunged_at = now() WHERE id = ?", [event.id]);
    });

  it("names the mismatch of each filter, by the filters at the time of the event", async () => {
    const id = await api.subscribe({ filters: ["media.*", "ticket.delete"] });
    const event = await api.happen({ object: "ticket", event: "create" });
    await reviseSubscription(database.db, id, { filters: ["ticket.*"] });
    const later = await api.happen({ object: "ticket", event: "create" });
    await fanOutAll(database.db);
    const one = await api.explainOne(event, id);
    expect(one).to.include({ verdict: "filters", delivery: null });
    expect(one["filters"]).to.deep.equal([
      { filter: "media.*", mismatch: "object" },
      { filter: "ticket.delete", mismatch: "event" },
    ]);
    const [changed] = await rowsOf<{ valid_from: Date }>(
      database.db,
      "SELECT max(valid_from) AS valid_from FROM subscription_revisions WHERE subscription_id = ?",
      [id],
    );
    expect(one["until"]).to.equal(stampOf(changed?.valid_from ?? new Date(0)));
    expect((await api.explainOne(later, id))["verdict"]).to.equal("in_flight");
  });

  it("names the unmet condition and the actual value", async () => {
    const id = await api.subscribe({ conditions: '{"props.state":"done","event":"create"}' });
    const event = await api.happen({ body: '{"event":"create","props":{"state":"new"}}' });
    await fanOutAll(database.db);
    const one = await api.explainOne(event, id);
    expect(one["verdict"]).to.equal("conditions");
    expect(one["text"]).to.contain('props.state was "new"');
    expect(one["conditions"]).to.deep.equal([
      { condition: '{"props.state":"done"}', found: [{ path: "props.state", value: '"new"' }] },
    ]);
  });

  it("reports that the webhook was disabled, by whom, and until when", async () => {
    const id = await api.subscribe();
    const cause = { reason: "switched off", changedBy: api.caller.userId };
    await reviseSubscription(database.db, id, { is_active: false }, cause);
    await reviseSubscription(database.db, id, { name: "renamed" });
    const event = await api.happen();
    await fanOutAll(database.db);
    const open = await api.explainOne(event, id);
    expect(open).to.include({ verdict: "off", changed_by: api.caller.login, until: null });
    expect(open["text"]).to.equal(
      "The webhook was disabled when the event happened. A user had disabled it.",
    );
    await reviseSubscription(database.db, id, { is_active: true });
    const closed = await api.explainOne(event, id);
    expect(closed).to.include({ verdict: "off", reason: "switched off" });
    expect(closed["until"]).to.be.a("string");
  });

  it("reports who disabled it, as far as the revision of that time is kept", async () => {
    const id = await api.subscribe({ is_active: false });
    const event = await api.happen();
    const texts: Record<string, string> = {};
    for (const reason of ["created", "changed", "switched off", "failing"]) {
      const cause = { reason, changed_by: reason === "failing" ? null : api.caller.userId };
      await database.db("subscription_revisions").where({ subscription_id: id }).update(cause);
      const { text } = await api.explainOne(event, id);
      texts[reason] = text.replace("The webhook was disabled when the event happened.", "").trim();
    }
    expect(texts).to.deep.equal({
      created: "It had not been enabled yet.",
      changed: "",
      "switched off": "A user had disabled it.",
      failing: "The platform had disabled it, because all its attempts had failed for too long.",
    });
  });

  it("reports why the platform switched it off", async () => {
    const id = await api.subscribe();
    const cause = { reason: "gone", changedBy: null };
    await reviseSubscription(database.db, id, { is_active: false }, cause);
    const one = await api.explainOne(await api.happen(), id);
    expect(one).to.include({ verdict: "off", reason: "gone", changed_by: null });
    expect(one["text"]).to.contain("its receiver responded with 410 (Gone)");
  });

  it("reports that the webhook was created later, or was deleted", async () => {
    const later = await api.subscribe({ valid_from: new Date(Date.now() + 30_000) });
    const before = await api.subscribe();
    const gone = { is_active: false, deleted_at: new Date() };
    await reviseSubscription(database.db, before, gone, {
      reason: "deleted",
      changedBy: api.caller.userId,
    });
    const since = await api.subscribe();
    const event = await api.happen();
    await eventually(isPast); // event times are rounded to milliseconds
    await reviseSubscription(database.db, since, gone);
    await fanOutAll(database.db);
    expect(await api.explainOne(event, later)).to.include({
      verdict: "created_later",
      deleted: false,
    });
    expect(await api.explainOne(event, before)).to.include({
      verdict: "deleted",
      deleted: true,
      changed_by: api.caller.login,
      text: "The webhook had been deleted before the event.",
    });
    expect(await api.explainOne(event, since)).to.include({
      verdict: "deleted",
      text: "The webhook was deleted before the event was fanned out.",
    });
  });

  it("reports that an event about a webhook is not sent to that webhook", async () => {
    const id = await api.subscribe({ filters: ["delivery.*"] });
    const event = await api.happen({
      object: "delivery",
      event: "dead",
      key: `subscription:${id}`,
    });
    await fanOutAll(database.db);
    expect(await api.explainOne(event, id)).to.include({ verdict: "own" });
  });

  it("reports that the event is still in the outbox, or is a dead letter", async () => {
    const id = await api.subscribe();
    const event = await api.happen();
    expect(await api.explainOne(event, id)).to.include({
      verdict: "not_fanned_out",
      delivery: null,
    });
    await rowsOf(
      database.db,
      `WITH gone AS (DELETE FROM outbox WHERE event_row_id = ? RETURNING *)
       INSERT INTO outbox_dead (event_row_id, occurred_at, enterprise_id, reason)
       SELECT event_row_id, occurred_at, enterprise_id, 'a rule was broken' FROM gone`,
      [event.id],
    );
    const one = await api.explainOne(event, id);
    expect(one).to.include({ verdict: "dead_letter" });
    expect(one["text"]).to.contain("a rule was broken");
  });

  it("reports a gap, but not for a delivery that was deleted by retention", async () => {
    const id = await api.subscribe();
    const event = await api.happen();
    const old = await api.happen({ occurred_at: new Date(Date.now() - 31 * 86_400_000) });
    await fanOutAll(database.db);
    await rowsOf(database.db, "DELETE FROM deliveries WHERE subscription_id = ?", [id]);
    expect(await api.explainOne(event, id)).to.include({ verdict: "gap" });
    expect(await api.explainOne(old, id)).to.include({ verdict: "removed" });
    await rowsOf(database.db, "UPDATE enterprises SET log_days = 60 WHERE id = ?", [
      api.caller.enterpriseId,
    ]);
    expect(await api.explainOne(old, id)).to.include({ verdict: "gap" });
  });

  it("reports no gap while the webhook was being changed", async () => {
    const id = await api.subscribe({ filters: ["media.*"] });
    await reviseSubscription(database.db, id, { filters: ["*"] });
    const event = await api.happen();
    await rowsOf(database.db, "DELETE FROM outbox WHERE event_row_id = ?", [event.id]);
    expect(await api.explainOne(event, id)).to.include({ verdict: "changing" });
  });

  it("reports a gap although the content has expired: the event was fanned out long before", async () => {
    const id = await api.subscribe();
    const event = await api.happen();
    await rowsOf(database.db, "DELETE FROM outbox WHERE event_row_id = ?", [event.id]);
    const expire =
      "UPDATE events SET body = '', expunged_at = occurred_at + interval '1 day' WHERE id = ?";
    await rowsOf(database.db, expire, [event.id]);
    expect(await api.explainOne(event, id)).to.include({ verdict: "gap" });
    const { body } = await api.call("GET", "/webhooks/reconcile");
    expect(body["gaps"]).to.have.lengthOf(1);
  });

  it("reports an unknown result, not a gap, if the content was removed before the fan-out", async () => {
    const id = await api.subscribe();
    const before = await api.happen();
    const [event, missing, after] = [await api.happen(), await api.happen(), await api.happen()];
    await redact(event);
    await fanOutAll(database.db);
    expect(await api.explainOne(event, id)).to.include({ verdict: "undetermined" });
    const counts = async () => {
      const { body } = await api.call("GET", `/webhooks/${id}/explain`);
      return (body["verdicts"] as { verdict: string; count: number }[]).map(
        ({ verdict, count }) => `${count} ${verdict}`,
      );
    };
    expect(await counts()).to.have.members(["3 in_flight", "1 undetermined"]);
    const reconcile = async () => (await api.call("GET", "/webhooks/reconcile")).body;
    expect(await reconcile()).to.deep.include({ expected: 3, undetermined: 1, gaps: [] });
    // Its sequence is missing, so it had a delivery.
    await redact(missing);
    await rowsOf(database.db, "DELETE FROM deliveries WHERE event_row_id = ?", [missing.id]);
    await rowsOf(database.db, "DELETE FROM events WHERE id = ?", [event.id]);
    expect(await api.explainOne(missing, id)).to.include({ verdict: "gap" });
    expect(await counts()).to.have.members(["2 in_flight", "1 gap"]);
    expect((await reconcile())["gaps"]).to.have.lengthOf(1);
    for (const one of [before, after]) {
      expect(await api.explainOne(one, id)).to.include({ verdict: "in_flight" });
    }
  });

  it("takes no delivery that retention deleted for that of a later event", async () => {
    const id = await api.subscribe();
    const old = await api.happen();
    await fanOutAll(database.db);
    const event = await api.happen();
    await redact(event);
    const made = "UPDATE subscriptions SET created_at = now() - interval '2 days' WHERE id = ?";
    await rowsOf(database.db, made, [id]);
    expect(await api.explainOne(event, id)).to.include({ verdict: "undetermined" });
    await rowsOf(database.db, "DELETE FROM deliveries WHERE event_row_id = ?", [old.id]);
    await rowsOf(database.db, "DELETE FROM events WHERE id = ?", [old.id]);
    expect(await api.explainOne(event, id)).to.include({ verdict: "undetermined" });
  });

  it("reports an unknown result if the content was removed", async () => {
    const id = await api.subscribe({ conditions: '{"props.state":"done"}' });
    const event = await api.happen();
    await rowsOf(database.db, "DELETE FROM outbox WHERE event_row_id = ?", [event.id]);
    await rowsOf(database.db, "UPDATE events SET body = '', expunged_at = now() WHERE id = ?", [
      event.id,
    ]);
    expect(await api.explainOne(event, id)).to.include({ verdict: "undetermined" });
  });
});
