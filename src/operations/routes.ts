import { objectKinds, type ObjectKind } from "../contracts/events.ts";
import { taskQueueNames, deliverQueueName, taskJobQueueName } from "../contracts/jobs.ts";
import {
  oldNameOf,
  exactObject,
  flag,
  integer,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../http/schema.ts";
import { ok, route, type JsonSchema, type Route } from "../http/route.ts";
import {
  healthCodes,
  partStates,
  assessPlatform,
  worstState,
  type HealthCode,
  type PartHealth,
} from "./health.ts";
import type { PlatformSnapshot, QueueState } from "./snapshot.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";

export type OperationsDeps = {
  readSnapshot: () => Promise<PlatformSnapshot>;
  /** The backend of the queues. */
  backend: "redis" | "postgres";
};

const queueMembers = {
  queue: text,
  reachable: flag,
  waiting: nullableInteger,
  active: nullableInteger,
  delayed: nullableInteger,
  failed: nullableInteger,
  oldest_waiting_seconds: nullableInteger,
  workers: nullableInteger,
};

const rate = { type: "number" } as const;

const taskQueuesAnswer: JsonSchema = {
  type: "array",
  items: exactObject("PlatformTaskQueue", {
    kind: { type: "string", enum: taskQueueNames },
    lane: oldNameOf("kind", { type: "string", enum: taskQueueNames }),
    ...queueMembers,
    tasks: exactObject("PlatformTasks", {
      waiting: integer,
      due: integer,
      queued: integer,
      running: integer,
      failed: integer,
      done_last_minute: integer,
      oldest_due_seconds: nullableInteger,
    }),
  }),
};

const queuesAnswer = exactObject("PlatformQueues", {
  at: timestamp,
  backend: { type: "string", enum: ["redis", "postgres"] },
  queues_unreachable_since: nullableTimestamp,
  queues_away_since: oldNameOf("queues_unreachable_since", nullableTimestamp),
  rates: exactObject("PlatformRates", {
    seconds: integer,
    until: timestamp,
    until_seconds_ago: integer,
  }),
  relay: exactObject("PlatformRelay", {
    outbox: integer,
    oldest_seconds: nullableInteger,
    dead_letters: integer,
    set_aside: oldNameOf("dead_letters", integer),
  }),
  deliveries: {
    type: "array",
    items: exactObject("PlatformDeliveryQueue", {
      object: { type: "string", enum: objectKinds },
      ...queueMembers,
      incoming_per_second: rate,
      delivered_per_second: rate,
      failed_per_second: rate,
    }),
  },
  pipeline: exactObject("PlatformPipeline", {
    past_due_seconds: nullableInteger,
    in_flight: integer,
    window: integer,
    attempts_per_second: rate,
    failed_per_second: rate,
  }),
  receivers: exactObject("PlatformReceivers", {
    active: integer,
    failing: integer,
    throttled: integer,
    open: integer,
    off: integer,
  }),
  queues: taskQueuesAnswer,
  lanes: oldNameOf("queues", taskQueuesAnswer),
  schedule: {
    type: "array",
    items: exactObject("PlatformPass", {
      name: text,
      every_ms: integer,
      ran: timestamp,
      ran_seconds_ago: integer,
      took_ms: integer,
      failing_since: nullableTimestamp,
      reason: nullableText,
    }),
  },
});

const healthAnswer = exactObject("PlatformHealth", {
  at: timestamp,
  state: { type: "string", enum: partStates },
  parts: {
    type: "array",
    items: exactObject("PlatformPart", {
      part: text,
      state: { type: "string", enum: partStates },
      code: { type: "string", enum: healthCodes },
      old_code: oldNameOf("code", text),
      since: nullableTimestamp,
      number: nullableInteger,
      unit: { type: ["string", "null"], enum: ["seconds", "count", "percent", null] },
      detail: nullableText,
      runbook: nullableText,
    }),
  },
});

const readRoute = {
  method: "GET",
  permission: "platform.read",
  family: "platform",
  limit: "api",
} as const;

const noStore = { "Cache-Control": "no-store" };

/** The state of the platform, for operators. */
export function operationsRoutes({ readSnapshot, backend }: OperationsDeps): Route[] {
  return [
    route({
      ...readRoute,
      path: "/platform/queues",
      operationId: "getPlatformQueues",
      summary: "Read the state of queues, relay, receivers and schedule, across all enterprises",
      answer: { status: 200, schema: queuesAnswer },
      handle: async () => ok(presentQueues(await readSnapshot(), backend), noStore),
    }),
    route({
      ...readRoute,
      path: "/platform/health",
      operationId: "getPlatformHealth",
      summary: "Read the health of each part of the platform, with the runbook section",
      answer: { status: 200, schema: healthAnswer },
      handle: async () => ok(presentHealth(await readSnapshot()), noStore),
    }),
  ];
}

function presentQueues(poll: PlatformSnapshot, backend: "redis" | "postgres") {
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

/** Counts are null if the queue could not be read. */
function presentQueue(reading: QueueState | undefined, queue: string, now: Date) {
  const { oldestWaiting, ...counts } = reading ?? { ...unknown, oldestWaiting: undefined };
  return {
    queue,
    reachable: reading !== undefined,
    ...counts,
    oldest_waiting_seconds: secondsSince(oldestWaiting, now),
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

function presentHealth(poll: PlatformSnapshot) {
  const judgements = assessPlatform(poll);
  return {
    at: toTimestamp(poll.at),
    state: worstState(judgements),
    parts: judgements.map(presentPartHealth),
  };
}

/** Old codes, which answers keep for one version. */
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
