import type { ObjectKind } from "../contracts/events.ts";
import { deliverQueueName, taskJobQueueName } from "../contracts/jobs.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import { assessPlatform, worstState, type HealthCode, type PartHealth } from "./health.ts";
import type { PlatformSnapshot, QueueCounts } from "./snapshot.ts";

export function presentQueues(poll: PlatformSnapshot, backend: "redis" | "postgres") {
  const { at, deliveries, taskQueues, pipeline, passes, queuesUnreachable } = poll;
  const { outbox, pastDue, windows, receivers, rates } = pipeline;
  const unreachableSince = toTimestampOrNull(queuesUnreachable?.since ?? null);
  const queues = taskQueues.map((one) => presentTaskQueue(one, at));
  return {
    at: toTimestamp(at),
    backend,
    queues_unreachable_since: unreachableSince,
    queues_away_since: unreachableSince,
    rates: {
      seconds: rates.seconds,
      until: toTimestamp(rates.until),
      until_seconds_ago: secondsSince(rates.until, at) ?? 0,
    },
    relay: {
      outbox: outbox.rows,
      oldest_seconds: secondsSince(outbox.oldest, at),
      dead_letters: outbox.deadLetters,
      set_aside: outbox.deadLetters,
    },
    deliveries: deliveries.map(({ object, queue }) => ({
      object,
      ...presentQueue(queue, deliverQueueName(object), at),
      ...presentRates(poll, object),
    })),
    pipeline: {
      past_due_seconds: secondsSince(pastDue, at),
      in_flight: windows.inFlight,
      window: windows.allowed,
      attempts_per_second: rates.attemptsPerSecond,
      failed_per_second: rates.failedPerSecond,
    },
    receivers,
    queues,
    lanes: queues,
    schedule: passes.map((pass) => presentPass(pass, at)),
  };
}

function presentRates({ pipeline: { rates } }: PlatformSnapshot, object: ObjectKind) {
  const own = rates.queues.find((one) => one.object === object);
  return {
    incoming_per_second: own?.made ?? 0,
    delivered_per_second: own?.delivered ?? 0,
    failed_per_second: own?.failed ?? 0,
  };
}

function presentTaskQueue(one: PlatformSnapshot["taskQueues"][number], now: Date) {
  return {
    kind: one.kind,
    lane: one.kind,
    ...presentQueue(one.queue, taskJobQueueName(one.kind), now),
    tasks: {
      waiting: one.waiting,
      due: one.due,
      queued: one.queued,
      running: one.running,
      failed: one.failed,
      done_last_minute: one.doneLastMinute,
      oldest_due_seconds: secondsSince(one.oldest, now),
    },
  };
}

const unknown = { waiting: null, active: null, delayed: null, failed: null, workers: null };

/** Counts are null where the queue could not be asked. */
function presentQueue(reading: QueueCounts | undefined, queue: string, now: Date) {
  const { oldestWaiting, ...counts } = reading ?? { ...unknown, oldestWaiting: undefined };
  return {
    queue,
    reachable: reading !== undefined,
    ...counts,
    oldest_waiting_seconds: secondsSince(oldestWaiting, now),
  };
}

function presentPass(pass: PlatformSnapshot["passes"][number], now: Date) {
  return {
    name: pass.name,
    every_ms: pass.everyMs,
    ran: toTimestamp(pass.ranAt),
    ran_seconds_ago: secondsSince(pass.ranAt, now) ?? 0,
    took_ms: pass.tookMs,
    failing_since: toTimestampOrNull(pass.failingSince),
    reason: pass.reason,
  };
}

function secondsSince(since: Date | null | undefined, now: Date): number | null {
  return since === null || since === undefined
    ? null
    : Math.max(0, Math.round((now.getTime() - since.getTime()) / 1_000));
}

export function presentHealth(poll: PlatformSnapshot) {
  const judgements = assessPlatform(poll);
  return {
    at: toTimestamp(poll.at),
    state: worstState(judgements),
    parts: judgements.map(presentPartHealth),
  };
}

/** Codes as they were called before: answers keep them for one version. */
const oldCodes: Partial<Record<HealthCode, string>> = {
  dead_letters: "events_set_aside",
  jobs_old: "hints_old",
};

function presentPartHealth(judgement: PartHealth) {
  return {
    ...judgement,
    old_code: oldCodes[judgement.code] ?? judgement.code,
    since: toTimestampOrNull(judgement.since),
    runbook: judgement.runbook === null ? null : `docs/runbook.md#${judgement.runbook}`,
  };
}
