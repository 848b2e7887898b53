/** Assesses the health of each part of the platform from a snapshot. Pure. */
import { deliverQueueName, taskJobQueueName } from "../contracts/jobs.ts";
import type { PlatformSnapshot, QueueState } from "./snapshot.ts";

/**
 * From best to worst. `notice`: worth attention, nothing is delayed. `slow`: everything is
 * processed, but late. `failing`: some work is blocked until somebody intervenes. `down`: all work
 * is blocked.
 */
export const partStates = ["ok", "notice", "slow", "failing", "down"] as const;

export type PartState = (typeof partStates)[number];

/** Stable codes of findings, for programs and translations. */
export const healthCodes = [
  "ok",
  "outbox_old",
  "dead_letters",
  "queue_unreachable",
  "no_workers",
  "jobs_old",
  "jobs_failed",
  "past_due",
  "circuits_open",
  "attempts_fail",
  "tasks_late",
  "tasks_failed",
  "schedule_stopped",
  "passes_fail",
] as const;

export type HealthCode = (typeof healthCodes)[number];

export type PartHealth = Readonly<{
  /** `relay`, `queue`, `delivery`, `receivers`, `schedule`, or the name of a task queue. */
  part: string;
  state: PartState;
  code: HealthCode;
  since: Date | null;
  number: number | null;
  unit: "seconds" | "count" | "percent" | null;
  /** Details: a reason, or names. */
  detail: string | null;
  /** A heading of docs/runbook.md. */
  runbook: string | null;
}>;

type PartFinding = Omit<PartHealth, "part">;

const okFinding: PartFinding = {
  state: "ok",
  code: "ok",
  since: null,
  number: null,
  unit: null,
  detail: null,
  runbook: null,
};

/** Every part, in the order in which a webhook passes through them. */
export function assessPlatform(poll: PlatformSnapshot): PartHealth[] {
  return [
    { part: "relay", ...assessRelay(poll) },
    { part: "queue", ...assessQueue(poll) },
    { part: "delivery", ...assessDelivery(poll) },
    { part: "receivers", ...assessReceivers(poll) },
    { part: "schedule", ...assessSchedule(poll) },
    ...poll.taskQueues.map((one) => ({ part: one.kind, ...assessTaskQueue(poll, one) })),
  ];
}

function assessRelay({ at, pipeline: { outbox } }: PlatformSnapshot): PartFinding {
  return worstFinding([
    ageFinding(outbox.oldest, at, {
      ages: { slow: 5, down: 60 },
      code: "outbox_old",
      runbook: "outbox-old",
    }),
    countFinding(outbox.deadLetters, {
      ...{ state: "failing", code: "dead_letters", runbook: "dead-letters" },
      ...{ since: outbox.deadLettersSince, detail: outbox.deadLetterReason },
    }),
  ]);
}

function assessDelivery(poll: PlatformSnapshot): PartFinding {
  return worstFinding([
    countFinding(unservedQueues(poll).length, {
      ...{ state: "down", code: "no_workers", runbook: "process-down" },
      detail: listOf(unservedQueues(poll)),
    }),
    ageFinding(oldestJob(poll), poll.at, {
      ages: { slow: 10, down: 300 },
      code: "jobs_old",
      runbook: "past-due",
    }),
    ageFinding(poll.pipeline.pastDue, poll.at, {
      ages: { slow: 30, down: 600 },
      code: "past_due",
      runbook: "past-due",
    }),
    countFinding(
      readableQueues(poll).reduce((sum, { failed }) => sum + failed, 0),
      { state: "notice", code: "jobs_failed", runbook: "jobs-failed" },
    ),
  ]);
}

/** Queues without workers. Only known if all queues can be read: unknown is not missing. */
function unservedQueues({ deliveries }: PlatformSnapshot): string[] {
  const isWholeKnown = deliveries.every(({ queue: one }) => one !== undefined);
  return isWholeKnown
    ? deliveries.flatMap(({ object, queue: one }) =>
        one !== undefined && isUnserved(one) ? [deliverQueueName(object)] : [],
      )
    : [];
}

function oldestJob(poll: PlatformSnapshot): Date | undefined {
  return readableQueues(poll)
    .flatMap(({ oldestWaiting }) => oldestWaiting ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime())[0];
}

function readableQueues(poll: PlatformSnapshot) {
  return poll.deliveries.flatMap(({ queue: one }) => one ?? []);
}

/** From this share of failed attempts on, the cause is not a single receiver. */
const badPercent = 50;

const minAttemptsPerSecond = 0.5;

const openShare = 1 / 4;

function assessReceivers({
  pipeline: { receivers: counts, rates },
}: PlatformSnapshot): PartFinding {
  const all = counts.active + counts.failing + counts.throttled + counts.open;
  const percent =
    rates.attemptsPerSecond < minAttemptsPerSecond
      ? 0
      : Math.round((rates.failedPerSecond * 100) / rates.attemptsPerSecond);
  const failing: PartFinding =
    percent < badPercent
      ? okFinding
      : {
          ...{ ...okFinding, state: "failing", code: "attempts_fail" },
          ...{ number: percent, unit: "percent", runbook: "most-attempts-fail" },
        };
  const isMany = counts.open > 1 && counts.open > all * openShare;
  return worstFinding([
    failing,
    countFinding(isMany ? counts.open : 0, {
      state: "failing",
      code: "circuits_open",
      runbook: "many-circuits-open",
    }),
  ]);
}

/**
 * This pass runs every few hundred milliseconds. If it does not run, the schedule does not work.
 */
const heartbeatPass = "due";

function assessSchedule({ at, passes }: PlatformSnapshot): PartFinding {
  const failing = passes.filter(({ failingSince }) => failingSince !== null);
  const since = failing
    .flatMap(({ failingSince }) => failingSince ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime())[0];
  const lastRun = passes.find(({ name }) => name === heartbeatPass)?.ranAt;
  const stopped: PartFinding =
    lastRun === undefined
      ? { ...okFinding, state: "down", code: "schedule_stopped", runbook: "no-schedule-process" }
      : ageFinding(lastRun, at, {
          ages: { slow: 30, down: 60 },
          code: "schedule_stopped",
          runbook: "no-schedule-process",
        });
  const fails = countFinding(failing.length, {
    ...{ state: "failing", code: "passes_fail", runbook: "no-schedule-process" },
    ...{ since: since ?? null, detail: reasonOf(failing) },
  });
  return worstFinding([stopped, fails]);
}

/** "sweep: connection refused"; for several passes, their names. */
function reasonOf(failing: PlatformSnapshot["passes"]): string | null {
  const [first, ...others] = failing;
  if (first === undefined) {
    return null;
  }
  return others.length === 0
    ? `${first.name}: ${first.reason ?? ""}`
    : listOf(failing.map(({ name }) => name));
}

/** A shortened list of names. */
function listOf(names: readonly string[]): string {
  return names.slice(0, 5).join(", ") + (names.length > 5 ? " …" : "");
}

function assessTaskQueue(
  poll: PlatformSnapshot,
  one: PlatformSnapshot["taskQueues"][number],
): PartFinding {
  const { kind, oldest, failed, queue: own } = one;
  return worstFinding([
    countFinding(own !== undefined && isUnserved(own) ? 1 : 0, {
      ...{ state: "down", code: "no_workers", runbook: "process-down" },
      detail: taskJobQueueName(kind),
    }),
    ageFinding(oldest, poll.at, {
      ages: { slow: 60, down: 600 },
      code: "tasks_late",
      runbook: "tasks-late",
    }),
    countFinding(failed, { state: "notice", code: "tasks_failed", runbook: "tasks-failed" }),
  ]);
}

function assessQueue({ at, queuesUnreachable }: PlatformSnapshot): PartFinding {
  return queuesUnreachable === undefined
    ? okFinding
    : {
        state: "down",
        code: "queue_unreachable",
        since: queuesUnreachable.since,
        number: secondsSince(queuesUnreachable.since, at),
        unit: "seconds",
        detail: queuesUnreachable.reason,
        runbook: "queue-unreachable",
      };
}

function countFinding(
  number: number,
  about: Pick<PartFinding, "state" | "code" | "runbook"> & Partial<PartFinding>,
): PartFinding {
  return number === 0 ? okFinding : { ...okFinding, number, unit: "count", ...about };
}

/** A worker that has just started is not counted yet, but may have an active job. */
function isUnserved({ workers, active }: QueueState): boolean {
  return workers === 0 && active === 0;
}

/** Ages in seconds from which a part is slow or down. */
type Ages = Readonly<{ slow: number; down: number }>;

function ageFinding(
  since: Date | null | undefined,
  now: Date,
  { ages, code, runbook }: { ages: Ages; code: HealthCode; runbook: string },
): PartFinding {
  const number = secondsSince(since, now);
  if (number < ages.slow) {
    return okFinding;
  }
  const state = number < ages.down ? "slow" : "down";
  return { ...okFinding, state, code, since: since ?? null, number, unit: "seconds", runbook };
}

function secondsSince(since: Date | null | undefined, now: Date): number {
  return since === null || since === undefined
    ? 0
    : Math.max(0, Math.round((now.getTime() - since.getTime()) / 1_000));
}

export function worstState(judgements: readonly PartHealth[]): PartState {
  return worstFinding(judgements).state;
}

/** The worst finding; the first of equal ones. */
function worstFinding(findings: readonly PartFinding[]): PartFinding {
  return findings.reduce((bad, one) => (severityOf(one) > severityOf(bad) ? one : bad), okFinding);
}

function severityOf({ state }: PartFinding): number {
  return partStates.indexOf(state);
}
