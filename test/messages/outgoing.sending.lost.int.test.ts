import { expect } from "chai";
import { enqueueDueTasks, sweepTasks } from "../../src/platform/tasks/task-scheduler.ts";
import { backendOf, onBackend } from "../support/backends.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { devOnly, smsEventsAbout, useMessaging } from "../support/messages.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { useRedis } from "../support/redis.ts";
import { httpGateway } from "../support/sms-gateway.ts";
import { useTasks, noOutage } from "../support/tasks.ts";

onBackend("redis", (kind) => {
  describe("messages and the queue", () => {
    const database = useDatabase();
    const redis = useRedis();
    let gateway: Receiver;
    before(async () => {
      gateway = await startReceiver([{ status: 201 }]);
    });
    after(async () => {
      await gateway.close();
    });
    const machine = useTasks(database, () => backendOf(kind, database, redis));
    const harness = useMessaging(database, () => ({
      clock: machine.clock,
      providers: {
        ...devOnly,
        sms: { provider: "http", http: { ...httpGateway, url: gateway.url }, twilio: undefined },
      },
    }));

    const work = () => machine.work(harness.features.messaging.taskHandlers, {}, "messages");

    const isSent = (id: number) =>
      eventually(async () => {
        expect((await harness.find(id)).status).to.equal("sent");
      });

    it("are sent by a worker once they are due", async () => {
      const [id = 0] = await harness.queue({ at: machine.clock.now() });
      work();
      await enqueueDueTasks(machine.scheduler);
      await isSent(id);
      const { uid } = await harness.find(id);
      const keys = gateway.requests.map(({ headers }) => headers["idempotency-key"]);
      expect(keys.filter((key) => key === uid)).to.have.lengthOf(1);
    });

    it("are each sent once, even if their jobs count as lost and are enqueued again", async () => {
      const at = machine.clock.now();
      const ids = await harness.queue({ at }, { at }, { at });
      await enqueueDueTasks(machine.scheduler);
      // The jobs count as lost because of their age, although the queue still has them.
      machine.clock.advance(15 * 60_000);
      await sweepTasks(machine.scheduler, noOutage);
      await enqueueDueTasks(machine.scheduler);
      work();
      await Promise.all(ids.map(isSent));
      for (const id of ids) {
        const { uid } = await harness.find(id);
        const keys = gateway.requests.map(({ headers }) => headers["idempotency-key"]);
        expect(keys.filter((key) => key === uid)).to.have.lengthOf(1);
        expect(await smsEventsAbout(database.db, id)).to.have.lengthOf(2);
      }
    });
  });
});
