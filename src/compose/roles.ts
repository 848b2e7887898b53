/** Composition of the pipeline roles and the task queues, in separate processes or in one. */
import { findEnterpriseProfile, listNoticeRecipients } from "../accounts/recipients-store.ts";
import { objectKinds } from "../contracts/events.ts";
import { taskQueueNames, type TaskQueueName } from "../contracts/jobs.ts";
import { deleteOldInboxRequests } from "../inbox/store.ts";
import { createMessageQueue } from "../messages/outgoing.ts";
import type { Send } from "../pipeline/delivery/send-result.ts";
import { createHttpSendClient } from "../pipeline/delivery/send.ts";
import { startDeliveryWorker, type DeliveryWorker } from "../pipeline/delivery/worker.ts";
import { createEndpointConfigs } from "../pipeline/ledger/endpoints.ts";
import type { WriteNotices } from "../pipeline/ledger/notices.ts";
import { createRelay } from "../pipeline/relay/relay.ts";
import { type Pass, runSchedule } from "../pipeline/schedule/schedule.ts";
import type { Queryable } from "../platform/db/pool.ts";
import { listenOnRedis, standInForRelay } from "../platform/queue/redis-wake.ts";
import {
  failedKeptMs,
  openTaskJobQueue,
  type JobQueue,
  type TaskJobQueue,
} from "../platform/queue/job-queue.ts";
import { taskPasses } from "../platform/tasks/task-scheduler.ts";
import type { TaskHandlers } from "../platform/tasks/task.ts";
import { startTaskWorker } from "../platform/tasks/worker.ts";
import { createEmailLinks, listEmails } from "../subscriptions/alerts/confirmations.ts";
import { listUserIds, readSettings } from "../subscriptions/alerts/store.ts";
import { watchWebhooks } from "../subscriptions/alerts/watch.ts";
import {
  createNoticeMailer,
  createWriteNotices,
  type Recipient,
  type SendNotice,
} from "../subscriptions/notices/notices.ts";
import { composeOutbox, composeTaskPlanning, type Platform, runInBackground } from "./platform.ts";
import { observeCheck, queueCheck, writesCheck } from "./readiness.ts";

/**
 * The relay role: events → deliveries → jobs. With a worker of the same process, fresh deliveries start
 * there while it has slots, without a job.
 */
export function startRelay(platform: Platform, worker?: DeliveryWorker): void {
  const { log, listener, lifecycle } = platform;
  const { relay, untilOpen } = composeRelay(platform, worker);
  listener.on("outbox", relay.wake);
  const overRedis = listenOnRedis(platform.backend, relay.wake, log);
  lifecycle.onStop("wake-ups of the relay", async () => overRedis.close());
  runInBackground("relay", lifecycle, async (signal) => {
    await untilOpen(signal); // else the first deliveries wait for the schedule
    await relay.run(signal);
  });
}

/**
 * One of the delivery processes stands in for the relay, unless there is much to do: an event then
 * wakes one process less, and needs no job. The relay polls meanwhile.
 */
export function startStandIn(platform: Platform, worker: DeliveryWorker): void {
  const { config, log, lifecycle, notifier, backend } = platform;
  if (!config.isStandInOn) {
    return;
  }
  const { relay, untilOpen } = composeRelay(platform, worker);
  const run = async (signal: AbortSignal): Promise<void> => {
    await untilOpen(signal);
    const standIn = standInForRelay(backend, relay, log);
    await relay.standIn(signal, async () => {
      await standIn.handOver();
      notifier.wake("outbox");
    });
    await standIn.close();
    notifier.wake("outbox"); // for what was heard too late
  };
  runInBackground("stand-in", lifecycle, run);
}

function composeRelay(platform: Platform, worker: DeliveryWorker | undefined) {
  const { ledgerDb, log, metrics, config, faultPoint } = platform;
  const { dispatcher } = platform.openQueue();
  const relay = createRelay({
    db: ledgerDb,
    faultPoint,
    dispatcher: { ...dispatcher, ...(worker === undefined ? {} : { dispatch: worker.dispatch }) },
    log,
    shardCount: config.relayShards,
    onEvents: (objects) => objects.forEach((object) => metrics.events.inc({ object })),
    onPending: () => worker?.storeResults(),
  });
  return { relay, untilOpen: dispatcher.untilOpen };
}

const inboxKeptMs = 7 * 86_400_000;

/** The schedule role: due, lost and old work. `passesOfFeatures` are the passes of the features. */
export function startSchedule(platform: Platform, passesOfFeatures: readonly Pass[] = []): void {
  const { listener, lifecycle, config, db, clock } = platform;
  const tasks = openTaskJobQueue(platform.backend, platform.log);
  lifecycle.onStop("task queue", () => tasks.close());
  const onWake = (wake: () => void) => listener.on("tasks", wake);
  const { queue, dispatcher } = platform.openQueue();
  const [writes, reachable] = [writesCheck(db), queueCheck(queue)];
  const deps = {
    ...platform,
    ...{ queue, dispatcher },
    writeNotices: composeNotices(platform),
    passes: [
      ...taskPasses({ ...platform, queue: tasks }).map(({ isWoken, ...pass }) =>
        isWoken ? { ...pass, onWake } : pass,
      ),
      { name: "failed-jobs", everyMs: 600_000, run: () => removeFailedJobs(queue, tasks) },
      // Only here: whether Postgres accepts writes, and the queues answer, is the same for all processes.
      { name: "writes", everyMs: 30_000, run: () => observeCheck(writes, platform) },
      { name: "queue", everyMs: 30_000, run: () => observeCheck(reachable, platform) },
      ...passesOfFeatures,
    ],
    retentionDays: config.delivery.retentionDays,
    maxProbes: Math.ceil(config.delivery.concurrency / 4),
    cleanups: [() => deleteOldInboxRequests(db, new Date(clock.now().getTime() - inboxKeptMs))],
    onWake: (wake: () => void) => listener.on("schedule", wake),
  };
  runInBackground("schedule", lifecycle, (signal) => runSchedule(deps, signal));
}

async function removeFailedJobs(queue: JobQueue, tasks: TaskJobQueue): Promise<void> {
  await Promise.all([
    ...objectKinds.map((object) => queue.removeFailed(object, failedKeptMs)),
    ...taskQueueNames.map((name) => tasks.removeFailed(name, failedKeptMs)),
  ]);
}

/** Slower requests stop counting against the concurrency limit. */
const slowAfterMs = 500;

/** The delivery role: jobs → requests → results. Only benchmarks replace `send`. */
export function startDelivery(platform: Platform, send?: Send): DeliveryWorker {
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
  lifecycle.onStop("delivery worker", (leftMs) => worker.stop(leftMs), "work");
  return worker;
}

/** One task queue: jobs → handlers of the features. */
export function startTasks(
  platform: Platform,
  queueName: TaskQueueName,
  handlers: TaskHandlers,
): void {
  const worker = startTaskWorker({ ...platform, queueName, handlers });
  platform.lifecycle.onStop(`${queueName} worker`, (leftMs) => worker.stop(leftMs), "work");
}

/**
 * Composition of notices, for every role that settles deliveries or assesses subscriptions. Uses
 * only the parts of the features that notices need, because these roles serve no requests.
 */
export function composeNotices(platform: Platform): WriteNotices {
  return createWriteNotices({
    outbox: composeOutbox(platform),
    clock: platform.clock,
    sendNotice: composeSendNotice(platform),
  });
}

/** The schedule pass that checks webhooks with alerts. */
export function composeAlertPass(platform: Platform): Pass {
  const { db, clock, log } = platform;
  const sendNotice = composeSendNotice(platform);
  return {
    name: "alerts",
    everyMs: 30_000,
    run: () => watchWebhooks({ db, clock, log, sendNotice }),
  };
}

function composeSendNotice(platform: Platform): SendNotice {
  const { ids, config, baseUrl } = platform;
  const tasks = composeTaskPlanning(platform);
  const outbox = composeOutbox(platform);
  const queue = createMessageQueue({ ids, outbox, tasks, mailFrom: config.mail.from });
  return createNoticeMailer({
    baseUrl,
    listRecipients: createListRecipients(platform),
    queueMails: async (trx, mails) => {
      const messages = mails.map(({ to, ...mail }) => ({
        ...mail,
        channel: "email" as const,
        recipient: to,
        createdBy: null,
      }));
      await queue(trx, messages, { overQuota: "fail" });
    },
  });
}

/** Bounded, because each gets their own mail. */
const maxRecipients = 100;

/** Administrators and chosen users, then confirmed external addresses that none of them has. */
function createListRecipients(platform: Platform) {
  return async (db: Queryable, enterpriseId: number): Promise<Recipient[]> => {
    const { administrators } = await readSettings(db, enterpriseId);
    const userIds = await listUserIds(db, enterpriseId);
    const people = await listNoticeRecipients(db, enterpriseId, { administrators, userIds });
    const known = new Set(people.map(({ email }) => email.toLowerCase()));
    const outside = (await listEmails(db, enterpriseId)).filter(
      ({ email, confirmed }) => confirmed !== null && !known.has(email.toLowerCase()),
    );
    const { language, timeZone } = await findEnterpriseProfile(db, enterpriseId);
    const links = createEmailLinks(platform);
    const strangers = outside.map((one) => ({
      ...{ email: one.email, language, timeZone, stopLink: links.linkTo(one) },
    }));
    return [...people, ...strangers].slice(0, maxRecipients);
  };
}
