import { expect } from "chai";
import { composeTaskPlanning, openPlatform, type Platform } from "../../src/compose/platform.ts";
import {
  startDelivery,
  startRelay,
  startSchedule,
  startStandIn,
  startTasks,
} from "../../src/compose/roles.ts";
import { startWeb } from "../../src/compose/web.ts";
import { loadConfig } from "../../src/config/config.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import type { StopPart } from "../../src/platform/lifecycle.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { queueSchema } from "../support/backends.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { anEnterprise } from "../support/factories.ts";
import { freePort } from "../support/free-port.ts";
import { testKey } from "../support/secret-box.ts";
import { findTasks } from "../support/tasks.ts";

type Part = { name: string; stop: StopPart; kind: "work" | undefined };

describe("the parts of a process", () => {
  const database = useDatabase();
  let parts: Part[];
  let platform: Platform;
  beforeEach("open the platform", async () => {
    parts = [];
    platform = await openPlatform({
      config: loadConfig({
        DATABASE_URL: database.url,
        QUEUE_PREFIX: queueSchema,
        PORT: String(await freePort()),
        SECRET_KEY: testKey.toString("base64"),
        LOG_LEVEL: "silent",
      }),
      log: createLogger("silent", "test"),
      lifecycle: {
        onStop: (name, stop, kind) => parts.push({ name, stop, kind }),
        signal: new AbortController().signal,
      },
      databaseUrl: database.url,
      secretKey: testKey,
    });
  });
  afterEach("stop all of them", async () => {
    for (const { stop } of parts.toReversed()) {
      await stop(2_000);
    }
  });

  it("are work if they accept or do any, and resources otherwise", async () => {
    const worker = startDelivery(platform);
    startRelay(platform, worker);
    startStandIn(platform, worker);
    startSchedule(platform);
    startTasks(platform, "timers", {});
    await startWeb(platform);
    const work = parts.filter(({ kind }) => kind === "work").map(({ name }) => name);
    expect(work).to.have.members([
      "queue watch",
      "delivery worker",
      "relay",
      "stand-in",
      "schedule",
      "timers worker",
      "web server",
      "signalling",
      "leftovers",
    ]);
  });

  it("of the schedule say in their metrics that Postgres accepts writes and the queues respond", async () => {
    startSchedule(platform);
    await eventually(async () => {
      const { text } = await platform.metrics.render();
      expect(text)
        .to.include('process_ready{check="writes"} 1')
        .and.include('process_ready{check="queue"} 1');
    });
  });

  it("return unfinished tasks within the time that is left, not the whole grace period", async () => {
    const begun: AbortSignal[] = [];
    startSchedule(platform);
    startTasks(platform, "timers", {
      "ticket.age": async (_task, signal) => {
        begun.push(signal);
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        });
      },
    });
    const { id: enterpriseId } = await anEnterprise(platform.db);
    const task = { kind: "ticket.age", key: "ticket:1", enterpriseId } as const;
    await inTransaction(platform.db, (trx) =>
      composeTaskPlanning(platform).plan(trx, [{ ...task, dueAt: platform.clock.now() }]),
    );
    await eventually(() => begun.length === 1);
    const stopsAt = performance.now();
    await parts.find(({ name }) => name === "timers worker")?.stop(2_050);
    expect(performance.now() - stopsAt).to.be.lessThan(2_050);
    const [row] = await findTasks(platform.db, "ticket:1");
    expect(row).to.deep.include({ state: "waiting", attempts: 0, error: null });
  });
});
