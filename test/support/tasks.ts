import { taskQueueNames, type TaskQueueName } from "../../src/contracts/jobs.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { createMetrics, type Metrics } from "../../src/platform/metrics.ts";
import {
  openTaskJobQueue,
  type QueueBackend,
  type TaskJobQueue,
} from "../../src/platform/queue/job-queue.ts";
import type { OutageWatch } from "../../src/platform/db/outages.ts";
import type { TaskSchedulerDeps } from "../../src/platform/tasks/task-scheduler.ts";
import {
  createTasks,
  type NewTask,
  type TaskHandlers,
  type Tasks,
} from "../../src/platform/tasks/task.ts";
import { startTaskWorker, type TaskWorker } from "../../src/platform/tasks/worker.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { anEnterprise } from "./factories.ts";

/** For the sweeper: Postgres was never away. */
export const noOutage: OutageWatch = { observe: (query) => query(), isSettled: () => true };

export type TaskRow = {
  id: number;
  state: string;
  due_at: Date;
  generation: number;
  attempts: number;
  lease_until: Date | null;
  error: string | null;
  data: Record<string, unknown>;
  ended_at: Date | null;
};

/** The tasks with this key, oldest first. */
export async function findTasks(db: Db, key: string): Promise<TaskRow[]> {
  return rowsOf<TaskRow>(db, "SELECT * FROM tasks WHERE key = ? ORDER BY id", [key]);
}

export type WorkerLimits = { concurrency: number; leaseMs: number; timeoutMs: number };

export type TaskHarness = {
  readonly db: Db;
  readonly clock: TestClock;
  readonly queue: TaskJobQueue;
  readonly metrics: Metrics;
  readonly tasks: Tasks;
  /** Dependencies of the task scheduler's functions. */
  readonly scheduler: TaskSchedulerDeps;
  /** The number of wake-ups of the schedule. */
  readonly woken: () => number;
  plan(...tasks: readonly Partial<NewTask>[]): Promise<void>;
  work(
    handlers: TaskHandlers,
    limits?: Partial<WorkerLimits>,
    taskQueue?: TaskQueueName,
  ): TaskWorker;
};

/**
 * The task system on the file's database and queue, with a clock that the test controls. Each test
 * has separate queue connections; workers are stopped after it.
 */
export function useTasks(database: TestDatabase, backend: () => QueueBackend): TaskHarness {
  const log = createLogger("silent", "test");
  const clock = createTestClock();
  let wakes = 0;
  let enterpriseId = 0;
  let opened: { queue: TaskJobQueue; metrics: Metrics } | undefined;
  const workers: TaskWorker[] = [];
  const tasks = createTasks({
    clock,
    wake: () => {
      wakes += 1;
    },
  });
  const get = () => {
    if (opened === undefined) {
      throw new Error("The queue exists inside tests only");
    }
    return opened;
  };
  beforeEach("open the queue of tasks", async () => {
    wakes = 0;
    opened = { queue: openTaskJobQueue(backend(), log), metrics: createMetrics() };
    enterpriseId = (await anEnterprise(database.db)).id;
  });
  const work: TaskHarness["work"] = (handlers, limits = {}, taskQueue = "timers") => {
    const worker = startTaskWorker({
      db: database.db,
      backend: backend(),
      queueName: taskQueue,
      handlers,
      clock,
      log,
      metrics: get().metrics,
      faultPoint: () => undefined,
      limits: { concurrency: 4, leaseMs: 30_000, timeoutMs: 20_000, ...limits },
    });
    workers.push(worker);
    return worker;
  };
  const stopWorkers = async (): Promise<void> => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop(4_000)));
  };
  /** Consumes the jobs of earlier tests, which would distort the age of the oldest job. */
  const drain = async (taskQueue: TaskQueueName): Promise<void> => {
    const { queue } = get();
    const isEmpty = async (): Promise<boolean> => (await queue.counts(taskQueue)).waiting === 0;
    if (!(await isEmpty())) {
      work({}, {}, taskQueue);
      await eventually(isEmpty);
    }
  };
  afterEach("stop the workers, empty and close the queue", async () => {
    await stopWorkers();
    await database.db.raw("DELETE FROM tasks");
    await Promise.all(taskQueueNames.map(drain));
    await stopWorkers();
    await opened?.queue.close();
  });
  const ofNow = (task: Partial<NewTask>): NewTask => ({
    kind: "ticket.age",
    key: "ticket:1000",
    enterpriseId,
    dueAt: clock.now(),
    ...task,
  });
  return {
    clock,
    tasks,
    woken: () => wakes,
    get db() {
      return database.db;
    },
    get queue() {
      return get().queue;
    },
    get metrics() {
      return get().metrics;
    },
    get scheduler() {
      return { db: database.db, queue: get().queue, clock, log, metrics: get().metrics };
    },
    plan: async (...input) =>
      inTransaction(database.db, (trx) => tasks.plan(trx, input.map(ofNow))),
    work,
  };
}
