import { expect } from "chai";
import { startTasks } from "../../../src/compose/roles.ts";
import { createAudit } from "../../../src/audit/audit-log.ts";
import { createTasks } from "../../../src/platform/tasks/task.ts";
import { parseCriteria } from "../../../src/deliveries/replays/criteria.ts";
import { createReplays } from "../../../src/deliveries/replays/service.ts";
import { createReplayTasks } from "../../../src/deliveries/replays/step.ts";
import { onBackend } from "../../support/backends.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { aReceivingSubscription, startPipeline, type Pipeline } from "../../support/pipeline.ts";
import { useReceiver } from "../../support/receiver.ts";
import { useRedis } from "../../support/redis.ts";
import { hasNoGap, seedPast } from "../../support/replays.ts";
import { aCaller } from "../../support/webhook-api.ts";

onBackend("redis", (kind) => {
  describe("steps of a replay", () => {
    const database = useDatabase();
    const redis = useRedis();
    const hook = useReceiver();
    let pipeline: Pipeline;
    beforeEach("start the pipeline with the queue of timers", async () => {
      pipeline = await startPipeline({ kind, database, redis });
      startTasks(pipeline.platform, "timers", createReplayTasks(depsOf(pipeline)));
    });
    afterEach(() => pipeline.stop());

    const depsOf = ({ platform }: Pipeline) => ({
      ...platform,
      tasks: createTasks({
        clock: platform.clock,
        wake: () => platform.notifier.wake("tasks"),
      }),
      audit: createAudit(),
      onDue: () => platform.notifier.wake("schedule"),
      retentionDays: 30,
    });

    const aWebhook = async () => {
      const admin = await aCaller(database.db);
      const sub = await aReceivingSubscription(database.db, {
        url: hook.receiver.url,
        enterpriseId: admin.enterpriseId,
      });
      return { admin, sub, replays: createReplays(depsOf(pipeline)) };
    };

    it("deliver every event once, with its original id", async () => {
      const { admin, sub, replays } = await aWebhook();
      const seeded = await seedPast(
        database.db,
        sub,
        Array.from({ length: 60 }, (_, n) => ({ state: "dead", key: `ticket:${n % 7}` })),
      );
      const input = { criteria: parseCriteria({}, new Date()), rate: 100 };
      const { replay } = await replays.create(admin, sub.id, input);
      await hook.receiver.sees(60, { timeoutMs: 20_000 });
      await eventually(async () => {
        const { replay: now, progress } = await replays.get(admin, replay.id);
        expect([now.state, now.total, now.made, progress.waiting]).to.deep.equal([
          "done",
          60,
          60,
          0,
        ]);
      });
      const ids = hook.receiver.ids();
      expect(ids.toSorted()).to.deep.equal(seeded.map(({ eventId }) => eventId).toSorted());
      expect(await hasNoGap(database.db, sub.id)).to.equal(true);
    });

    it("stop creating deliveries when paused, and continue when resumed", async () => {
      const { admin, sub, replays } = await aWebhook();
      await seedPast(
        database.db,
        sub,
        Array.from({ length: 40 }, (_, n) => ({ state: "dead", key: `ticket:${n}` })),
      );
      const value = { criteria: parseCriteria({}, new Date()), rate: 10 };
      const { replay } = await replays.create(admin, sub.id, value);
      await hook.receiver.sees(1, { timeoutMs: 10_000 });
      const paused = await replays.move(admin, replay.id, "pause");
      expect(paused.replay.made).to.be.lessThan(40);
      await hook.receiver.sees(paused.replay.made);
      await replays.move(admin, replay.id, "resume");
      await hook.receiver.sees(40, { timeoutMs: 20_000 });
      expect(new Set(hook.receiver.ids()).size).to.equal(40);
    });

    it("keep the order of objects of an ordered webhook", async () => {
      const { admin, sub, replays } = await aWebhook();
      await database.db.raw("UPDATE subscriptions SET is_ordered = true WHERE id = ?", [sub.id]);
      const seeded = await seedPast(
        database.db,
        sub,
        Array.from({ length: 40 }, (_, n) => ({ state: "dead", key: `ticket:${n % 4}` })),
      );
      let failed = 0;
      hook.receiver.answerWith(() => ({ status: failed++ % 4 === 3 ? 503 : 200 }));
      const raw = { criteria: parseCriteria({}, new Date()), rate: 1_000 };
      const { replay } = await replays.create(admin, sub.id, raw);
      await eventually(
        async () => {
          const { delivered } = await figuresOf(replay.id);
          expect(delivered).to.be.at.least(12);
        },
        { timeoutMs: 20_000 },
      );
      const order = new Map(seeded.map(({ eventId }, index) => [eventId, index]));
      const last = new Map<number, number>();
      for (const id of hook.receiver.ids()) {
        const index = order.get(id) ?? -1;
        const object = index % 4;
        // An equal index is a retry; a lower one would violate the order.
        expect(index).to.be.at.least(last.get(object) ?? 0);
        last.set(object, index);
      }
    });

    const figuresOf = async (replayId: number): Promise<{ delivered: number }> => {
      const result: { rows: { delivered: number }[] } = await database.db.raw(
        "SELECT count(*) AS delivered FROM deliveries WHERE replay_id = ? AND state = 'delivered'",
        [replayId],
      );
      return result.rows[0] ?? { delivered: 0 };
    };
  });
});
