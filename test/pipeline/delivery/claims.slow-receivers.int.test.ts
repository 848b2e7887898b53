import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { onBothBackends } from "../../support/backends.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { aReceivingSubscription, aTicketEvent, startPipeline } from "../../support/pipeline.ts";
import { startReceiver, useReceiver } from "../../support/receiver.ts";
import { useRedis } from "../../support/redis.ts";

onBothBackends((kind) => {
  describe("receivers that worked well until they all hang", () => {
    const database = useDatabase();
    const redis = useRedis();
    const hanging = useReceiver();

    const env = {
      DELIVERY_CONCURRENCY: "64",
      DELIVERY_SLOW_CONCURRENCY: "64",
      DELIVERY_MAX_IN_FLIGHT: "32",
      DELIVERY_TIMEOUT_MS: "60000",
      DELIVERY_LEASE_SECONDS: "90",
      SHUTDOWN_GRACE_SECONDS: "1",
    };
    const subscriptions = 5;
    const perSubscription = 40;

    const subscriptionsAt = async (url: string, columns: object) => {
      const all: Awaited<ReturnType<typeof aReceivingSubscription>>[] = [];
      for (let i = 0; i < subscriptions; i += 1) {
        const one = await aReceivingSubscription(database.db, { url });
        all.push(one);
        for (const [column, value] of Object.entries(columns)) {
          await rowsOf(database.db, "UPDATE subscriptions SET ?? = ? WHERE id = ?", [
            ...[column, value, one.id],
          ]);
        }
      }
      await rowsOf(
        database.db,
        "UPDATE subscription_health SET window_size = 32 WHERE subscription_id = ANY(?)",
        [all.map(({ id }) => id)],
      );
      return all;
    };
    const windowsOf = async (ids: readonly number[]) => {
      const rows = await rowsOf<{ window_size: number }>(
        database.db,
        "SELECT window_size FROM subscription_health WHERE subscription_id = ANY(?)",
        [ids],
      );
      return rows.map((row) => row.window_size);
    };

    const cases: Record<string, { columns: object; props: Record<string, unknown> }> = {
      "with fresh jobs": { columns: {}, props: {} },
      "with bodies too large for a job": { columns: {}, props: { text: "x".repeat(6_000) } },
      "with a rate limit": { columns: { max_per_second: 200 }, props: {} },
    };

    for (const [name, { columns, props }] of Object.entries(cases)) {
      it(`leave room for others, and get less until they answer, ${name}`, async () => {
        const { receiver } = hanging;
        const held: (() => void)[] = [];
        receiver.answerWith(() => ({
          raw: (socket) =>
            held.push(() => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")),
        }));
        const quick = await startReceiver();
        const pipeline = await startPipeline({ kind, database, redis, env });
        try {
          const bad = await subscriptionsAt(receiver.url, columns);
          const healthy = await aReceivingSubscription(database.db, { url: quick.url });
          await pipeline.publish(
            bad.flatMap((one) =>
              Array.from({ length: perSubscription }, (_, i) => ({
                ...aTicketEvent(one.enterprise_id, i),
                props,
              })),
            ),
          );
          await receiver.sees(64);
          await pipeline.publish([aTicketEvent(healthy.enterprise_id, 1)]);
          await quick.sees(1, { timeoutMs: 5_000 });
          const ids = bad.map(({ id }) => id);
          await eventually(async () =>
            expect(Math.max(...(await windowsOf(ids)))).to.be.at.most(4),
          );
          expect(receiver.openRequests, "not all that fit").to.be.below(128);
          receiver.answerWith([200]);
          held.forEach((answer) => answer());
          await receiver.sees(bad.length * perSubscription, { timeoutMs: 20_000 });
          expect(new Set(receiver.ids()).size).to.equal(receiver.requests.length);
        } finally {
          await pipeline.stop();
          await quick.close();
        }
      });
    }
  });
});
