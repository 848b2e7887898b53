/**
 * A `kill -9` of the schedule, the workers, or both, at a random time, loses no task: each runs at
 * least once, and the guarded effects of its handler occur once. `FAULT_ROUNDS` sets the number of
 * rounds (1 by default, 30 in `npm run faults`).
 */
import { expect } from "chai";
import { freePort } from "../support/free-port.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createTasks } from "../../src/platform/tasks/task.ts";
import { backendEnvironment, onBackend } from "../support/backends.ts";
import { faultRounds, useChance } from "../support/chance.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { anEnterprise } from "../support/factories.ts";
import { useProcesses, type Process } from "../support/processes.ts";
import { useRedis } from "../support/redis.ts";
import { fastEnvironment, waitUntilReady } from "../support/stack.ts";

const files = {
  schedule: "workers/schedule.ts",
  first: "test/support/task-process.ts",
  second: "test/support/task-process.ts",
} as const;
type Name = keyof typeof files;
const names = Object.keys(files) as Name[];

const perRound = 150;
const secondsPerRound = 20;
/** Lease of the queue, plus the retry delay. */
const settleMs = 90_000;

onBackend("redis", (kind) => {
  describe(`tasks, ${faultRounds} times kill -9 at a random time`, function () {
    this.timeout((60 + faultRounds * secondsPerRound) * 1_000 + settleMs);
    const processes = useProcesses();
    const database = useDatabase();
    const redis = useRedis();
    const chance = useChance();
    const running = new Map<Name, Process>();
    const start = async (name: Name): Promise<void> => {
      const port = String(await freePort());
      const env = { ...fastEnvironment, ...backendEnvironment(kind, database, redis) };
      const one = processes.start({
        name,
        file: files[name],
        env: { ...env, METRICS_PORT: port },
      });
      await waitUntilReady(one, `http://127.0.0.1:${port}`);
      running.set(name, one);
    };
    before("start the processes", async () => {
      await database.db.raw(
        `CREATE TABLE effects (key text PRIMARY KEY, runs integer NOT NULL DEFAULT 0,
           effects integer NOT NULL DEFAULT 0, is_done boolean NOT NULL DEFAULT false)`,
      );
      await Promise.all(names.map(start));
    });

    const countDone = async (): Promise<number> => {
      const rows = await rowsOf<{ done: number }>(
        database.db,
        "SELECT count(*) AS done FROM effects WHERE is_done",
      );
      return rows[0]?.done ?? 0;
    };
    const plan = async (enterpriseId: number, round: number): Promise<void> => {
      const tasks = createTasks({ clock: systemClock, wake: () => undefined });
      const keys = Array.from({ length: perRound }, (_, n) => `round ${round}, ${n}`);
      await inTransaction(database.db, async (trx) => {
        await rowsOf(trx, "INSERT INTO effects (key) SELECT unnest(?::text[])", [keys]);
        await tasks.plan(
          trx,
          keys.map((key) => ({
            kind: "ticket.age",
            key,
            enterpriseId,
            dueAt: new Date(Date.now() + chance.between(0, 300)),
          })),
        );
      });
    };

    it("loses none of them, and repeats none that is not repeatable", async () => {
      const { id } = await anEnterprise(database.db);
      let killed = 0;
      for (let round = 0; round < faultRounds; round += 1) {
        const before = await countDone();
        await plan(id, round);
        const killAt = before + chance.between(1, perRound / 2);
        await eventually(async () => expect(await countDone()).to.be.at.least(killAt), {
          timeoutMs: 60_000,
          everyMs: 5,
        });
        const victims = round % 2 === 0 ? names : chance.some(names);
        await Promise.all(victims.map(async (name) => running.get(name)?.kill()));
        killed += victims.length;
        await Promise.all(victims.map(start));
      }
      expect(killed).to.be.at.least(faultRounds);
      await eventually(
        async () => {
          const open = await rowsOf(database.db, "SELECT key FROM tasks WHERE state <> 'done'");
          expect(open).to.have.lengthOf(0);
        },
        { timeoutMs: settleMs, everyMs: 100 },
      );
      const [found] = await rowsOf(
        database.db,
        `SELECT count(*) AS tasks, count(*) FILTER (WHERE runs >= 1) AS run,
           count(*) FILTER (WHERE effects = 1) AS once FROM effects`,
      );
      const all = faultRounds * perRound;
      expect(found).to.deep.equal({ tasks: all, run: all, once: all });
    });
  });
});
