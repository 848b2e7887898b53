import { expect } from "chai";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { backendOf } from "../../support/backends.ts";
import { useDatabase } from "../../support/database.ts";
import { useRedis } from "../../support/redis.ts";
import { findTasks, useTasks } from "../../support/tasks.ts";

const minuteMs = 60_000;

describe("planning tasks", () => {
  const database = useDatabase();
  const redis = useRedis();
  const harness = useTasks(database, () => backendOf("redis", database, redis));
  const inMinutes = (minutes: number): Date =>
    new Date(harness.clock.now().getTime() + minutes * minuteMs);

  it("writes tasks in the transaction of the use case, into the queue of their kind", async () => {
    await harness.plan(
      { key: "ticket:1", dueAt: inMinutes(5), data: { state: "new" } },
      { key: "ticket:2", kind: "message.send" },
    );
    const [age] = await findTasks(harness.db, "ticket:1");
    expect(age).to.deep.include({
      queue: "timers",
      kind: "ticket.age",
      state: "waiting",
      data: { state: "new" },
      due_at: inMinutes(5),
      generation: 0,
      attempts: 0,
    });
    expect((await findTasks(harness.db, "ticket:2"))[0]).to.include({ queue: "messages" });
  });

  it("leaves nothing after a rollback, and wakes no scheduler", async () => {
    const failing = inTransaction(harness.db, async (trx) => {
      await harness.tasks.plan(trx, [
        { kind: "ticket.age", key: "ticket:3", enterpriseId: 1, dueAt: harness.clock.now() },
      ]);
      throw new Error("changed its mind");
    });
    expect(await failing.catch((thrown: Error) => thrown.message)).to.equal("changed its mind");
    expect(await findTasks(harness.db, "ticket:3")).to.deep.equal([]);
    expect(harness.woken()).to.equal(0);
  });

  it("wakes the schedule after the commit, only if a task is due", async () => {
    await harness.plan({ key: "ticket:4", dueAt: inMinutes(1) });
    expect(harness.woken()).to.equal(0);
    await harness.plan({ key: "ticket:5" });
    expect(harness.woken()).to.equal(1);
  });

  it("replaces the open task of the same kind and key, in any state", async () => {
    await harness.plan({ key: "ticket:6", dueAt: inMinutes(5), data: { a: 1 } });
    await harness.db.raw(
      `UPDATE tasks SET state = 'running', generation = 4, attempts = 3, lease_until = now(),
         queued_at = now(), error = 'x' WHERE key = 'ticket:6'`,
    );
    await harness.plan({ key: "ticket:6", dueAt: inMinutes(9), data: { b: 2 } });
    const rows = await findTasks(harness.db, "ticket:6");
    expect(rows).to.have.lengthOf(1);
    expect(rows[0]).to.deep.include({
      state: "waiting",
      generation: 5,
      attempts: 0,
      due_at: inMinutes(9),
      data: { b: 2 },
      lease_until: null,
      queued_at: null,
      error: null,
    });
  });

  it("keeps ended tasks, and other kinds of the same key", async () => {
    await harness.plan({ key: "ticket:7" }, { key: "ticket:7", kind: "ticket.reminder" });
    await harness.db.raw(
      "UPDATE tasks SET state = 'done', ended_at = now() WHERE key = 'ticket:7' AND kind = 'ticket.age'",
    );
    await harness.plan({ key: "ticket:7" });
    const states = (await findTasks(harness.db, "ticket:7")).map(({ state }) => state);
    expect(states).to.deep.equal(["done", "waiting", "waiting"]);
  });

  it("keeps the last one if a call contains a key twice", async () => {
    await harness.plan({ key: "ticket:8", data: { n: 1 } }, { key: "ticket:8", data: { n: 2 } });
    const rows = await findTasks(harness.db, "ticket:8");
    expect(rows.map(({ data }) => data)).to.deep.equal([{ n: 2 }]);
  });

  it("leaves one open task after concurrent calls", async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        harness.plan({ key: "ticket:9", data: { n } }, { key: "ticket:10", data: { n } }),
      ),
    );
    const [first] = await findTasks(harness.db, "ticket:9");
    expect(await findTasks(harness.db, "ticket:9")).to.have.lengthOf(1);
    expect(first?.generation).to.equal(7);
  });

  it("cancels the open task of that kind, and no other", async () => {
    await harness.plan({ key: "ticket:11" }, { key: "ticket:11", kind: "ticket.reminder" });
    await inTransaction(harness.db, (trx) =>
      harness.tasks.cancel(trx, { kind: "ticket.age", key: "ticket:11" }),
    );
    const rows = await findTasks(harness.db, "ticket:11");
    expect(
      rows.map(({ state, generation, error }) => ({ state, generation, error })),
    ).to.have.deep.members([
      { state: "done", generation: 1, error: "cancelled" },
      { state: "waiting", generation: 0, error: null },
    ]);
    expect(rows.find(({ state }) => state === "done")?.ended_at).to.deep.equal(harness.clock.now());
  });
});
