import { expect } from "chai";
import { objectKinds } from "../../src/contracts/events.ts";
import { taskQueueNames } from "../../src/contracts/jobs.ts";
import { assessPlatform, worstState } from "../../src/operations/health.ts";
import type { PlatformSnapshot, QueueState } from "../../src/operations/snapshot.ts";

const at = new Date("2026-11-20T12:00:00Z");
function ago(seconds: number): Date {
  return new Date(at.getTime() - seconds * 1_000);
}

const queue: QueueState = {
  ...{ waiting: 0, active: 0, delayed: 0, failed: 0, workers: 1, oldestWaiting: undefined },
};
const taskCounts = { waiting: 0, due: 0, queued: 0, running: 0, failed: 0, doneLastMinute: 0 };
const due = {
  name: "due",
  everyMs: 250,
  ranAt: ago(1),
  tookMs: 3,
  failingSince: null,
  reason: null,
};

const well: PlatformSnapshot = {
  at,
  deliveries: objectKinds.map((object) => ({ object, queue })),
  taskQueues: taskQueueNames.map((kind) => ({ kind, ...taskCounts, oldest: null, queue })),
  pipeline: {
    outbox: {
      rows: 0,
      deadLetters: 0,
      deadLettersSince: null,
      deadLetterReason: null,
      oldest: null,
    },
    pastDue: null,
    windows: { allowed: 10, inFlight: 0 },
    receivers: { active: 4, failing: 0, throttled: 0, open: 0, off: 0 },
    rates: { until: ago(12), seconds: 60, queues: [], attemptsPerSecond: 10, failedPerSecond: 0 },
  },
  passes: [due],
  queuesUnreachable: undefined,
};

function withPipeline(more: Partial<PlatformSnapshot["pipeline"]>): PlatformSnapshot {
  return {
    ...well,
    pipeline: { ...well.pipeline, ...more },
  };
}
function withQueue(more: Partial<QueueState>): PlatformSnapshot {
  return {
    ...well,
    deliveries: well.deliveries.map((one, n) =>
      n === 0 ? { ...one, queue: { ...queue, ...more } } : one,
    ),
  };
}
function withTaskQueue(more: Partial<PlatformSnapshot["taskQueues"][number]>): PlatformSnapshot {
  return {
    ...well,
    taskQueues: well.taskQueues.map((one) => (one.kind === "messages" ? { ...one, ...more } : one)),
  };
}
function outbox(oldest: Date | null, deadLetters = 0): PlatformSnapshot {
  return withPipeline({
    outbox: {
      rows: 5,
      deadLetters,
      deadLettersSince: ago(300),
      deadLetterReason: "broken",
      oldest,
    },
  });
}
function rates(attemptsPerSecond: number, failedPerSecond: number): PlatformSnapshot {
  return withPipeline({ rates: { ...well.pipeline.rates, attemptsPerSecond, failedPerSecond } });
}

/** The findings other than ok, as `part state code number`. */
function findings(readSnapshot: PlatformSnapshot): string[] {
  return assessPlatform(readSnapshot)
    .filter(({ state }) => state !== "ok")
    .map(({ part, state, code, number }) => `${part} ${state} ${code} ${number}`);
}

describe("platform health", () => {
  it("is ok if everything works, and lists every part", () => {
    const judgements = assessPlatform(well);
    expect(worstState(judgements)).to.equal("ok");
    expect(judgements.map(({ part }) => part)).to.deep.equal([
      ...["relay", "queue", "delivery", "receivers", "schedule", "timers", "messages", "media"],
    ]);
  });

  const cases: readonly [string, PlatformSnapshot, string[]][] = [
    ["an outbox that is a little late", outbox(ago(10)), ["relay slow outbox_old 10"]],
    ["an outbox that grows", outbox(ago(120)), ["relay down outbox_old 120"]],
    ["an event that is a dead letter", outbox(null, 2), ["relay failing dead_letters 2"]],
    [
      "queues that cannot be read",
      { ...well, queuesUnreachable: { since: ago(40), reason: "gone" } },
      ["queue down queue_unreachable 40"],
    ],
    ["no delivery process", withQueue({ workers: 0 }), ["delivery down no_workers 1"]],
    ["jobs that wait", withQueue({ oldestWaiting: ago(20) }), ["delivery slow jobs_old 20"]],
    ["jobs that threw", withQueue({ failed: 3 }), ["delivery notice jobs_failed 3"]],
    ["deliveries past due", withPipeline({ pastDue: ago(90) }), ["delivery slow past_due 90"]],
    ["most attempts failing", rates(10, 6), ["receivers failing attempts_fail 60"]],
    [
      "many open circuits",
      withPipeline({ receivers: { active: 2, failing: 0, throttled: 0, open: 3, off: 9 } }),
      ["receivers failing circuits_open 3"],
    ],
    ["tasks that are late", withTaskQueue({ oldest: ago(700) }), ["messages down tasks_late 700"]],
    ["tasks that failed", withTaskQueue({ failed: 1 }), ["messages notice tasks_failed 1"]],
    [
      "a queue of tasks without a process",
      withTaskQueue({ queue: { ...queue, workers: 0 } }),
      ["messages down no_workers 1"],
    ],
    [
      "a schedule that stopped",
      { ...well, passes: [{ ...due, ranAt: ago(90) }] },
      ["schedule down schedule_stopped 90"],
    ],
    ["a schedule that never ran", { ...well, passes: [] }, ["schedule down schedule_stopped null"]],
    [
      "a pass that fails",
      { ...well, passes: [due, { ...due, name: "sweep", failingSince: ago(5), reason: "no" }] },
      ["schedule failing passes_fail 1"],
    ],
  ];
  for (const [name, readSnapshot, found] of cases) {
    it(`detects ${name}`, () => {
      expect(findings(readSnapshot)).to.deep.equal(found);
    });
  }

  it("contains the start time and a runbook link", () => {
    const [relay] = assessPlatform(outbox(ago(10)));
    expect(relay).to.deep.include({ since: ago(10), unit: "seconds", runbook: "outbox-old" });
  });

  const detailOf = (current: PlatformSnapshot, part: string): unknown => {
    const found = assessPlatform(current).find((one) => one.part === part);
    return found && [found.since, found.detail];
  };

  it("contains details: the reason, the queues, the passes", () => {
    const failing = { failingSince: ago(5), reason: "connection refused" };
    const two: PlatformSnapshot = {
      ...well,
      passes: [due, { ...due, name: "sweep", ...failing }, { ...due, name: "tallies", ...failing }],
    };
    expect(detailOf(outbox(null, 2), "relay")).to.deep.equal([ago(300), "broken"]);
    expect(detailOf(withQueue({ workers: 0 }), "delivery")).to.deep.equal([null, "deliver.ticket"]);
    expect(detailOf({ ...two, passes: two.passes.slice(0, 2) }, "schedule")).to.deep.equal([
      ...[ago(5), "sweep: connection refused"],
    ]);
    expect(detailOf(two, "schedule")).to.deep.equal([ago(5), "sweep, tallies"]);
  });

  it("tolerates abandoned tasks, but not lost events", () => {
    expect(worstState(assessPlatform(withTaskQueue({ failed: 1 })))).to.equal("notice");
    expect(worstState(assessPlatform(outbox(null, 1)))).to.equal("failing");
    expect(worstState(assessPlatform(outbox(ago(10), 1)))).to.equal("failing");
  });

  it("reports no missing workers if queues cannot be read", () => {
    const snapshot: PlatformSnapshot = {
      ...well,
      deliveries: well.deliveries.map(({ object }) => ({ object, queue: undefined })),
      taskQueues: well.taskQueues.map((one) => ({ ...one, queue: undefined })),
      queuesUnreachable: { since: ago(1), reason: "gone" },
    };
    expect(findings(snapshot)).to.deep.equal(["queue down queue_unreachable 1"]);
  });

  it("ignores failures at a very low rate", () => {
    expect(findings(rates(0.1, 0.1))).to.deep.equal([]);
  });
});
