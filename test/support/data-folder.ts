import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openSession, type Session } from "../../src/platform/db/connection.ts";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "../../src/embedded/postgres/embedded-postgres.ts";
import { findServer, stopPostmaster } from "../../src/embedded/postgres/postmaster.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { insideDescribe } from "./scope.ts";

/** The message of the owner program once it runs its server, or the error. */
export type OwnerReport = { url: string; pid: number; isAdopted: boolean; fault?: string };

const log = createLogger("silent", "test");
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const ownerProgram = fileURLToPath(new URL("embedded-owner.ts", import.meta.url));

export type DataFolder = {
  /** Does not exist when the test begins; its parent does, and is readable by other users. */
  readonly dataDir: string;
  readonly parent: string;
  readonly clusterDir: string;
  start(more?: { signal?: AbortSignal }): Promise<EmbeddedPostgres>;
  /** Node arguments of a program that starts the server in a separate process. */
  ownerArguments(): string[];
  spawnOwner(): ChildProcess;
  /** Waits for the message of an owner process, which is killed after the test. */
  listenTo(owner: ChildProcess): Promise<OwnerReport>;
  killAfterwards(child: ChildProcess): void;
};

/** Runs one statement on a separate connection. */
export async function queryOnce(url: string, sql: string): Promise<unknown[]> {
  const session: Session = await openSession({ url, name: "test" });
  try {
    return await session.query<object>(sql);
  } finally {
    await session.close();
  }
}

/** Kills the process with SIGKILL, which it cannot handle. */
export async function killHard(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

/**
 * A separate data folder for each test of the surrounding `describe`. No process is left after a
 * test.
 */
export function useDataFolder(): DataFolder {
  let parent = "";
  const started: EmbeddedPostgres[] = [];
  const processes: ChildProcess[] = [];
  const dataDir = (): string => join(parent, "data");
  const clusterDir = (): string => join(dataDir(), "postgres");
  const ownerArguments = (): string[] => [...["--import", tsx], ...[ownerProgram, dataDir()]];

  beforeEach(async function () {
    insideDescribe(this, "useDataFolder");
    parent = await mkdtemp(join(tmpdir(), "sightline-embedded-"));
    await chmod(parent, 0o755);
  });

  afterEach(async () => {
    processes.splice(0).forEach((child) => child.kill("SIGKILL"));
    for (const postgres of started.splice(0)) {
      await postgres.stop();
    }
    const left = await findServer(clusterDir(), log);
    if (left !== undefined) {
      await stopPostmaster(left.pid);
    }
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  return {
    get dataDir() {
      return dataDir();
    },
    get parent() {
      return parent;
    },
    get clusterDir() {
      return clusterDir();
    },
    start: async (more = {}) => {
      const settings = { fsync: "off" };
      const postgres = await startEmbeddedPostgres({ dataDir: dataDir(), log, settings, ...more });
      started.push(postgres);
      return postgres;
    },
    ownerArguments,
    spawnOwner: () => {
      const stdio = ["ignore", "pipe", "inherit"] as const;
      const owner = spawn(process.execPath, ownerArguments(), { stdio: [...stdio] });
      processes.push(owner);
      return owner;
    },
    listenTo: async (owner) => {
      processes.push(owner);
      if (owner.stdout === null) {
        throw new Error("The owner has no output to listen to");
      }
      const [line] = (await once(createInterface(owner.stdout), "line")) as [string];
      return JSON.parse(line) as OwnerReport;
    },
    killAfterwards: (child) => void processes.push(child),
  };
}
