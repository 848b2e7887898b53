import { expect } from "chai";
import type { ClaimedDelivery } from "../../src/pipeline/ledger/claim.ts";
import { reportAttempt } from "../../src/pipeline/delivery/handle.ts";
import { updateGauges } from "../../src/pipeline/schedule/gauges.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createLogger } from "../../src/platform/logger.ts";
import type { Metrics } from "../../src/platform/metrics.ts";
import { openJobQueue, openTaskJobQueue } from "../../src/platform/queue/job-queue.ts";
import { updateTaskGauges } from "../../src/platform/tasks/task-scheduler.ts";
import { backendOf } from "../support/backends.ts";
import { useDatabase } from "../support/database.ts";
import { startPipeline } from "../support/pipeline.ts";
import { useRedis } from "../support/redis.ts";
import { readAlerts, readDashboard } from "./files.ts";
import { readExpression } from "./promql.ts";

const log = createLogger("silent", "test");

function reportOne(metrics: Metrics, kind: "delivered" | "dead"): void {
  const delivery: ClaimedDelivery = {
    deliveryId: 1,
    generation: 1,
    subscriptionId: 1,
    revision: 1,
    sequence: 1,
    attempt: 1,
    object: "ticket",
    eventId: "evt_1",
    body: "{}",
    isReplay: false,
    occurredAt: new Date(),
  };
  const status = kind === "delivered" ? 200 : 500;
  const answer = { headers: {}, body: "", durationMs: 1, phases: { total: 1 } };
  reportAttempt(
    {
      delivery,
      result: { kind: "answered", status, ...answer },
      outcome: kind === "delivered" ? { kind } : { kind, congested: false },
      accepted: true,
      endedAt: new Date(),
    },
    { log, metrics },
  );
}

/** A regular expression is checked only if it is an alternation of plain words. */
function valuesOf(operator: string, value: string): string[] {
  if (operator === "=" || operator === "!=") {
    return [value];
  }
  return /^\w+(?:\|\w+)*$/u.test(value) ? value.split("|") : [];
}

describe("the label values used by the dashboard and the alerts", () => {
  const database = useDatabase();
  const redis = useRedis();

  it("are set by the pipeline", async () => {
    const pipeline = await startPipeline({ kind: "redis", database, redis, roles: ["delivery"] });
    const { metrics } = pipeline.platform;
    const { db } = database;
    const backend = backendOf("redis", database, redis);
    const queue = openJobQueue(backend, log);
    const tasks = openTaskJobQueue(backend, log);
    try {
      await updateGauges({ db, queue, clock: systemClock, metrics });
      await updateTaskGauges({ db, queue: tasks, clock: systemClock, log, metrics });
    } finally {
      await Promise.all([queue.close(), tasks.close()]);
    }
    reportOne(metrics, "delivered");
    reportOne(metrics, "dead");
    const { text } = await metrics.render();
    await pipeline.stop();

    const [{ panels }, alerts] = await Promise.all([readDashboard(), readAlerts()]);
    const expressions = [...panels.flatMap(({ targets = [] }) => targets), ...alerts];
    const asked = expressions
      .flatMap(({ expr }) => readExpression(expr).selectors)
      .flatMap(({ metric, matchers }) =>
        matchers.flatMap(({ label, operator, value }) =>
          valuesOf(operator, value).map((one) => ({ metric, label, value: one })),
        ),
      );
    expect(asked.map(({ value }) => value)).to.include.members(["dead", "failing", "open", "2xx"]);
    for (const { metric, label, value } of asked) {
      expect(text).to.match(new RegExp(`^${metric}\\{[^}]*${label}="${value}"`, "mu"));
    }
  });
});
