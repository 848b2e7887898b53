/**
 * Processes that cannot work: they list all configuration errors at once and exit with code 2; they
 * wait for an unreachable database up to a limit, with a log line; and a waiting process can be
 * stopped.
 */
import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { useProcesses, type Process } from "../support/processes.ts";
import { waitUntilReady } from "../support/stack.ts";
import { createTcpProxy, throughProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { promised } from "../support/promised.ts";

const starts = ["src/start.ts", "src/server.ts", "workers/delivery.ts", "src/migrate.ts"];

describe("a process with an incomplete environment", function () {
  this.timeout(60_000);
  const processes = useProcesses();
  const database = useDatabase();
  let proxy: TcpProxy;
  let port: string;
  before("choose an unused address", async () => {
    port = String(await freePort());
    proxy = createTcpProxy(await freePort(), Number(new URL(database.url).port));
  });
  after("close the proxy", async () => {
    await proxy.close();
  });

  const start = (file: string, env: Record<string, string>): Process =>
    processes.start({ name: file, file, env });
  const startAway = (file: string, env: Record<string, string> = {}): Process =>
    start(file, {
      DATABASE_URL: throughProxy(database.url, proxy),
      SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      HOST: "127.0.0.1",
      PORT: port,
      METRICS_PORT: port,
      LOG_LEVEL: "warn",
      ...env,
    });
  const saysThatItWaits = (one: Process): Promise<void> =>
    eventually(() => void expect(one.output()).to.include("database.waiting"), {
      timeoutMs: 20_000,
    });

  for (const file of starts) {
    it(`lists every fault at once and exits with 2: ${file}`, async () => {
      const one = start(file, {
        PORT: "http",
        LOG_LEVEL: "loud",
        DATABASE_URL: "mysql://localhost/sightline",
        RECEIVER_ALLOW_LIST: "everywhere",
        DELIVERY_TIMEOUT_MS: "20000",
        DELIVERY_LEASE_SECONDS: "20",
      });
      expect(await one.ended).to.deep.equal({ code: 2, signal: null });
      const output = one.output().split("\n");
      const isLogged = (line: string): boolean =>
        line.startsWith("{") && line.includes("process.start_failed");
      expect(output.filter(isLogged)).to.have.length(1);
      const lines = output.filter((line) => !line.startsWith("{"));
      expect(lines[0]).to.equal("The configuration has 6 errors:");
      const faults = lines.slice(1).filter((line) => line.startsWith("  "));
      expect(faults.map((line) => line.trim().split(" ")[0])).to.have.members([
        "PORT",
        "LOG_LEVEL",
        "DATABASE_URL",
        "RECEIVER_ALLOW_LIST",
        "DELIVERY_LEASE_SECONDS",
        "SECRET_KEY",
      ]);
    });
  }

  it("waits for a database that is not available yet, logs it, and then works", async () => {
    const one = startAway("src/server.ts");
    await saysThatItWaits(one);
    expect(one.isRunning()).to.equal(true);
    await proxy.open();
    try {
      await waitUntilReady(one, `http://127.0.0.1:${port}`);
      expect(await one.stop()).to.deep.equal({ code: 0, signal: null });
    } finally {
      await proxy.close();
    }
  });

  it("stops after the time limit, prints one line with the reason, and exits with 1", async () => {
    const one = startAway("workers/relay.ts", { DATABASE_WAIT_SECONDS: "1" });
    const startedAt = performance.now();
    expect(await one.ended).to.deep.equal({ code: 1, signal: null });
    expect(performance.now() - startedAt).to.be.within(900, promised(10_000));
    const said = one
      .output()
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith("{"));
    expect(said).to.have.length(1);
    expect(said[0]).to.match(/cannot start: The database did not respond within 1000 ms.*REFUSED/u);
  });

  it("stops immediately when asked to while it waits", async () => {
    const one = startAway("workers/delivery.ts");
    await saysThatItWaits(one);
    const startedAt = performance.now();
    expect(await one.stop()).to.deep.equal({ code: 0, signal: null });
    expect(performance.now() - startedAt).to.be.lessThan(promised(3_000));
  });
});
