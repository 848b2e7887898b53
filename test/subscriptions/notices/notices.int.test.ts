import { expect } from "chai";
import type { OperationalNotice } from "../../../src/pipeline/ledger/notices.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent } from "../../support/factories.ts";
import { createTestMessaging, openSendTasks, runningTask } from "../../support/messages.ts";
import { useNotices } from "../../support/notices.ts";
import { useRedis } from "../../support/redis.ts";

const failingSince = new Date("2026-11-20T10:00:00.000Z");

describe("notices about webhooks", () => {
  const database = useDatabase();
  const notices = useNotices(database, useRedis());
  const { write, events, mails, aPerson } = notices;
  const of = () => ({
    enterpriseId: notices.enterpriseId,
    subscriptionId: notices.subscriptionId,
  });
  const warned = (): OperationalNotice => ({ kind: "subscription.warned", ...of(), failingSince });
  const switchedOff = () =>
    rowsOf(database.db, "UPDATE subscriptions SET is_active = false WHERE id = ?", [
      notices.subscriptionId,
    ]);
  const recipients = async () => (await mails()).map(({ recipient }) => recipient);

  it("write the event and the mail of a warning", async () => {
    await write(warned());
    expect(await events()).to.deep.equal([
      {
        key: `subscription:${notices.subscriptionId}`,
        type: "subscription.warned",
        objectId: notices.subscriptionId,
        props: {
          name: "CRM",
          origin: "https://crm.example.com",
          failingSince: "2026-11-20T10:00:00+00:00",
          lastResult: null,
          switchesOffAt: "2026-11-25T10:00:00+00:00",
        },
      },
    ]);
    const [mail, ...others] = await mails();
    expect(others).to.deep.equal([]);
    expect(mail).to.include({ recipient: notices.adminEmail, channel: "email" });
    expect(mail?.subject).to.equal(
      `Webhook “CRM” (#${notices.subscriptionId}): all attempts failed for 120 hours`,
    );
    expect(mail?.text).to.contain(
      `\nhttps://sightline.example/settings/webhooks/${notices.subscriptionId}\n`,
    );
    expect(mail?.text).not.to.match(/hook\?|s3/u);
    expect(await openSendTasks(database.db)).to.include(mail?.id);
  });

  it("are rolled back with their transaction", async () => {
    const { writeNotices } = notices;
    await inTransaction(database.db, async (trx) => {
      await writeNotices(trx, [warned()]);
      throw new Error("undone");
    }).catch(() => undefined);
    expect(await events()).to.deep.equal([]);
    expect(await mails()).to.deep.equal([]);
  });

  it("are emailed once to every active administrator only", async () => {
    const second = `second-${notices.enterpriseId}@test.example`;
    await aPerson("superadmin", { email: second });
    await aPerson("admin", { email: notices.adminEmail.toUpperCase() }); // the same mailbox
    await aPerson("admin", { email: "" });
    await aPerson("admin", { email: "gone@test.example", is_active: false });
    await aPerson("agent", { email: "agent@test.example", is_agent: true });
    await aPerson("manager", { email: "manager@test.example" });
    await aPerson("viewer", { email: "viewer@test.example" });
    await aPerson("integration", { email: "integration@test.example" });
    const elsewhere = await anEnterprise(database.db);
    await aPerson("admin", { email: "other@test.example", enterprise_id: elsewhere.id });
    await write(warned());
    expect(await recipients()).to.deep.equal([notices.adminEmail, second]);
  });

  it("are in the language of their reader, else of the enterprise", async () => {
    await rowsOf(database.db, "UPDATE enterprises SET language = 'fr' WHERE id = ?", [
      notices.enterpriseId,
    ]);
    await aPerson("admin", { email: `de-${notices.enterpriseId}@test.example`, language: "de" });
    await write(warned());
    const subjects = (await mails()).map(({ subject }) => subject);
    expect(subjects).to.deep.equal([
      `Webhook “CRM” (#${notices.subscriptionId}) : toutes les tentatives échouent depuis 120\u00a0heures`,
      `Webhook “CRM” (#${notices.subscriptionId}): seit 120 Stunden nur Fehler`,
    ]);
  });

  it("are stored by the provider dev", async () => {
    await write(warned());
    const [mail] = await mails();
    const id = mail?.id ?? 0;
    const { messaging } = createTestMessaging(database.db);
    const send = messaging.taskHandlers["message.send"]!;
    const outcome = await send(runningTask(notices.enterpriseId, id), new AbortController().signal);
    expect(outcome).to.deep.equal({ kind: "done" });
    const kept = await messaging.unsent.find(id);
    expect(kept).to.include({
      recipient: notices.adminEmail,
      provider: "dev",
      subject: mail?.subject,
    });
  });

  const aFailure = async (sequence: number, result: string, attempt: Record<string, unknown>) => {
    const event = await anEvent(database.db, { enterprise_id: notices.enterpriseId });
    const [row] = await rowsOf<{ id: number }>(
      database.db,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, due_at, last_result, created_at)
       VALUES (?, ?, ?, ?, ?, 'ticket', ?, 'retry', now(), ?, ?) RETURNING id`,
      [
        ...Object.values(of()),
        ...[sequence, event.id, event.occurred_at, event.key, result, failingSince],
      ],
    );
    await database.db("attempts").insert({
      enterprise_id: notices.enterpriseId,
      delivery_id: row?.id,
      number: 1,
      duration_ms: 5,
      started_at: failingSince,
      ...attempt,
    });
    await rowsOf(database.db, "DELETE FROM outbox WHERE event_row_id = ?", [event.id]);
  };
  const minutesLater = (minutes: number) => new Date(failingSince.getTime() + minutes * 60_000);

  it("contain why it was switched off, the last failure and the retention of its backlog", async () => {
    await aFailure(1, "timeout_response", { started_at: minutesLater(1), failure: "other" });
    await aFailure(2, "5xx", { started_at: minutesLater(9), status: 503 });
    await aFailure(3, "5xx", { started_at: minutesLater(10), status: 502 });
    await aFailure(4, "refused", { started_at: minutesLater(5), failure: "refused" });
    await aFailure(5, "interrupted", { started_at: minutesLater(20), is_counted: false });
    await switchedOff();
    await write({
      kind: "subscription.disabled",
      ...of(),
      reason: "failing",
      failingSince,
    });
    expect(await events()).to.deep.equal([
      {
        key: `subscription:${notices.subscriptionId}`,
        type: "subscription.disabled",
        objectId: notices.subscriptionId,
        props: {
          name: "CRM",
          origin: "https://crm.example.com",
          reason: "failing",
          failingSince: "2026-11-20T10:00:00+00:00",
          lastResult: "5xx",
          keptUntil: "2026-12-02T10:00:00+00:00",
        },
      },
    ]);
    expect((await mails())[0]?.text).to.contain("Last error: HTTP 502\n");
  });

  it("report a recovery", async () => {
    await write({ kind: "subscription.recovered", ...of(), failingSince });
    expect(await events()).to.deep.equal([
      {
        key: `subscription:${notices.subscriptionId}`,
        type: "subscription.recovered",
        objectId: notices.subscriptionId,
        props: {
          name: "CRM",
          origin: "https://crm.example.com",
          failingSince: "2026-11-20T10:00:00+00:00",
        },
      },
    ]);
    expect((await mails())[0]?.subject).to.equal(
      `Webhook “CRM” (#${notices.subscriptionId}) recovered`,
    );
  });

  it("omit a webhook that has been switched off or deleted", async () => {
    await switchedOff();
    await write(warned());
    await write({ kind: "subscription.recovered", ...of(), failingSince });
    await rowsOf(database.db, "UPDATE subscriptions SET deleted_at = now() WHERE id = ?", [
      notices.subscriptionId,
    ]);
    await write({ kind: "subscription.disabled", ...of(), reason: "gone", failingSince: null });
    expect(await events()).to.deep.equal([]);
    expect(await mails()).to.deep.equal([]);
  });
});
