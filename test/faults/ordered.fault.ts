/**
 * An ordered subscription gets the events of each object in order and without gaps, while 10 % of
 * the requests fail and workers are killed at random. A dead delivery is skipped after its last
 * attempt.
 */
import { expect } from "chai";
import { createOutbox } from "../../src/pipeline/outbox/append.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { onBackend } from "../support/backends.ts";
import { useChance } from "../support/chance.ts";
import { eventually } from "../support/eventually.ts";
import { isNight } from "../support/night.ts";
import { aReceivingSubscription, aTicketEvent } from "../support/pipeline.ts";
import { useReceiver, type ReceivedRequest } from "../support/receiver.ts";
import { testKey } from "../support/secret-box.ts";
import { useStack, type RoleProcess } from "../support/stack.ts";

const objects = 50;
const kills = 4;
/** Fewer events outside of the nightly run, and on the slower queue. */
const eventsOfObject = { redis: isNight ? 200 : 20, postgres: 20 };

function objectOf(text: string): number {
  return (JSON.parse(text) as { objectId: number }).objectId;
}

onBackend("redis", (kind) => {
  const eventsEach = eventsOfObject[kind];

  describe(`order within ${objects} objects of ${eventsEach} events, under failures and kill -9`, function () {
    this.timeout(240_000);
    const { database, stack } = useStack(kind, () => ({
      SECRET_KEY: testKey.toString("base64"),
    }));
    const receiving = useReceiver();
    const chance = useChance();
    const workers: RoleProcess[] = [];
    before("start the processes, two of them workers", async () => {
      await Promise.all([stack.start("relay"), stack.start("schedule")]);
      workers.push(await stack.start("delivery"), await stack.start("delivery"));
    });

    /** Publishes events of all objects, interleaved. */
    const publish = async (enterpriseId: number): Promise<void> => {
      const outbox = createOutbox({
        ids: randomIds,
        clock: systemClock,
        wake: () => undefined,
        faultPoint: () => undefined,
        maxBytes: 262_144,
      });
      for (let round = 0; round < eventsEach; round += 1) {
        const events = Array.from({ length: objects }, (_, object) =>
          aTicketEvent(enterpriseId, object),
        );
        await inTransaction(database.db, (trx) => outbox.append(trx, events));
      }
    };

    const all = objects * eventsEach;

    it("keeps the order, loses nothing, and skips dead deliveries", async () => {
      const { receiver } = receiving;
      const subscription = await aReceivingSubscription(database.db, {
        url: receiver.url,
        isOrdered: true,
      });
      await rowsOf(
        database.db,
        "UPDATE subscriptions SET retry_schedule = '{1,1,1,1,1,1}' WHERE id = ?",
        [subscription.id],
      );
      const taken: ReceivedRequest[] = [];
      const idsOfSeven: string[] = [];
      const isPoisoned = ({ id, text }: ReceivedRequest): boolean => {
        if (objectOf(text) === 7 && !idsOfSeven.includes(id)) {
          idsOfSeven.push(id);
        }
        return id === idsOfSeven[3];
      };
      receiver.answerWith((request) => {
        if (isPoisoned(request) || chance.between(0, 9) === 0) {
          return 500;
        }
        taken.push(request);
        return 200;
      });
      const publishing = publish(subscription.enterprise_id);
      // The last kill happens while many deliveries are left, however slow the start is.
      const lastKillAt = Math.floor(all * 0.8);
      let killed = 0;
      while (killed < kills && receiver.requests.length < lastKillAt) {
        const killAt = receiver.requests.length + chance.between(50, all / (kills + 2));
        await receiver.sees(Math.min(killAt, lastKillAt), { timeoutMs: 90_000, everyMs: 2 });
        const victim = workers.splice(chance.between(0, 1), 1)[0]!;
        await victim.kill();
        workers.push(await stack.start("delivery"));
        killed += 1;
      }
      expect(killed).to.be.greaterThan(0);
      await publishing;
      await eventually(
        async () => {
          const rows = await rowsOf<{ count: number }>(
            database.db,
            `SELECT count(*) AS count FROM deliveries
             WHERE subscription_id = ? AND state IN ('delivered', 'dead')`,
            [subscription.id],
          );
          return rows[0]?.count === all;
        },
        { timeoutMs: 150_000, everyMs: 250 },
      );
      const dead = await rowsOf<{ event_id: string; attempts: number }>(
        database.db,
        `SELECT e.event_id, d.attempts FROM deliveries d JOIN events e ON e.id = d.event_row_id
         WHERE d.subscription_id = ? AND d.state = 'dead'`,
        [subscription.id],
      );
      expect(dead).to.deep.include({ event_id: idsOfSeven[3], attempts: 7 });
      const gaveUp = new Set(dead.map((row) => row.event_id));

      const seen = new Map<number, number[]>();
      for (const { headers, text } of taken) {
        const object = objectOf(text);
        seen.set(object, [...(seen.get(object) ?? []), Number(headers["webhook-sequence"])]);
      }
      const expected = await rowsOf<{ object_id: string; sequence: number; event_id: string }>(
        database.db,
        `SELECT e.object_id, d.sequence, e.event_id
         FROM deliveries d JOIN events e ON e.id = d.event_row_id
         WHERE d.subscription_id = ? ORDER BY d.sequence`,
        [subscription.id],
      );
      for (let object = 0; object < objects; object += 1) {
        const sequences = seen.get(object) ?? [];
        // Requests in flight of a dead worker are repeated before any successor is sent.
        const once = sequences.filter((sequence, index) => sequence !== sequences[index - 1]);
        const wanted = expected
          .filter((row) => row.object_id === String(object) && !gaveUp.has(row.event_id))
          .map((row) => row.sequence);
        expect(once, `object ${object}`).to.deep.equal(wanted);
      }
    });
  });
});
