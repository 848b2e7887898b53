/**
 * A separate LiveKit server on loopback. It is built once from the Go module proxy if Go is
 * installed; otherwise its tests are not run and print a message.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { afterOurDeath } from "./reaper.ts";
import { insideDescribe } from "./scope.ts";

export type LivekitServer = Readonly<{
  /** Settings for a platform that uses the server. */
  environment: Readonly<Record<string, string>>;
  /** `kill -9`: all connections are lost, and all rooms are gone. */
  kill(): Promise<void>;
  /** Starts it again on the same ports, without rooms. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}>;

const run = promisify(execFile);

/** Newer versions depend on modules that the proxy does not have. */
const version = "1.13.5";

const keys = { key: "test-key", secret: "a-secret-of-at-least-32-characters" };

/** Defines tests that need LiveKit, or prints one line why they do not run. */
export function describeWithLivekit(title: string, tests: (this: Mocha.Suite) => void): void {
  const reason = whyNot();
  if (reason === undefined) {
    describe(title, tests);
  } else {
    process.stdout.write(`  not run: ${title}: ${reason}\n`);
  }
}

function whyNot(): string | undefined {
  try {
    execFileSync("go", ["version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "Go, which builds the LiveKit server, is not installed";
  }
}

export async function startLivekitServer(): Promise<LivekitServer> {
  const program = await provideProgram();
  const ports = { http: await freePort(), tcp: await freePort(), udp: await freePort() };
  let child = await launch(program, ports);
  let reaper = afterOurDeath('kill -KILL "$1" 2>/dev/null', String(child.pid));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
    }
    reaper.dismiss();
  };
  return {
    environment: {
      LIVEKIT_URL: `ws://127.0.0.1:${ports.http}`,
      LIVEKIT_API_KEY: keys.key,
      LIVEKIT_API_SECRET: keys.secret,
    },
    kill: () => end("SIGKILL"),
    restart: async () => {
      await end("SIGKILL");
      child = await launch(program, ports);
      reaper = afterOurDeath('kill -KILL "$1" 2>/dev/null', String(child.pid));
    },
    stop: () => end("SIGKILL"),
  };
}

/**
 * One server for all tests of the surrounding `describe`. `environment` is set before the platform
 * starts.
 */
export function useLivekitServer(): Pick<LivekitServer, "environment" | "kill" | "restart"> {
  const environment: Record<string, string> = {};
  let server: LivekitServer | undefined;
  const get = (): LivekitServer => {
    if (server === undefined) {
      throw new Error("LiveKit runs during the tests only");
    }
    return server;
  };
  before("start LiveKit", async function () {
    insideDescribe(this, "useLivekitServer");
    this.timeout(300_000); // the first run builds the server
    server = await startLivekitServer();
    Object.assign(environment, server.environment);
  });
  after("stop LiveKit", () => server?.stop());
  return { environment, kill: () => get().kill(), restart: () => get().restart() };
}

/** The program in Go's installation folder, or a build of this repository. */
async function provideProgram(): Promise<string> {
  const { stdout } = await run("go", ["env", "GOBIN", "GOPATH"]);
  const [gobin = "", gopath = ""] = stdout.split("\n").map((line) => line.trim());
  const installed = join(gobin === "" ? join(gopath, "bin") : gobin, "server");
  if (await isLivekit(installed)) {
    return installed;
  }
  const ours = resolve("node_modules/.cache/livekit", version, "server");
  if (!(await isLivekit(ours))) {
    await build(ours);
  }
  return ours;
}

/** Checks the version output, because any program may be called `server`. */
async function isLivekit(program: string): Promise<boolean> {
  return run(program, ["--version"], { timeout: 10_000 }).then(
    ({ stdout }) => stdout.includes(`livekit-server version ${version}`),
    () => false,
  );
}

/** Takes a minute. Safe in concurrent workers. */
async function build(program: string): Promise<void> {
  const folder = dirname(program);
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, "build-"));
  const module = `github.com/livekit/livekit-server/cmd/server@v${version}`;
  await run("go", ["install", module], { env: { ...process.env, GOBIN: own } });
  await rename(join(own, "server"), program);
  await rm(own, { recursive: true });
}

type Ports = Readonly<{ http: number; tcp: number; udp: number }>;

async function launch(program: string, ports: Ports): Promise<ChildProcess> {
  const config = JSON.stringify({
    port: ports.http,
    bind_addresses: ["127.0.0.1"],
    keys: { [keys.key]: keys.secret },
    logging: { level: "warn" },
    rtc: {
      ...{ tcp_port: ports.tcp, udp_port: ports.udp },
      node_ip: "127.0.0.1",
      use_external_ip: false,
      enable_loopback_candidate: true,
      stun_servers: [],
    },
  });
  const child = spawn(program, ["--config-body", config], { stdio: "ignore" });
  await once(child, "spawn");
  await eventually(
    async () => {
      if (child.exitCode !== null) {
        throw new Error(`The LiveKit server ended with ${child.exitCode}`);
      }
      return (await fetch(`http://127.0.0.1:${ports.http}/`)).ok;
    },
    { timeoutMs: 15_000 },
  );
  return child;
}
