import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { createMessageQueue } from "../../src/messages/outgoing.ts";
import { createMessages } from "../../src/messages/service.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createTasks } from "../../src/platform/tasks/task.ts";
import { useDatabase } from "../support/database.ts";
import { aTicketRow } from "../support/media-rows.ts";
import { useMessaging } from "../support/messages.ts";
import { eventually } from "../support/eventually.ts";

describe("an SMS about a ticket", () => {
  const database = useDatabase();
  const harness = useMessaging(database);

  const aService = () => {
    const { clock, outbox } = harness.features;
    const tasks = createTasks({ clock, wake: () => undefined });
    const queue = createMessageQueue({
      ids: randomIds,
      outbox,
      tasks,
      mailFrom: "no-reply@x.example",
    });
    const verdict = { isAllowed: true, limit: 30, remaining: 29, resetSeconds: 60 };
    const smsLimit = { take: async () => verdict };
    return createMessages({ db: database.db, clock, queue, smsLimit });
  };
  const waitsForALock = async (): Promise<void> => {
    const rows = await rowsOf(
      database.db,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
         AND wait_event_type = 'Lock'`,
    );
    expect(rows).to.have.lengthOf(1);
  };

  it("waits for concurrent changes of the ticket without a deadlock", async () => {
    const { enterpriseId, agent } = harness.fixture;
    const { id: ticketId } = await aTicketRow(database.db, harness.fixture);
    const scope = { enterpriseId, userId: agent.id, groupIds: [], reach: "all" } as const;
    const messages = aService();
    let sent: Promise<unknown> = Promise.resolve();
    await inTransaction(database.db, async (trx) => {
      await rowsOf(trx, "SELECT 1 FROM tickets WHERE id = ? FOR UPDATE", [ticketId]);
      sent = messages.sendSms({
        scope,
        body: { to: "+33612345678", text: "Hello", ticketId },
        before: async () => undefined,
        after: async (_trx, message) => message.status,
      });
      sent.catch(() => undefined);
      await eventually(waitsForALock);
      // An invitation of the same ticket also takes the lock of the SMS count.
      await harness.features.messaging.queue(
        trx,
        [
          {
            enterpriseId,
            channel: "sms",
            recipient: "+33612345679",
            text: "Come",
            ticketId,
            createdBy: null,
            at: harness.features.clock.now(),
          },
        ],
        { overQuota: "refuse" },
      );
    });
    expect(await sent).to.equal("queued");
  });
});
