import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
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
import { findTasks, useTasks } from "../../support/tasks.ts";

onBackend("redis", (kind) => {
  describe("the task scheduler", () => {
    const database = useDatabase();
    const redis = useRedis();
    const bench = useTasks(database, () => backendOf(kind, database, redis));
    const statesOf = async (key: string): Promise<string[]> =>
      (await findTasks(bench.db, key)).map(({ state }) => state);

    it("enqueues due tasks into their queue, and no others", async () => {
      const later = new Date(bench.clock.now().getTime() + 1_000);
      await bench.plan(
        { key: "a" },
        { key: "b", dueAt: later },
        { key: "c", kind: "message.send" },
      );
      expect((await enqueueDueTasks(bench.scheduler)).enqueued).to.equal(2);
      expect(await statesOf("a")).to.deep.equal(["queued"]);
      expect(await statesOf("b")).to.deep.equal(["waiting"]);
      expect((await bench.queue.counts("timers")).waiting).to.equal(1);
      expect((await bench.queue.counts("messages")).waiting).to.equal(1);
      bench.clock.advance(1_000);
      expect((await enqueueDueTasks(bench.scheduler)).enqueued).to.equal(1);
      expect(await statesOf("b")).to.deep.equal(["queued"]);
    });

    it("enqueues a task once if several processes run at the same time", async () => {
      await bench.plan(...Array.from({ length: 40 }, (_, n) => ({ key: `many:${n}` })));
      const counts = await Promise.all([1, 2, 3].map(() => enqueueDueTasks(bench.scheduler)));
      expect(counts.reduce((sum, pass) => sum + pass.enqueued, 0)).to.equal(40);
      expect((await bench.queue.counts("timers")).waiting).to.equal(40);
    });

    it("leaves the rest in the table when the queue holds enough", async () => {
      await bench.plan(
        ...Array.from({ length: 60 }, (_, n) => ({
          key: `media:${n}`,
          kind: "media.ocr" as const,
        })),
      );
      expect((await enqueueDueTasks(bench.scheduler)).enqueued).to.equal(50);
      expect((await enqueueDueTasks(bench.scheduler)).enqueued).to.equal(0);
    });

    it("runs again when the next task is due, soon if a queue is full, else after a second", async () => {
      const nextInMs = async () => (await enqueueDueTasks(bench.scheduler)).nextInMs;
      await bench.db.raw("DELETE FROM tasks");
      expect(await nextInMs()).to.equal(1_000);
      const now = bench.clock.now().getTime();
      await bench.plan(
        { key: "far", dueAt: new Date(now + 5_000) },
        { key: "next", dueAt: new Date(now + 620) },
        { key: "later", dueAt: new Date(now + 900), kind: "message.send" },
      );
      expect(await nextInMs()).to.equal(620);
      bench.clock.advance(610);
      expect(await nextInMs()).to.equal(50);
      bench.clock.advance(10);
      expect(await nextInMs()).to.equal(250);
      expect(await nextInMs()).to.equal(280);
    });

    it("requeues tasks at once if their jobs could not be added", async () => {
      await bench.plan({ key: "d" });
      const away: Pick<TaskJobQueue, "add" | "counts" | "oldestWaiting"> = {
        ...bench.queue,
        add: async () => Promise.reject(new Error("away")),
      };
      expect((await enqueueDueTasks({ ...bench.scheduler, queue: away })).enqueued).to.equal(0);
      expect((await findTasks(bench.db, "d"))[0]).to.include({ state: "waiting", generation: 2 });
      expect((await enqueueDueTasks(bench.scheduler)).enqueued).to.equal(1);
    });

    it("requeues tasks that are queued without a job for ten seconds", async () => {
      await bench.plan({ key: "e" });
      const { id } = (await findTasks(bench.db, "e"))[0] ?? { id: 0 };
      await bench.db.raw(
        "UPDATE tasks SET state = 'queued', generation = 1, queued_at = ? WHERE id = ?",
        [bench.clock.now(), id],
      );
      bench.clock.advance(9_000);
      await sweepTasks(bench.scheduler);
      expect(await statesOf("e")).to.deep.equal(["queued"]);
      bench.clock.advance(2_000);
      await sweepTasks(bench.scheduler);
      expect((await findTasks(bench.db, "e"))[0]).to.include({ state: "waiting", generation: 2 });
      expect((await bench.metrics.render()).text).to.include(
        'task_requeued_total{queue="timers",reason="job"} 1',
      );
    });

    it("does not treat a job that waits behind others as lost", async () => {
      await bench.plan({ key: "f" });
      await enqueueDueTasks(bench.scheduler);
      bench.clock.advance(60_000);
      await sweepTasks(bench.scheduler);
      expect(await statesOf("f")).to.deep.equal(["queued"]);
    });

    it("requeues the tasks of a lost worker, with backoff", async () => {
      await bench.plan({ key: "g" }, { key: "h" });
      const leaseUntil = new Date(bench.clock.now().getTime() + 30_000);
      await bench.db.raw(
        `UPDATE tasks SET state = 'running', generation = 1, lease_until = ?,
           attempts = CASE key WHEN 'g' THEN 1 ELSE 30 END`,
        [leaseUntil],
      );
      bench.clock.advance(29_000);
      await sweepTasks(bench.scheduler);
      expect(await statesOf("g")).to.deep.equal(["running"]);
      bench.clock.advance(2_000);
      await sweepTasks(bench.scheduler);
      const now = bench.clock.now().getTime();
      const [young] = await findTasks(bench.db, "g");
      const [old] = await findTasks(bench.db, "h");
      expect(young).to.include({
        state: "waiting",
        generation: 2,
        error: "The worker stopped before the task ended",
      });
      expect(young?.due_at).to.deep.equal(new Date(now + 5_000));
      expect(old?.due_at).to.deep.equal(new Date(now + 600_000));
    });

    it("deletes tasks that ended a week ago, and no others", async () => {
      await bench.plan({ key: "i" }, { key: "j" }, { key: "k" });
      const weekAgo = new Date(bench.clock.now().getTime() - 7 * 86_400_000);
      await bench.db.raw(
        "UPDATE tasks SET state = 'failed', ended_at = ?::timestamptz - interval '1 second' WHERE key = 'i'",
        [weekAgo],
      );
      await bench.db.raw("UPDATE tasks SET state = 'done', ended_at = ? WHERE key = 'j'", [
        weekAgo,
      ]);
      await bench.db.raw("UPDATE tasks SET due_at = '2020-01-01' WHERE key = 'k'");
      expect(await deleteOldTasks(bench.scheduler)).to.equal(1);
      const rows = await rowsOf<{ key: string }>(bench.db, "SELECT key FROM tasks ORDER BY key");
      expect(rows.map(({ key }) => key)).to.deep.equal(["j", "k"]);
    });

    it("reports the counts of each queue", async () => {
      const later = new Date(bench.clock.now().getTime() + 60_000);
      await bench.plan({ key: "l" }, { key: "m", dueAt: later }, { key: "n" }, { key: "o" });
      await bench.db.raw("UPDATE tasks SET state = 'running' WHERE key = 'n'");
      await bench.db.raw("UPDATE tasks SET state = 'failed', ended_at = now() WHERE key = 'o'");
      bench.clock.advance(30_000);
      await updateTaskGauges(bench.scheduler);
      const { text } = await bench.metrics.render();
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
        await rowsOf<{ id: number }>(bench.db, "SELECT id FROM enterprises LIMIT 1")
      )[0] ?? {
        id: 0,
      };
      await bench.db.raw(
        `INSERT INTO tasks (queue, kind, key, enterprise_id, due_at)
         SELECT 'timers', 'ticket.age', 'bulk:' || n, ?, ?::timestamptz + n * interval '1 minute'
         FROM generate_series(1, 20000) AS n`,
        [id, bench.clock.now()],
      );
      await bench.db.raw("ANALYZE tasks");
      bench.clock.advance(5 * 60_000);
      const plan = await explain(bench.db, (db) =>
        enqueueDue(db, { queueName: "timers", now: bench.clock.now(), limit: 500 }),
      );
      expect(plan).to.include("tasks_due");
      expect(mostReadInVain(plan)).to.be.below(100);
    });
  });
});
