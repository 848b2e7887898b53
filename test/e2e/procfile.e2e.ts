/**
 * Shows that one command runs the whole Procfile: release first, then every process, each ready on
 * a port of its own, all stopped by one signal; and that what it cannot run it refuses in one go.
 */
import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { useProcesses, type Process } from "../support/processes.ts";
import { useRedis } from "../support/redis.ts";

describe("npm run procfile", function () {
  this.timeout(90_000);
  const processes = useProcesses();
  const database = useDatabase();
  const redis = useRedis();

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
        ...env,
      },
    });

  /** Label and port of each process that said that it is ready. */
  const readyOnes = ({ output }: Process): { label: string; port: number }[] =>
    output()
      .split("\n")
      .flatMap((line) => {
        const [, label, record] = /^(\S+)\s+\| (\{.*"process\.ready"\})$/u.exec(line) ?? [];
        return label === undefined || record === undefined
          ? []
          : [{ label, port: (JSON.parse(record) as { port: number }).port }];
      });

  it("runs release and then every process, and stops them all at one signal", async () => {
    const supervisor = start(["-m", "delivery=2"]);
    const labels = [
      ...["delivery.1", "delivery.2", "media.1", "messages.1", "relay.1", "schedule.1"],
      ...["timers.1", "web.1"],
    ];
    await eventually(
      () => {
        expect(readyOnes(supervisor).map(({ label }) => label)).to.have.members(labels);
      },
      { timeoutMs: 60_000 },
    );
    for (const { label, port } of readyOnes(supervisor)) {
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

  it("starts nothing where release fails, and exits with its code", async () => {
    const supervisor = start([], { DATABASE_URL: "" });
    expect(await supervisor.ended).to.deep.equal({ code: 2, signal: null });
    expect(supervisor.output()).to.include("DATABASE_URL is required").and.not.include("web.1");
  });

  it("names every fault of the configuration, or of the formation, and exits with 2", async () => {
    const misconfigured = start([], { PORT: "http", DATABASE_POOL_SIZE: "1" });
    expect(await misconfigured.ended).to.deep.equal({ code: 2, signal: null });
    expect(misconfigured.output())
      .to.match(/^ {2}PORT must/mu)
      .and.match(/^ {2}DATABASE_POOL_SIZE/mu);
    const misformed = start(["-m", "web=two,mail=1"]);
    expect(await misformed.ended).to.deep.equal({ code: 2, signal: null });
    expect(misformed.output()).to.include('"web=two"').and.include('no process "mail"');
  });
});
