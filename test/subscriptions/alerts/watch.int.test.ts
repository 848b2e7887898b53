import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { anEvent } from "../../support/factories.ts";
import { useNotices } from "../../support/notices.ts";
import { useRedis } from "../../support/redis.ts";

const minute = 60_000;
const start = new Date("2026-11-25T10:00:00.000Z");

describe("configured alerts", () => {
  const database = useDatabase();
  const notices = useNotices(database, useRedis());
  const { clock, watch, mails } = notices;
  beforeEach(() => clock.set(start));

  const settle = (columns: Record<string, unknown>) =>
    database.db("alert_settings").insert({ enterprise_id: notices.enterpriseId, ...columns });
  const subjects = async () => (await mails()).map(({ subject }) => subject);
  const minutesLater = (minutes: number) => clock.set(new Date(start.getTime() + minutes * minute));

  /** A waiting delivery that is due immediately. */
  const aDueDelivery = async (): Promise<void> => {
    const { enterpriseId, subscriptionId } = notices;
    const event = await anEvent(database.db, { enterprise_id: enterpriseId });
    await database.db("deliveries").insert({
      enterprise_id: enterpriseId,
      subscription_id: subscriptionId,
      sequence: 1,
      event_row_id: event.id,
      event_at: event.occurred_at,
      object: "ticket",
      key: event.key,
      state: "pending",
      due_at: start,
    });
  };
  const deliverAll = () => rowsOf(database.db, "UPDATE deliveries SET state = 'delivered'");

  /** Failed deliveries, counted like by the schedule. */
  const countFailed = async (dead: number, minutes: number): Promise<void> => {
    const { enterpriseId, subscriptionId } = notices;
    await database.db("delivery_tallies").insert({
      subscription_id: subscriptionId,
      enterprise_id: enterpriseId,
      step: 60,
      at: new Date(start.getTime() + minutes * minute),
      ...{ delivered: 0, failed: dead, retried: dead, dead },
    });
  };
  const countUntil = (minutes: number) =>
    rowsOf(database.db, "UPDATE delivery_tally_progress SET tallied_at = ?", [
      new Date(start.getTime() + minutes * minute),
    ]);

  it("mail when deliveries are late, and when the webhook has caught up", async () => {
    await settle({ past_due_minutes: 10 });
    await aDueDelivery();
    minutesLater(10);
    await watch();
    expect(await subjects()).to.deep.equal([]);
    minutesLater(11);
    await watch();
    await watch();
    const name = `Webhook “CRM” (#${notices.subscriptionId})`;
    expect(await subjects()).to.deep.equal([`${name}: deliveries are late`]);
    await deliverAll();
    await watch();
    expect(await subjects()).to.deep.equal([
      `${name}: deliveries are late`,
      `${name} has caught up`,
    ]);
  });

  it("mail once with concurrent schedules", async () => {
    await settle({ past_due_minutes: 10 });
    await aDueDelivery();
    minutesLater(11);
    await Promise.all([watch(), watch(), watch()]);
    expect(await mails()).to.have.length(1);
  });

  it("ignore a disabled webhook, and start again when it is enabled", async () => {
    await settle({ past_due_minutes: 10 });
    await aDueDelivery();
    minutesLater(11);
    await watch();
    const turn = (isOn: boolean) =>
      rowsOf(database.db, "UPDATE subscriptions SET is_active = ? WHERE id = ?", [
        isOn,
        notices.subscriptionId,
      ]);
    await turn(false);
    await watch();
    await deliverAll();
    await turn(true);
    await watch();
    expect(await mails()).to.have.length(1);
  });

  it("count dead deliveries since the alert was configured", async () => {
    await settle({ failed_deliveries: true });
    await countFailed(100, -10);
    await countUntil(0);
    await watch();
    expect(await subjects()).to.deep.equal([]);
    await countFailed(3, 1);
    await countFailed(4, 2);
    await countUntil(5);
    minutesLater(5);
    await watch();
    await watch();
    expect(await subjects()).to.deep.equal([
      `Webhook “CRM” (#${notices.subscriptionId}): failed deliveries (7)`,
    ]);
  });

  it("go to chosen users and confirmed addresses, and to administrators only if enabled", async () => {
    const { enterpriseId, aPerson, write, subscriptionId } = notices;
    const chosen = await aPerson("agent", { email: "agent@test.example" });
    await settle({ to_administrators: false });
    await database.db("alert_users").insert({ enterprise_id: enterpriseId, user_id: chosen.id });
    await database.db("alert_emails").insert([
      { enterprise_id: enterpriseId, email: "ops@partner.example", confirmed_at: start },
      { enterprise_id: enterpriseId, email: "never@partner.example" },
      { enterprise_id: enterpriseId, email: "AGENT@test.example", confirmed_at: start },
    ]);
    await write({
      ...{ kind: "subscription.disabled", reason: "gone", failingSince: null },
      ...{ enterpriseId, subscriptionId },
    } as const);
    const sent = await mails();
    expect(sent.map(({ recipient }) => recipient)).to.deep.equal([
      "agent@test.example",
      "ops@partner.example",
    ]);
    expect(sent[0]?.text).not.to.contain("/alerts#token=");
    expect(sent[1]?.text).to.match(
      /\nhttps:\/\/sightline\.example\/alerts#token=\d+\.[\w-]{43}\n/u,
    );
  });

  it("are rolled back together with their state", async () => {
    await settle({ past_due_minutes: 10 });
    await aDueDelivery();
    minutesLater(11);
    await inTransaction(database.db, async (trx) => {
      // The row is locked: a concurrent schedule waits, and then finds that the alert was sent.
      await trx("alert_states").insert({ subscription_id: notices.subscriptionId });
      throw new Error("undone");
    }).catch(() => undefined);
    await watch();
    const [row] = await rowsOf<{ behind_notified_at: Date }>(
      database.db,
      "SELECT behind_notified_at FROM alert_states WHERE subscription_id = ?",
      [notices.subscriptionId],
    );
    expect(row?.behind_notified_at).to.deep.equal(clock.now());
    expect(await mails()).to.have.length(1);
  });
});
