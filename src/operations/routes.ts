import { objectKinds } from "../contracts/events.ts";
import { taskQueueNames } from "../contracts/jobs.ts";
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
import { healthCodes, partStates } from "./health.ts";
import type { PlatformSnapshot } from "./snapshot.ts";
import { presentHealth, presentQueues } from "./present.ts";

export type OperationsDeps = {
  readSnapshot: () => Promise<PlatformSnapshot>;
  /** What holds the queues. */
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

/** How the platform itself does, for those who run it. */
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
