/** Composition of the pipeline roles and the task queues, in separate processes or in one. */
import type { TaskQueueName } from "../contracts/jobs.ts";
import { deleteOldInboxRequests } from "../inbox/store.ts";
import { createEndpointConfigs } from "../pipeline/ledger/endpoints.ts";
import { createHttpSendClient } from "../pipeline/delivery/send.ts";
import type { Send } from "../pipeline/delivery/send-result.ts";
import { startDeliveryWorker } from "../pipeline/delivery/worker.ts";
import { createRelay } from "../pipeline/relay/relay.ts";
import { runSchedule, type Pass } from "../pipeline/schedule/schedule.ts";
import { listenOnRedis } from "../platform/queue/redis-wake.ts";
import { openTaskJobQueue } from "../platform/queue/job-queue.ts";
import { taskPasses } from "../platform/tasks/task-scheduler.ts";
import type { TaskHandlers } from "../platform/tasks/task.ts";
import { startTaskWorker } from "../platform/tasks/worker.ts";
import { composeNotices } from "./notices.ts";
import { runInBackground, type Platform } from "./platform.ts";

/** The relay role: events → deliveries → jobs. */
export function startRelay(platform: Platform): void {
  const { ledgerDb, log, listener, metrics, lifecycle } = platform;
  const { dispatcher } = platform.openQueue();
  const relay = createRelay({
    db: ledgerDb,
    faultPoint: platform.faultPoint,
    dispatcher,
    log,
    shardCount: platform.config.relayShards,
    onWake: (wake) => {
      listener.on("outbox", wake);
      const overRedis = listenOnRedis(platform.backend, wake, log);
      lifecycle.onStop("wake-ups of the relay", async () => overRedis.close());
    },
    onEvents: (objects) => objects.forEach((object) => metrics.events.inc({ object })),
  });
  runInBackground("relay", lifecycle, async (signal) => {
    await dispatcher.untilOpen(signal); // else the first deliveries wait for the schedule
    await relay.run(signal);
  });
}

const inboxKeptMs = 7 * 86_400_000;

/** The schedule role: due, lost and old work. `passesOfFeatures` are the passes of the features. */
export function startSchedule(platform: Platform, passesOfFeatures: readonly Pass[] = []): void {
  const { listener, lifecycle, config, db, clock } = platform;
  const tasks = openTaskJobQueue(platform.backend, platform.log);
  lifecycle.onStop("task queue", () => tasks.close());
  const onWake = (wake: () => void) => listener.on("tasks", wake);
  const deps = {
    ...platform,
    ...platform.openQueue(),
    writeNotices: composeNotices(platform),
    passes: [
      ...taskPasses({ ...platform, queue: tasks }).map(({ isWoken, ...pass }) =>
        isWoken ? { ...pass, onWake } : pass,
      ),
      ...passesOfFeatures,
    ],
    retentionDays: config.delivery.retentionDays,
    maxProbes: Math.ceil(config.delivery.concurrency / 4),
    cleanups: [() => deleteOldInboxRequests(db, new Date(clock.now().getTime() - inboxKeptMs))],
    onWake: (wake: () => void) => listener.on("schedule", wake),
  };
  runInBackground("schedule", lifecycle, (signal) => runSchedule(deps, signal));
}

/** Slower requests stop counting against the concurrency limit. */
const slowAfterMs = 500;

/** The delivery role: jobs → requests → results. Only benchmarks replace `send`. */
export function startDelivery(platform: Platform, send?: Send): void {
  const { config, guard, lifecycle, db, ledgerDb, box } = platform;
  const client = createHttpSendClient({ guard, timeoutMs: config.delivery.timeoutMs });
  lifecycle.onStop("receiver connections", async () => client.close());
  const worker = startDeliveryWorker({
    ...platform,
    db: ledgerDb,
    writeNotices: composeNotices(platform),
    dispatcher: platform.openQueue().dispatcher,
    endpoints: createEndpointConfigs(db, box),
    send: send ?? client.send,
    random: Math.random,
    concurrency: config.delivery.concurrency,
    overflow: { capacity: config.delivery.slowConcurrency, afterMs: slowAfterMs },
    leaseMs: config.delivery.leaseMs,
  });
  lifecycle.onStop("delivery worker", () => worker.stop(config.shutdownGraceMs));
}

/** One task queue: jobs → handlers of the features. */
export function startTasks(
  platform: Platform,
  queueName: TaskQueueName,
  handlers: TaskHandlers,
): void {
  const { lifecycle, config } = platform;
  const worker = startTaskWorker({ ...platform, queueName, handlers });
  lifecycle.onStop(`${queueName} worker`, () => worker.stop(config.shutdownGraceMs));
}
