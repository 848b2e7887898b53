import { expect } from "chai";
import { enqueueDueTasks } from "../../../src/platform/tasks/task-scheduler.ts";
import type { RunningTask } from "../../../src/platform/tasks/task.ts";
import { backendOf, onBackend } from "../../support/backends.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { useRedis } from "../../support/redis.ts";
import { findTasks, useTasks } from "../../support/tasks.ts";

const done = { kind: "done" } as const;

/** A promise that a handler awaits and the test resolves. */
function gate() {
  let open: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open?.() };
}

onBackend("redis", (kind) => {
  describe("a worker of tasks", () => {
    const database = useDatabase();
    const redis = useRedis();
    const harness = useTasks(database, () => backendOf(kind, database, redis));

    const only = async (key: string) => {
      const rows = await findTasks(harness.db, key);
      expect(rows).to.have.lengthOf(1);
      return rows[0];
    };
    const inState = async (key: string, state: string) =>
      eventually(async () => {
        const row = await only(key);
        expect(row?.state).to.equal(state);
        return row;
      });

    it("runs a due task once, with its data", async () => {
      const seen: RunningTask[] = [];
      harness.work({
        "ticket.age": async (task) => {
          seen.push(task);
          return done;
        },
      });
      await harness.plan({ key: "ticket:1", data: { state: "new" } });
      await enqueueDueTasks(harness.scheduler);
      const row = await inState("ticket:1", "done");
      expect(seen).to.have.lengthOf(1);
      expect(seen[0]).to.deep.include({
        kind: "ticket.age",
        key: "ticket:1",
        data: { state: "new" },
        attempt: 1,
        generation: 1,
      });
      expect(row?.ended_at).to.deep.equal(harness.clock.now());
      expect(row?.error).to.equal(null);
    });

    it("does not run a task that was cancelled or replaced after it was enqueued", async () => {
      await harness.plan({ key: "cancelled" }, { key: "replaced", data: { n: 1 } });
      await enqueueDueTasks(harness.scheduler);
      await harness.db.transaction((trx) =>
        harness.tasks.cancel(trx, { kind: "ticket.age", key: "cancelled" }),
      );
      const later = new Date(harness.clock.now().getTime() + 60_000);
      await harness.plan({ key: "replaced", data: { n: 2 }, dueAt: later }, { key: "last" });
      await enqueueDueTasks(harness.scheduler);
      const seen: unknown[] = [];
      harness.work(
        { "ticket.age": async ({ key, data }) => (seen.push([key, data]), done) },
        { concurrency: 1 },
      );
      await inState("last", "done");
      expect(seen).to.deep.equal([["last", {}]]);
      harness.clock.advance(60_000);
      await enqueueDueTasks(harness.scheduler);
      await inState("replaced", "done");
      expect(seen).to.deep.equal([
        ["last", {}],
        ["replaced", { n: 2 }],
      ]);
    });

    it("releases a task that is replaced while it runs, and aborts its handler", async () => {
      const { opened, open } = gate();
      const signals: AbortSignal[] = [];
      harness.work(
        {
          "ticket.age": async (_task, signal) => {
            signals.push(signal);
            if (signals.length === 1) {
              await opened;
            }
            return done;
          },
        },
        { leaseMs: 300 },
      );
      await harness.plan({ key: "r" });
      await enqueueDueTasks(harness.scheduler);
      await eventually(() => expect(signals).to.have.lengthOf(1));
      await harness.plan({ key: "r", data: { n: 2 } });
      await eventually(() => expect(signals[0]?.aborted).to.equal(true));
      open();
      expect(await only("r")).to.deep.include({ state: "waiting", data: { n: 2 } });
      await enqueueDueTasks(harness.scheduler);
      await inState("r", "done");
      expect(signals).to.have.lengthOf(2);
    });

    it("postpones a task at its request, and stores the reason", async () => {
      const dueAt = new Date(harness.clock.now().getTime() + 1_000);
      harness.work({
        "ticket.age": async ({ attempt }) =>
          attempt === 1 ? { kind: "again", dueAt, reason: "too early" } : done,
      });
      await harness.plan({ key: "again" });
      await enqueueDueTasks(harness.scheduler);
      const row = await inState("again", "waiting");
      expect(row).to.deep.include({ due_at: dueAt, error: "too early", attempts: 1 });
      harness.clock.advance(1_000);
      await enqueueDueTasks(harness.scheduler);
      expect(await inState("again", "done")).to.deep.include({ attempts: 2, error: null });
    });

    it("ends a task that failed permanently", async () => {
      harness.work({ "ticket.age": async () => ({ kind: "failed", reason: "no such number" }) });
      await harness.plan({ key: "failed" });
      await enqueueDueTasks(harness.scheduler);
      expect(await inState("failed", "failed")).to.include({ error: "no such number" });
    });

    it("retries a task that throws, with backoff and without limit", async () => {
      harness.work({
        "ticket.age": async ({ attempt }) => {
          if (attempt < 12) {
            throw new Error(`fault ${attempt}`);
          }
          return done;
        },
      });
      await harness.plan({ key: "throws" });
      const waits: number[] = [];
      for (let attempt = 1; attempt < 12; attempt += 1) {
        await enqueueDueTasks(harness.scheduler);
        const row = await eventually(async () => {
          const found = await only("throws");
          expect(found).to.include({ state: "waiting", error: `fault ${attempt}` });
          return found;
        });
        const waitMs = (row?.due_at.getTime() ?? 0) - harness.clock.now().getTime();
        waits.push(waitMs / 1_000);
        harness.clock.advance(waitMs);
      }
      expect(waits).to.deep.equal([5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600]);
      await enqueueDueTasks(harness.scheduler);
      await inState("throws", "done");
      const { text } = await harness.metrics.render();
      expect(text).to.include('task_runs_total{kind="ticket.age",outcome="threw"} 11');
      expect(text).to.include('task_runs_total{kind="ticket.age",outcome="done"} 1');
    });

    it("keeps tasks of unknown kinds for a later version", async () => {
      harness.work({});
      await harness.plan({ key: "unknown" });
      await enqueueDueTasks(harness.scheduler);
      const row = await eventually(async () => {
        const found = await only("unknown");
        expect(found?.error).to.equal("This version does not know ticket.age");
        return found;
      });
      expect(row?.state).to.equal("waiting");
    });

    it("never holds a task together with another worker", async () => {
      const holding = new Map<string, number>();
      const most = { held: 0 };
      const runs = new Map<string, number>();
      const handlers = {
        "ticket.age": async ({ key }: RunningTask) => {
          const held = (holding.get(key) ?? 0) + 1;
          most.held = Math.max(most.held, held);
          holding.set(key, held);
          runs.set(key, (runs.get(key) ?? 0) + 1);
          await harness.db.raw("SELECT pg_sleep(0.005)");
          holding.set(key, held - 1);
          return done;
        },
      };
      harness.work(handlers);
      harness.work(handlers);
      const keys = Array.from({ length: 60 }, (_, n) => `ticket:${n}`);
      await harness.plan(...keys.map((key) => ({ key })));
      await enqueueDueTasks(harness.scheduler);
      // The same jobs again, as when the queue delivers one twice.
      const rows = await harness.db.raw("SELECT id, generation FROM tasks");
      await harness.queue.add(
        "timers",
        rows.rows.map((row: { id: number; generation: number }) => ({
          taskId: row.id,
          generation: row.generation,
        })),
        harness.clock.now(),
      );
      await eventually(async () => {
        const left = await harness.db.raw("SELECT 1 FROM tasks WHERE state <> 'done'");
        expect(left.rows).to.deep.equal([]);
      });
      expect(most.held).to.equal(1);
      expect([...runs.values()].every((count) => count === 1)).to.equal(true);
      expect(runs.size).to.equal(60);
    });

    it("returns unfinished tasks at once when the process stops", async () => {
      const signals: AbortSignal[] = [];
      const worker = harness.work({
        "ticket.age": async (_task, signal) => {
          signals.push(signal);
          return new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("aborted")));
          });
        },
      });
      await harness.plan({ key: "stopping" });
      await enqueueDueTasks(harness.scheduler);
      await eventually(() => expect(signals).to.have.lengthOf(1));
      await worker.stop(2_050);
      expect(await only("stopping")).to.deep.include({
        state: "waiting",
        due_at: harness.clock.now(),
        attempts: 0,
        error: null,
      });
    });
  });
});
