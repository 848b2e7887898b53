/**
 * One command runs the whole Procfile: `release` first, then every process, each ready on a
 * separate port, all stopped by one signal. If the runner is killed, its processes end, and the
 * next runner takes over. A rolling restart refuses no request. Invalid options are all reported at
 * once.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import * as addModifiedBin from "../../migrations/20261127110000_add_modified_bin.ts";
import * as fillModifiedBin from "../../migrations/20261127110100_fill_modified_bin.ts";
import * as dropModifiedIndex from "../../migrations/20261127110200_drop_modified_index.ts";
import { isAlive } from "../../src/embedded/postgres/processes.ts";
import { sleep } from "../../src/platform/concurrency/async.ts";
import { migrationStatus } from "../../src/platform/db/migrate.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useBalancers } from "../support/balancer.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { useProcesses, type Process } from "../support/processes.ts";
import { useRedis } from "../support/redis.ts";

describe("npm run procfile", function () {
  this.timeout(240_000);
  const processes = useProcesses();
  const balancers = useBalancers();
  const database = useDatabase();
  const redis = useRedis();
  let folder: string;
  before("make a folder", async () => {
    folder = await mkdtemp(join(tmpdir(), "sightline-procfile-"));
  });
  after("remove it", () => rm(folder, { recursive: true }));
  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Process =>
    processes.start({
      name: "procfile",
      file: "src/procfile.ts",
      args,
      env: {
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        QUEUE_PREFIX: redis.prefix,
        SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
        BASE_URL: "http://procfile.example",
        HOST: "127.0.0.1",
        PORT: "0",
        METRICS_PORT: "0",
        LOG_LEVEL: "info",
        SHUTDOWN_DRAIN_SECONDS: "0",
        ...env,
      },
    });

  type Ready = { label: string; port: number; pid: number };

  /** The processes that have reported that they are ready. */
  const readyOnes = ({ output }: Process): Ready[] =>
    output()
      .split("\n")
      .flatMap((line) => {
        const [, label, record] = /^(\S+)\s+\| (\{.*"process\.ready"\})$/u.exec(line) ?? [];
        return label === undefined || record === undefined
          ? []
          : [{ ...(JSON.parse(record) as { port: number; pid: number }), label }];
      });
  const seesReady = async (runner: Process, labels: readonly string[]): Promise<Ready[]> => {
    await eventually(
      () => {
        expect(readyOnes(runner).map(({ label }) => label)).to.have.members(labels);
      },
      { timeoutMs: 120_000 },
    );
    return readyOnes(runner);
  };
  const livingOf = async (ones: readonly Ready[]): Promise<string[]> => {
    const alive = await Promise.all(ones.map(({ pid }) => isAlive(pid)));
    return ones.filter((_, index) => alive[index]).map(({ label }) => label);
  };

  const isFree = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const server = createServer().once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
  /**
   * The first of ten consecutive free ports, between the ports of the test workers and the
   * ephemeral ports of the system.
   */
  const freeRange = async (): Promise<number> => {
    for (;;) {
      const first = 32_000 + Math.floor(Math.random() * 76) * 10;
      const free = await Promise.all(Array.from({ length: 10 }, (_, n) => isFree(first + n)));
      if (free.every(Boolean)) {
        return first;
      }
    }
  };
  const fixedPorts = async () => {
    const first = await freeRange();
    return { PORT: String(first), METRICS_PORT: String(first + 2) };
  };
  /** Of the version before one whose release holds back a migration. */
  const restorePreviousSchema = async (): Promise<void> => {
    const { db } = database;
    for (const { down } of [dropModifiedIndex, fillModifiedBin, addModifiedBin]) {
      await down(db);
    }
    await rowsOf(db, "DELETE FROM schema_migrations WHERE name ~ '_(add|fill)_modified_bin$'");
    await rowsOf(db, "DELETE FROM schema_migrations WHERE name ~ '_drop_modified_index$'");
  };
  const without = (...types: string[]): string => types.map((type) => `${type}=0`).join(",");

  it("runs release and then every process, and stops all at one signal", async () => {
    const supervisor = start(["-m", "delivery=2"]);
    const labels = [
      ...["delivery.1", "delivery.2", "media.1", "messages.1", "relay.1", "schedule.1"],
      ...["timers.1", "web.1"],
    ];
    for (const { label, port } of await seesReady(supervisor, labels)) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
      expect(answer.status, label).to.equal(200);
    }
    const said = supervisor.output();
    expect(said.indexOf("release.1")).to.be.within(0, said.indexOf("web.1"));
    expect(await supervisor.stop(30_000)).to.deep.equal({ code: 0, signal: null });
    for (const label of labels) {
      expect(supervisor.output()).to.match(new RegExp(`^${label} *\\| stopped$`, "mu"));
    }
  });

  it("ends with a killed runner; the next one takes over, and an additional one is refused", async () => {
    const ports = await fixedPorts();
    const others = without("delivery", "schedule", "timers", "messages", "media");
    const labels = ["web.1", "relay.1"];
    const killed = start(["-m", `release=0,${others}`], ports);
    const first = await seesReady(killed, labels);
    await killed.kill();
    const next = start(["-m", others], ports);
    const second = await seesReady(next, labels);
    expect(await livingOf(first)).to.deep.equal([]);
    expect(await livingOf(second)).to.deep.equal(second.map(({ label }) => label));
    expect(next.output()).to.not.include("died:");
    const tooMany = start(["-m", others], ports);
    expect(await tooMany.ended).to.deep.equal({ code: 1, signal: null });
    expect(tooMany.output())
      .to.include(`does not stop: ${ports.PORT} (web.1), ${ports.METRICS_PORT} (relay.1)`)
      .and.not.include("release.1");
    expect(await next.stop(30_000)).to.deep.equal({ code: 0, signal: null });
  });

  it("rejects no request while the web processes are replaced one by one", async () => {
    const ports = await fixedPorts();
    const others = without(
      "release",
      "relay",
      "delivery",
      "schedule",
      "timers",
      "messages",
      "media",
    );
    const formation = `web=2,${others}`;
    const env = { ...ports, SHUTDOWN_DRAIN_SECONDS: "3" };
    const runner = start(["-m", formation], env);
    const labels = ["web.1", "web.2"];
    const first = await seesReady(runner, labels);
    const targets = first.map(({ port }) => `http://127.0.0.1:${port}`);
    const balancer = await balancers.start(targets, 100);
    const statuses: Record<number, number> = {};
    let isOver = false;
    const ask = async (): Promise<void> => {
      const answer = await fetch(`${balancer.url}/api/v3/openapi.json`);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      await answer.arrayBuffer();
    };
    await eventually(() => ask().then(() => statuses[200] !== undefined));
    const before = balancer.failures.length;
    const loads = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        await ask().catch(() => undefined);
        await sleep(20);
      }
    });
    runner.signal("SIGUSR2");
    const all = await seesReady(runner, [...labels, ...labels]);
    await eventually(() => runner.output().includes("rolling restart done"), {
      timeoutMs: 60_000,
    });
    const asked = statuses[200] ?? 0;
    await eventually(() => (statuses[200] ?? 0) > asked + 20);
    isOver = true;
    await Promise.all(loads);
    expect(balancer.failures.slice(before)).to.deep.equal([]);
    expect(Object.keys(statuses)).to.deep.equal(["200"]);
    expect(await livingOf(all)).to.deep.equal(all.slice(2).map(({ label }) => label));
    expect(await runner.stop(30_000)).to.deep.equal({ code: 0, signal: null });
  });

  it("finishes a replacement that stopped half way, and applies nothing that its release held back", async () => {
    const broken = join(folder, "broken");
    const ready = "process.send({ type: `ready` }); setInterval(() => {}, 1000);";
    const program = `process.on("SIGTERM", () => process.exit()); ${ready}`;
    const procfile = join(folder, "Procfile");
    await writeFile(
      procfile,
      `release: node bin/program.js migrate up
relay: node -e '${program}'
timers: node -e 'if (fs.existsSync("${broken}")) process.exit(1); ${program}'
`,
    );
    const runner = start(["-f", procfile]);
    const said = (text: string) =>
      eventually(() => expect(runner.output()).to.include(text), { timeoutMs: 60_000 });
    await said("timers.1  | starting");
    await restorePreviousSchema();
    await writeFile(broken, "");
    runner.signal("SIGUSR2");
    await said("rolling restart aborted: timers.1 is not ready");
    const { pending } = await migrationStatus(database.db);
    expect(pending).to.deep.equal(["20261127110200_drop_modified_index"]);
    await rm(broken);
    runner.signal("SIGUSR2");
    await said("rolling restart done");
    expect(runner.output()).to.match(/^runner +\| rolling restart, to finish that of 2/mu);
    expect((await migrationStatus(database.db)).pending).to.deep.equal(pending);
    expect(await runner.stop(30_000)).to.deep.equal({ code: 0, signal: null });
  });

  it("starts nothing if release fails, and exits with its code", async () => {
    const supervisor = start([], { DATABASE_URL: "" });
    expect(await supervisor.ended).to.deep.equal({ code: 2, signal: null });
    expect(supervisor.output()).to.include("DATABASE_URL is required").and.not.include("web.1");
  });

  it("names every error of the configuration or the formation, and exits with 2", async () => {
    const misconfigured = start([], { PORT: "http", DATABASE_POOL_SIZE: "1" });
    expect(await misconfigured.ended).to.deep.equal({ code: 2, signal: null });
    expect(misconfigured.output())
      .to.match(/^ {2}PORT must/mu)
      .and.match(/^ {2}DATABASE_POOL_SIZE/mu);
    const misformed = start(["-m", "web=two,mail=1"]);
    expect(await misformed.ended).to.deep.equal({ code: 2, signal: null });
    expect(misformed.output()).to.include('"web=two"').and.include('no process "mail"');
    const missing = start(["-f", "no/Procfile"]);
    expect(await missing.ended).to.deep.equal({ code: 2, signal: null });
    expect(missing.output()).to.include("no/Procfile");
  });
});
