import { expect } from "chai";
import { shareJobs } from "../../../src/contracts/jobs.ts";
import { requeueUnsent } from "../../../src/pipeline/ledger/requeue.ts";
import { createSweeper } from "../../../src/pipeline/schedule/sweeper.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { openJobQueue } from "../../../src/platform/queue/job-queue.ts";
import { startJobWorkers } from "../../../src/platform/queue/job-workers.ts";
import { createTestClock } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { fanOutAll, openLimits } from "../../support/ledger.ts";
import { useRedis } from "../../support/redis.ts";

const log = createLogger("silent", "test");

describe("deliveries of a shared job that get no slot", () => {
  const database = useDatabase();
  const redis = useRedis();

  it("are returned before the sweeper treats them as lost", async () => {
    const clock = createTestClock(new Date());
    const backend = { kind: "redis" as const, url: redis.url, namespace: redis.prefix };
    const queue = openJobQueue(backend, log);
    const { id: enterprise_id } = await anEnterprise(database.db);
    await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    for (let count = 0; count < 8; count += 1) {
      await anEvent(database.db, { enterprise_id });
    }
    const limits = { ...openLimits(clock.now()), reservedMs: 3_000 };
    const enqueued = await fanOutAll(database.db, limits);
    await eventually(() => queue.markEpoch("ticket"));
    await eventually(() => queue.add("ticket", shareJobs(enqueued), clock.now()));
    let release = (): void => undefined;
    const isOver = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Like a process with slow receivers and a full overflow.
    const workers = startJobWorkers({
      ...{ backend, concurrency: 1, log, handle: () => isOver },
      giveBack: (job) => requeueUnsent(database.db, [job]),
    });
    const sweeper = createSweeper({ db: database.db, queue, clock, log, onSwept: () => undefined });
    try {
      await eventually(() => expect(workers.counts()).to.include({ held: 1 }));
      await eventually(async () => {
        expect(workers.counts()).to.deep.equal({ held: 1, inOverflow: 0, waiting: 0 });
        const states = await rowsOf<{ state: string; count: number }>(
          database.db,
          "SELECT state, count(*)::int AS count FROM deliveries GROUP BY 1 ORDER BY 1",
        );
        expect(states).to.deep.equal([
          { state: "pending", count: enqueued.length - 1 },
          { state: "queued", count: 1 },
        ]);
      });
      await sweeper.sweep();
      clock.advance(6_000);
      await sweeper.sweep();
      const attempts = await rowsOf<{ count: number }>(
        database.db,
        `SELECT count(*) FROM attempts a JOIN deliveries d ON d.id = a.delivery_id
         WHERE a.failure = 'interrupted'`,
      );
      // One delivery is being sent without a claim here; a real worker claims it after a second.
      expect(attempts[0]?.count).to.be.at.most(1);
    } finally {
      release();
      await workers.close(5_000);
      await queue.close();
    }
  });
});
