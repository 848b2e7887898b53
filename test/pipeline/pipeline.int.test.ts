import { expect } from "chai";
import { recordRevision, takeRevision } from "../../src/pipeline/ledger/revisions.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { onBothBackends } from "../support/backends.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import {
  aReceivingSubscription,
  aTicketEvent,
  clockAtNow,
  startPipeline,
  testSecret,
  type Pipeline,
} from "../support/pipeline.ts";
import { startReceiver, useReceiver } from "../support/receiver.ts";
import { useRedis } from "../support/redis.ts";

type DeliveryRow = { state: string; attempts: number; due_at: Date; sequence: number };

onBothBackends((kind) => {
  describe("the pipeline", () => {
    const database = useDatabase();
    const redis = useRedis();
    const receiving = useReceiver();
    let pipeline: Pipeline | undefined;

    const start = async (options: Parameters<typeof startPipeline>[0] | object = {}) => {
      pipeline = await startPipeline({ kind, database, redis, ...options });
      return pipeline;
    };
    const deliveriesOf = (subscriptionId: number) =>
      rowsOf<DeliveryRow>(
        database.db,
        `SELECT state, attempts, due_at, sequence FROM deliveries
         WHERE subscription_id = ? ORDER BY sequence`,
        [subscriptionId],
      );
    const switchTo = (subscriptionId: number, isActive: boolean) =>
      inTransaction(database.db, async (trx) => {
        const revision = await takeRevision(trx);
        await trx("subscriptions").where({ id: subscriptionId }).update({ is_active: isActive });
        await recordRevision(trx, subscriptionId, revision, { reason: null, changedBy: null });
      });
    afterEach(async () => {
      await pipeline?.stop();
      pipeline = undefined;
    });

    it("delivers the events of an object in commit order, signed", async () => {
      const { receiver } = receiving;
      const { publish } = await start();
      const { id, enterprise_id } = await aReceivingSubscription(database.db, {
        url: receiver.url,
        headers: [{ name: "X-Key", value: "s3cret" }],
      });
      for (let round = 0; round < 10; round += 1) {
        await publish([1, 2, 3].map((ticket) => aTicketEvent(enterprise_id, ticket)));
      }
      await receiver.sees(30);
      for (const ticket of [1, 2, 3]) {
        const sequences = receiver.requests
          .filter((request) => request.json()["objectId"] === ticket)
          .map((request) => Number(request.headers["webhook-sequence"]));
        expect(sequences).to.have.length(10);
        expect(sequences).to.deep.equal(sequences.toSorted((a, b) => a - b));
      }
      expect(receiver.unsigned(testSecret)).to.deep.equal([]);
      expect(receiver.requests[0]?.headers["x-key"]).to.equal("s3cret");
      expect(new Set(receiver.ids()).size).to.equal(30);
      await eventually(async () => {
        const rows = await deliveriesOf(id);
        expect(rows.map((row) => row.state)).to.deep.equal(Array(30).fill("delivered"));
        expect(rows.map((row) => row.sequence)).to.deep.equal(rows.map((_, i) => i + 1));
      });
    });

    it("stores a claim for a delivery sent without one if the receiver is slow", async () => {
      const { receiver } = receiving;
      let answer = (): void => undefined;
      receiver.answerWith(() => ({
        raw: (socket) => {
          answer = () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        },
      }));
      const { publish } = await start();
      const { id, enterprise_id } = await aReceivingSubscription(database.db, {
        url: receiver.url,
      });
      await publish([aTicketEvent(enterprise_id, 1)]);
      await receiver.sees(1);
      const stateOf = async () => (await deliveriesOf(id)).map((row) => row.state);
      await eventually(async () => expect(await stateOf()).to.deep.equal(["sending"]));
      answer();
      await eventually(async () => expect(await stateOf()).to.deep.equal(["delivered"]));
      expect(receiver.requests).to.have.length(1);
    });

    it("retries at the scheduled times until the receiver accepts", async () => {
      const { receiver } = receiving;
      const answers = [500, 500, 200];
      const tries = () => receiver.requests.filter((one) => one.json()["objectId"] === 1);
      receiver.answerWith((one) => (one.json()["objectId"] === 1 ? (answers.shift() ?? 200) : 200));
      const clock = clockAtNow();
      const { publish } = await start({ clock });
      const { id, enterprise_id } = await aReceivingSubscription(database.db, {
        url: receiver.url,
      });
      const dueAt = () =>
        eventually(async () => {
          const [row] = await deliveriesOf(id);
          expect(row?.state).to.equal("retry");
          return row?.due_at ?? clock.now();
        });
      const somethingElseArrives = async (ticket: number) => {
        const other = await aReceivingSubscription(database.db, { url: receiver.url });
        await publish([aTicketEvent(other.enterprise_id, ticket)]);
        await receiver.waitFor((one) => one.json()["objectId"] === ticket);
      };
      await publish([aTicketEvent(enterprise_id, 1)]);
      await receiver.sees(1);
      const waits: number[] = [];
      for (const ticket of [2, 3]) {
        const due = await dueAt();
        waits.push(due.getTime() - clock.now().getTime());
        clock.set(new Date(due.getTime() - 1));
        const before = tries().length;
        await somethingElseArrives(ticket);
        expect(tries()).to.have.length(before);
        clock.set(due);
        await eventually(() => expect(tries()).to.have.length(before + 1));
      }
      expect(waits[0]).to.be.within(4_500, 5_500);
      expect(waits[1]).to.be.within(270_000, 330_000);
      await eventually(async () => {
        expect((await deliveriesOf(id))[0]).to.include({ state: "delivered", attempts: 3 });
      });
      expect(new Set(tries().map((one) => one.id)).size).to.equal(1);
      expect(tries().map((one) => one.headers["webhook-attempt"])).to.deep.equal(["1", "2", "3"]);
    });

    it("stops the requests of a subscription immediately when it is switched off, and resumes later", async () => {
      const { receiver } = receiving;
      const { publish } = await start();
      const { id, enterprise_id } = await aReceivingSubscription(database.db, {
        url: receiver.url,
      });
      receiver.answerWith(() => ({ status: 200, delayMs: 100 }));
      await publish(Array.from({ length: 200 }, (_, i) => aTicketEvent(enterprise_id, i)));
      await receiver.sees(20);
      await switchTo(id, false);
      await eventually(async () => {
        const states = (await deliveriesOf(id)).map((row) => row.state);
        expect(new Set(states)).to.deep.equal(new Set(["delivered", "paused"]));
      });
      // All requests in flight have ended, so no more deliveries follow.
      const delivered = (await deliveriesOf(id)).filter((row) => row.state === "delivered");
      expect(delivered.length).to.be.within(20, 199);
      expect(receiver.requests).to.have.length(delivered.length);
      await switchTo(id, true);
      await receiver.sees(200, { timeoutMs: 15_000 });
      expect(new Set(receiver.ids()).size).to.equal(200);
      expect(receiver.requests).to.have.length(200);
    });

    it("limits a slow receiver to a few slots, so that others do not wait", async () => {
      const { receiver } = receiving;
      receiver.answerWith(() => ({ status: 200, delayMs: 400 }));
      const quick = await startReceiver();
      try {
        const slow = await aReceivingSubscription(database.db, { url: receiver.url });
        const other = await aReceivingSubscription(database.db, { url: quick.url });
        const { publish } = await start();
        await publish(Array.from({ length: 400 }, (_, i) => aTicketEvent(slow.enterprise_id, i)));
        await receiver.sees(150, { timeoutMs: 15_000 });
        await publish([aTicketEvent(other.enterprise_id, 1)]);
        await quick.sees(1, { timeoutMs: 1_000 });
        expect(receiver.mostOpenRequests).to.be.within(8, 40);
      } finally {
        await quick.close();
      }
    });

    it("survives a stop at any time: nothing lost, nothing twice", async () => {
      const { receiver } = receiving;
      receiver.answerWith(() => ({ status: 200, delayMs: 30 }));
      const { id, enterprise_id } = await aReceivingSubscription(database.db, {
        url: receiver.url,
      });
      const first = await start();
      await first.publish(Array.from({ length: 300 }, (_, i) => aTicketEvent(enterprise_id, i)));
      await receiver.sees(50);
      await first.stop();
      expect(receiver.openRequests).to.equal(0);
      const afterStop = (await deliveriesOf(id)).filter((row) => row.state === "delivered");
      expect(receiver.requests).to.have.length(afterStop.length);
      await start();
      await receiver.sees(300, { timeoutMs: 20_000 });
      expect(receiver.requests).to.have.length(300);
      expect(new Set(receiver.ids()).size).to.equal(300);
    });
  });
});
