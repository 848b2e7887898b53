import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { createOutageWatch } from "../../../src/platform/db/outages.ts";
import type { TaskJobQueue } from "../../../src/platform/queue/job-queue.ts";
import {
  deleteOldTasks,
  enqueueDueTasks,
  updateTaskGauges,
  sweepTasks,
} from "../../../src/platform/tasks/task-scheduler.ts";
import { enqueueDue } from "../../../src/platform/tasks/store.ts";
import { backendOf, onBackend } from "../../support/backends.ts";
import { useDatabase } from "../../support/database.ts";
import { explain, mostReadInVain } from "../../support/explain.ts";
import { useRedis } from "../../support/redis.ts";
import { findTasks, useTasks, noOutage } from "../../support/tasks.ts";

onBackend("redis", (kind) => {
  describe("the task scheduler", () => {
    const database = useDatabase();
    const redis = useRedis();
    const harness = useTasks(database, () => backendOf(kind, database, redis));
    const statesOf = async (key: string): Promise<string[]> =>
      (await findTasks(harness.db, key)).map(({ state }) => state);

    it("enqueues due tasks into their queue, and no others", async () => {
      const later = new Date(harness.clock.now().getTime() + 1_000);
      await harness.plan(
        { key: "a" },
        { key: "b", dueAt: later },
        { key: "c", kind: "message.send" },
      );
      expect((await enqueueDueTasks(harness.scheduler)).enqueued).to.equal(2);
      expect(await statesOf("a")).to.deep.equal(["queued"]);
      expect(await statesOf("b")).to.deep.equal(["waiting"]);
      expect((await harness.queue.counts("timers")).waiting).to.equal(1);
      expect((await harness.queue.counts("messages")).waiting).to.equal(1);
      harness.clock.advance(1_000);
      expect((await enqueueDueTasks(harness.scheduler)).enqueued).to.equal(1);
      expect(await statesOf("b")).to.deep.equal(["queued"]);
    });

    it("enqueues a task once if several processes run at the same time", async () => {
      await harness.plan(...Array.from({ length: 40 }, (_, n) => ({ key: `many:${n}` })));
      const counts = await Promise.all([1, 2, 3].map(() => enqueueDueTasks(harness.scheduler)));
      expect(counts.reduce((sum, pass) => sum + pass.enqueued, 0)).to.equal(40);
      expect((await harness.queue.counts("timers")).waiting).to.equal(40);
    });

    it("leaves the rest in the table when the queue holds enough", async () => {
      await harness.plan(
        ...Array.from({ length: 60 }, (_, n) => ({
          key: `media:${n}`,
          kind: "media.ocr" as const,
        })),
      );
      expect((await enqueueDueTasks(harness.scheduler)).enqueued).to.equal(50);
      expect((await enqueueDueTasks(harness.scheduler)).enqueued).to.equal(0);
    });

    it("runs again when the next task is due, soon if a queue is full, else after a second", async () => {
      const nextInMs = async () => (await enqueueDueTasks(harness.scheduler)).nextInMs;
      await harness.db.raw("DELETE FROM tasks");
      expect(await nextInMs()).to.equal(1_000);
      const now = harness.clock.now().getTime();
      await harness.plan(
        { key: "far", dueAt: new Date(now + 5_000) },
        { key: "next", dueAt: new Date(now + 620) },
        { key: "later", dueAt: new Date(now + 900), kind: "message.send" },
      );
      expect(await nextInMs()).to.equal(620);
      harness.clock.advance(610);
      expect(await nextInMs()).to.equal(50);
      harness.clock.advance(10);
      expect(await nextInMs()).to.equal(250);
      expect(await nextInMs()).to.equal(280);
    });

    it("requeues tasks at once if their jobs could not be added", async () => {
      await harness.plan({ key: "d" });
      const away: Pick<TaskJobQueue, "add" | "counts" | "oldestWaiting"> = {
        ...harness.queue,
        add: async () => Promise.reject(new Error("away")),
      };
      expect((await enqueueDueTasks({ ...harness.scheduler, queue: away })).enqueued).to.equal(0);
      expect((await findTasks(harness.db, "d"))[0]).to.include({ state: "waiting", generation: 2 });
      expect((await enqueueDueTasks(harness.scheduler)).enqueued).to.equal(1);
    });

    it("requeues tasks that are queued without a job for ten seconds", async () => {
      await harness.plan({ key: "e" });
      const { id } = (await findTasks(harness.db, "e"))[0] ?? { id: 0 };
      await harness.db.raw(
        "UPDATE tasks SET state = 'queued', generation = 1, queued_at = ? WHERE id = ?",
        [harness.clock.now(), id],
      );
      harness.clock.advance(9_000);
      await sweepTasks(harness.scheduler, noOutage);
      expect(await statesOf("e")).to.deep.equal(["queued"]);
      harness.clock.advance(2_000);
      await sweepTasks(harness.scheduler, noOutage);
      expect((await findTasks(harness.db, "e"))[0]).to.include({ state: "waiting", generation: 2 });
      expect((await harness.metrics.render()).text).to.include(
        'task_requeued_total{queue="timers",reason="job"} 1',
      );
    });

    it("does not treat a job that waits behind others as lost", async () => {
      await harness.plan({ key: "f" });
      await enqueueDueTasks(harness.scheduler);
      harness.clock.advance(60_000);
      await sweepTasks(harness.scheduler, noOutage);
      expect(await statesOf("f")).to.deep.equal(["queued"]);
    });

    it("gives workers time to renew their leases after an outage of Postgres", async () => {
      const outages = createOutageWatch(harness.clock);
      await harness.plan({ key: "away" });
      await harness.db.raw(
        "UPDATE tasks SET state = 'running', generation = 1, attempts = 1, lease_until = ?",
        [harness.clock.now()],
      );
      harness.clock.advance(60_000);
      await sweepTasks(harness.scheduler, outages);
      expect(await statesOf("away")).to.deep.equal(["running"]);
      harness.clock.advance(5_000);
      await sweepTasks(harness.scheduler, outages);
      expect(await statesOf("away")).to.deep.equal(["waiting"]);
    });

    it("requeues the tasks of a lost worker, with backoff", async () => {
      await harness.plan({ key: "g" }, { key: "h" });
      const leaseUntil = new Date(harness.clock.now().getTime() + 30_000);
      await harness.db.raw(
        `UPDATE tasks SET state = 'running', generation = 1, lease_until = ?,
           attempts = CASE key WHEN 'g' THEN 1 ELSE 30 END`,
        [leaseUntil],
      );
      harness.clock.advance(29_000);
      await sweepTasks(harness.scheduler, noOutage);
      expect(await statesOf("g")).to.deep.equal(["running"]);
      harness.clock.advance(2_000);
      await sweepTasks(harness.scheduler, noOutage);
      const now = harness.clock.now().getTime();
      const [young] = await findTasks(harness.db, "g");
      const [old] = await findTasks(harness.db, "h");
      expect(young).to.include({
        state: "waiting",
        generation: 2,
        error: "The worker stopped before the task ended",
      });
      expect(young?.due_at).to.deep.equal(new Date(now + 5_000));
      expect(old?.due_at).to.deep.equal(new Date(now + 600_000));
    });

    it("deletes tasks that ended a week ago, and no others", async () => {
      await harness.plan({ key: "i" }, { key: "j" }, { key: "k" });
      const weekAgo = new Date(harness.clock.now().getTime() - 7 * 86_400_000);
      await harness.db.raw(
        "UPDATE tasks SET state = 'failed', ended_at = ?::timestamptz - interval '1 second' WHERE key = 'i'",
        [weekAgo],
      );
      await harness.db.raw("UPDATE tasks SET state = 'done', ended_at = ? WHERE key = 'j'", [
        weekAgo,
      ]);
      await harness.db.raw("UPDATE tasks SET due_at = '2020-01-01' WHERE key = 'k'");
      expect(await deleteOldTasks(harness.scheduler)).to.equal(1);
      const rows = await rowsOf<{ key: string }>(harness.db, "SELECT key FROM tasks ORDER BY key");
      expect(rows.map(({ key }) => key)).to.deep.equal(["j", "k"]);
    });

    it("reports the counts of each queue", async () => {
      const later = new Date(harness.clock.now().getTime() + 60_000);
      await harness.plan({ key: "l" }, { key: "m", dueAt: later }, { key: "n" }, { key: "o" });
      await harness.db.raw("UPDATE tasks SET state = 'running' WHERE key = 'n'");
      await harness.db.raw("UPDATE tasks SET state = 'failed', ended_at = now() WHERE key = 'o'");
      harness.clock.advance(30_000);
      await updateTaskGauges(harness.scheduler);
      const { text } = await harness.metrics.render();
      const values = [
        ...text.matchAll(/^task_queue_(?:rows|oldest_due_seconds)\{queue="timers".*$/gmu),
      ].map(([line]) => line);
      expect(values).to.deep.equal([
        'task_queue_rows{queue="timers",state="waiting"} 2',
        'task_queue_rows{queue="timers",state="due"} 1',
        'task_queue_rows{queue="timers",state="queued"} 0',
        'task_queue_rows{queue="timers",state="running"} 1',
        'task_queue_rows{queue="timers",state="failed"} 1',
        'task_queue_oldest_due_seconds{queue="timers"} 30',
      ]);
    });

    it("finds due tasks by an index, however many wait for later", async () => {
      const { id } = (
        await rowsOf<{ id: number }>(harness.db, "SELECT id FROM enterprises LIMIT 1")
      )[0] ?? {
        id: 0,
      };
      await harness.db.raw(
        `INSERT INTO tasks (queue, kind, key, enterprise_id, due_at)
         SELECT 'timers', 'ticket.age', 'bulk:' || n, ?, ?::timestamptz + n * interval '1 minute'
         FROM generate_series(1, 20000) AS n`,
        [id, harness.clock.now()],
      );
      await harness.db.raw("ANALYZE tasks");
      harness.clock.advance(5 * 60_000);
      const plan = await explain(harness.db, (db) =>
        enqueueDue(db, { queueName: "timers", now: harness.clock.now(), limit: 500 }),
      );
      expect(plan).to.include("tasks_due");
      expect(mostReadInVain(plan)).to.be.below(100);
    });
  });
});
