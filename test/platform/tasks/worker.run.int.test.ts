import { expect } from "chai";
import { enqueueDueTasks, sweepTasks } from "../../../src/platform/tasks/task-scheduler.ts";
import { backendOf, onBackend } from "../../support/backends.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { useRedis } from "../../support/redis.ts";
import { findTasks, useTasks, noOutage } from "../../support/tasks.ts";

const done = { kind: "done" } as const;

/** A promise that a handler awaits and the test resolves. */
function gate() {
  let open: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open?.() };
}

onBackend("redis", (kind) => {
  describe("one run of a task", () => {
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

    it("aborts a task that takes too long, and retries it", async () => {
      harness.work(
        {
          "ticket.age": async (_task, signal) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener("abort", () => reject(new Error("aborted")));
            }),
        },
        { timeoutMs: 50 },
      );
      await harness.plan({ key: "slow" });
      await enqueueDueTasks(harness.scheduler);
      await eventually(async () =>
        expect(await only("slow")).to.include({ state: "waiting", error: "Timed out after 50 ms" }),
      );
    });

    it("abandons a handler that does not stop when aborted", async () => {
      const { opened, open } = gate();
      harness.work(
        { "ticket.age": () => opened.then(() => done) },
        { timeoutMs: 50, leaseMs: 200 },
      );
      await harness.plan({ key: "deaf" });
      await enqueueDueTasks(harness.scheduler);
      await eventually(async () => expect(await only("deaf")).to.include({ state: "waiting" }));
      open();
    });

    it("renews its lease while it works, so that the sweeper does not requeue it", async () => {
      const { opened, open } = gate();
      let runs = 0;
      harness.work(
        {
          "ticket.age": async () => {
            runs += 1;
            await opened;
            return done;
          },
        },
        { leaseMs: 300 },
      );
      await harness.plan({ key: "long" });
      await enqueueDueTasks(harness.scheduler);
      const first = await inState("long", "running");
      harness.clock.advance(250);
      await eventually(async () => {
        const row = await only("long");
        expect(row?.lease_until?.getTime()).to.be.above(first?.lease_until?.getTime() ?? Infinity);
      });
      harness.clock.advance(250);
      await sweepTasks(harness.scheduler, noOutage);
      expect((await only("long"))?.state).to.equal("running");
      open();
      await inState("long", "done");
      expect(runs).to.equal(1);
    });

    it("stores nothing for a task that it lost, for any result of its handler", async () => {
      const { opened, open } = gate();
      let runs = 0;
      const handlers = {
        "ticket.age": async () => {
          runs += 1;
          if (runs === 1) {
            await opened;
            return { kind: "failed", reason: "of the past" } as const;
          }
          return done;
        },
      };
      harness.work(handlers);
      await harness.plan({ key: "lost" });
      await enqueueDueTasks(harness.scheduler);
      await inState("lost", "running");
      // After the end of the lease, as if the process had been suspended.
      harness.clock.advance(31_000);
      await sweepTasks(harness.scheduler, noOutage);
      harness.clock.advance(5_000);
      await enqueueDueTasks(harness.scheduler);
      await inState("lost", "done");
      open();
      await eventually(async () => {
        const { text } = await harness.metrics.render();
        expect(text).to.include('task_runs_total{kind="ticket.age",outcome="lost"} 1');
      });
      expect(await only("lost")).to.include({ state: "done", error: null, attempts: 2 });
    });
  });
});
