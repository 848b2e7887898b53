import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type CounterConfiguration,
  type GaugeConfiguration,
  type HistogramConfiguration,
} from "prom-client";
import { objectKinds } from "../contracts/events.ts";
import { taskKinds, taskQueueNames } from "../contracts/jobs.ts";
import { renderDeprecatedMetrics } from "./deprecated-metrics.ts";

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

const latencySeconds = [...seconds, 60, 300, 1_800, 7_200];

/**
 * How often the delay of the event loop is sampled, and the least that its percentiles show. Each
 * sample wakes the process: with the default of 10 ms this was more than half of an idle process.
 */
const samplingMs = 200;

type MetricMakers = ReturnType<typeof makersFor>;

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * All metrics of Sightline. Each process exposes all of them and updates those of its roles. Label
 * values are bounded: no ids, URLs or logins.
 */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: samplingMs });
  const makers = makersFor(registry);
  const work = workMetrics(makers);
  const tasks = taskMetrics(makers);
  startAtZero(work, tasks);
  const renderHooks: (() => void)[] = [];
  return {
    render: async (): Promise<{ contentType: string; text: string }> => {
      renderHooks.forEach((hook) => hook());
      const texts = [await registry.metrics(), await renderDeprecatedMetrics(registry)];
      return { contentType: registry.contentType, text: texts.join("\n") };
    },
    /** Called before each scrape: sets gauges from memory. */
    onRender: (hook: () => void): void => {
      renderHooks.push(hook);
    },
    ...work,
    ...tasks,
    ...gauges(makers),
    ...partitionMetrics(makers),
    ...processMetrics(makers),
    ...requestMetrics(makers),
    ...httpMetrics(makers),
    ...signallingMetrics(makers),
  };
}

/** Creates the metrics of one registry. */
function makersFor(registry: Registry) {
  const registers = [registry];
  return {
    counter: <L extends string>(config: Omit<CounterConfiguration<L>, "registers">) =>
      new Counter<L>({ ...config, registers }),
    gauge: <L extends string>(config: Omit<GaugeConfiguration<L>, "registers">) =>
      new Gauge<L>({ ...config, registers }),
    histogram: <L extends string>(config: Omit<HistogramConfiguration<L>, "registers">) =>
      new Histogram<L>({ ...config, registers }),
  };
}

/**
 * Counters in alert rules start at 0, because Prometheus does not see an increase in the first
 * sample.
 */
function startAtZero(
  { deliveries, requeued }: ReturnType<typeof workMetrics>,
  { taskRuns, taskRequeued }: ReturnType<typeof taskMetrics>,
): void {
  for (const object of objectKinds) {
    for (const outcome of ["delivered", "dead"]) {
      deliveries.inc({ object, outcome }, 0);
    }
  }
  for (const reason of ["epoch", "job", "lease"]) {
    requeued.inc({ reason }, 0);
  }
  for (const kind of Object.keys(taskKinds)) {
    for (const outcome of ["done", "failed", "threw"]) {
      taskRuns.inc({ kind, outcome }, 0);
    }
  }
  for (const queue of taskQueueNames) {
    for (const reason of ["job", "lease"]) {
      taskRequeued.inc({ queue, reason }, 0);
    }
  }
}

/** Counters of the pipeline. */
function workMetrics({ counter, histogram }: MetricMakers) {
  return {
    events: counter({
      name: "webhook_events_total",
      help: "Events fanned out",
      labelNames: ["object"],
    }),
    deliveries: counter({
      name: "webhook_deliveries_total",
      help: "Deliveries that ended",
      labelNames: ["object", "outcome"],
    }),
    attempts: counter({
      name: "webhook_attempts_total",
      help: "Requests to receivers, by result: a status class or a class of failure",
      labelNames: ["object", "result"],
    }),
    attemptDuration: histogram({
      name: "webhook_attempt_duration_seconds",
      help: "Time until a receiver's whole response arrived",
      buckets: seconds,
    }),
    deliveryLatency: histogram({
      name: "webhook_delivery_latency_seconds",
      help: "From the event to the answer of the first attempt",
      buckets: latencySeconds,
    }),
    requeued: counter({
      name: "webhook_requeued_total",
      help: "Deliveries that the sweeper requeued, by what was lost: epoch, job, lease",
      labelNames: ["reason"],
    }),
  };
}

/** Metrics of tasks: counters of the workers, gauges of the scheduler. */
function taskMetrics({ counter, gauge, histogram }: MetricMakers) {
  return {
    taskRuns: counter({
      name: "task_runs_total",
      help: "Runs of tasks, by outcome: done, replanned, again, failed, threw, stopped, lost",
      labelNames: ["kind", "outcome"],
    }),
    taskRunDuration: histogram({
      name: "task_run_duration_seconds",
      help: "Duration of a run",
      labelNames: ["queue"],
      buckets: latencySeconds,
    }),
    taskRequeued: counter({
      name: "task_requeued_total",
      help: "Tasks that the sweeper requeued, by what was lost: job, lease",
      labelNames: ["queue", "reason"],
    }),
    tasks: gauge({
      name: "task_queue_rows",
      help: "Tasks by state: waiting, due (of those), queued, running, failed",
      labelNames: ["queue", "state"],
    }),
    taskOldestDue: gauge({
      name: "task_queue_oldest_due_seconds",
      help: "Age of the oldest past-due task: alert on this metric",
      labelNames: ["queue"],
    }),
  };
}

/** Gauges that the schedule reads from tables and queues. */
function gauges({ gauge }: MetricMakers) {
  return {
    outboxRows: gauge({ name: "webhook_outbox_rows", help: "Events not fanned out yet" }),
    outboxOldest: gauge({
      name: "webhook_outbox_oldest_seconds",
      help: "Age of the oldest event not fanned out yet",
    }),
    outboxDead: gauge({
      name: "webhook_outbox_dead_rows",
      help: "Dead letters: events that could not be fanned out; an operator must put them back",
    }),
    pastDue: gauge({
      name: "webhook_past_due_seconds",
      help: "Age of the oldest past-due delivery: alert on this metric",
    }),
    queueJobs: gauge({
      name: "webhook_queue_jobs",
      help: "Jobs in the queues",
      labelNames: ["queue", "state"],
    }),
    subscriptions: gauge({
      name: "webhook_subscriptions",
      help: "Subscriptions by state: active, failing, throttled, open (circuit), off",
      labelNames: ["state"],
    }),
  };
}

/** The state of a process, and of the passes of a schedule process. */
function processMetrics({ gauge }: MetricMakers) {
  return {
    processReady: gauge({
      name: "process_ready",
      help: "1 if the check passes, 0 if it fails: database, schema; in schedule processes also writes, queue",
      labelNames: ["check"],
    }),
    databaseClockOffset: gauge({
      name: "database_clock_offset_seconds",
      help: "By how much the clock of Postgres is ahead of this host's: normally below 0.1",
    }),
    passOverdue: gauge({
      name: "schedule_pass_overdue_seconds",
      help: "By how much the last success of a pass is older than its interval: normally 0",
      labelNames: ["pass"],
    }),
  };
}

/** Gauges of the daily partitions. */
function partitionMetrics({ gauge }: MetricMakers) {
  return {
    partitionsAhead: gauge({
      name: "webhook_partition_days_ahead",
      help: "Number of days after today that have a partition: normally 3",
      labelNames: ["table"],
    }),
    defaultPartitionRows: gauge({
      name: "webhook_default_partition_rows",
      help: "Rows of days without a partition (counted up to 10,000): normally 0",
      labelNames: ["table"],
    }),
    partitionOverdue: gauge({
      name: "webhook_partition_overdue_days",
      help: "Days by which the oldest partition exceeds the longest retention: normally 0",
      labelNames: ["table"],
    }),
  };
}

/** Requests in flight of a delivery process, read at each scrape. */
function requestMetrics({ gauge }: MetricMakers) {
  return {
    workerRequests: gauge({
      name: "webhook_worker_requests",
      help: "Requests of this process: held (occupies a slot), in_overflow (slow, outside the slots), waiting (has no slot yet); parked: the old name of in_overflow",
      labelNames: ["state"],
    }),
    concurrencyWindow: gauge({
      name: "webhook_concurrency_window_requests",
      help: "Requests that all active subscriptions together may have in flight, and those in flight",
      labelNames: ["state"],
    }),
  };
}

function httpMetrics({ counter, histogram }: MetricMakers) {
  return {
    httpRequests: counter({
      name: "http_requests_total",
      help: "Requests of the API, by route and status",
      labelNames: ["method", "route", "status"],
    }),
    pageRequests: counter({
      name: "page_requests_total",
      help: "Requests for pages and attachments, by route and status",
      labelNames: ["route", "status"],
    }),
    httpDuration: histogram({
      name: "http_request_duration_seconds",
      help: "Time from the request to the end of the response",
      labelNames: ["method", "route"],
      buckets: seconds,
    }),
  };
}

/** Sockets of agents and of people in rooms. */
function signallingMetrics({ counter, gauge }: MetricMakers) {
  return {
    signallingConnections: gauge({
      name: "signalling_connections",
      help: "Sockets that are open",
      labelNames: ["namespace"],
    }),
    signallingRefusals: counter({
      name: "signalling_refusals_total",
      help: "Refused sockets, by error",
      labelNames: ["namespace", "reason"],
    }),
    signallingMessages: counter({
      name: "signalling_messages_total",
      help: "Messages of clients, by type and outcome: ok, or an error",
      labelNames: ["namespace", "type", "outcome"],
    }),
  };
}
