import { expect } from "chai";
import { enqueueDueTasks, sweepTasks } from "../../../src/platform/tasks/task-scheduler.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { openRedis } from "../../support/redis.ts";
import { startRedisServer } from "../../support/redis-server.ts";
import { useTasks, noOutage } from "../../support/tasks.ts";

const done = { kind: "done" } as const;

describe("tasks when Redis loses its data", () => {
  const database = useDatabase();
  let server: Awaited<ReturnType<typeof startRedisServer>>;
  before("start a separate Redis", async () => {
    server = await startRedisServer();
  });
  after("stop it", () => server.stop());
  const harness = useTasks(database, () => ({ kind: "redis", url: server.url, namespace: "lost" }));

  it("are all done without intervention", async () => {
    const seen: string[] = [];
    const keys = Array.from({ length: 30 }, (_, n) => `ticket:${n}`);
    await harness.plan(...keys.map((key) => ({ key })));
    expect((await enqueueDueTasks(harness.scheduler)).enqueued).to.equal(30);
    const client = openRedis(server.url);
    await client.flushall();
    client.disconnect();
    harness.work({ "ticket.age": async ({ key }) => (seen.push(key), done) });
    harness.clock.advance(11_000);
    await sweepTasks(harness.scheduler, noOutage);
    expect((await enqueueDueTasks(harness.scheduler)).enqueued).to.equal(30);
    await eventually(() => expect(seen).to.have.members(keys));
  });
});
