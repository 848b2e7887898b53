import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import type { Process, Processes } from "./processes.ts";
import { afterOurDeath } from "./reaper.ts";
import { logIn, type Login, type RestClient } from "./rest-client.ts";

/** An installation of `npm start`: a data folder and a port, which are the same at every start. */
export type Installation = {
  readonly url: string;
  readonly dataDir: string;
  /** Starts the platform and waits until it reports that it is ready. */
  start(env?: Readonly<Record<string, string>>): Promise<Process>;
  /** The same by the command `npm start`. */
  npmStart(): Promise<Process>;
  /** Process id of its Postgres; undefined without a pid file. */
  postgresPid(): Promise<number | undefined>;
  databaseUrl(): Promise<string>;
  logIn(login: Login): Promise<RestClient>;
};

const readyLine = "Sightline is ready";
const readyTimeoutMs = 90_000;

/** The server is designed to outlive its owner, so the tests have to stop it. */
const endPostgres =
  'p="$1/data/postgres/postmaster.pid"; test -f "$p" && kill -QUIT "$(head -n 1 "$p")"; ' +
  'sleep 1; rm -rf -- "$1"';

async function create(processes: Processes) {
  const dir = await mkdtemp(join(tmpdir(), "sightline-start-"));
  // As root, the server runs as a different user, who needs access to the folder.
  await chmod(dir, 0o711);
  const reaper = afterOurDeath(endPostgres, dir);
  const dataDir = join(dir, "data");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const pidFile = async (): Promise<string[]> =>
    (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8").catch(() => "")).split(
      "\n",
    );
  const postgresPid = async (): Promise<number | undefined> =>
    Number((await pidFile())[0]) || undefined;
  const env = { PORT: String(port), DATA_DIR: dataDir };
  const untilReady = async (one: Process): Promise<Process> => {
    await eventually(() => !one.isRunning() || one.output().includes(readyLine), {
      timeoutMs: readyTimeoutMs,
    });
    if (!one.isRunning()) {
      throw new Error(`npm start ended before it was ready:\n${one.output()}`);
    }
    return one;
  };
  const installation: Installation = {
    url,
    dataDir,
    postgresPid,
    start: (more = {}) =>
      untilReady(
        processes.start({ name: "start", file: "src/start.ts", env: { ...env, ...more } }),
      ),
    npmStart: () => untilReady(processes.start({ name: "npm start", script: "start", env })),
    databaseUrl: async () => {
      const password = (await readFile(join(dataDir, "postgres-password"), "utf8")).trim();
      return `postgres://sightline:${password}@127.0.0.1:${(await pidFile())[3]}/sightline`;
    },
    logIn: (login) => logIn(() => url, login),
  };
  const remove = async (): Promise<void> => {
    await Promise.all(processes.running.map((one) => one.kill()));
    const pid = await postgresPid();
    if (pid !== undefined) {
      process.kill(pid, "SIGQUIT");
      await eventually(async () => (await postgresPid()) === undefined);
    }
    reaper.dismiss();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  return { installation, remove };
}

/** An installation for the tests of the surrounding `describe`, removed after the last of them. */
export function useInstallation(processes: Processes): { readonly installation: Installation } {
  let made: Awaited<ReturnType<typeof create>> | undefined;
  before("make a folder for npm start", async () => {
    made = await create(processes);
  });
  after("remove the folder of npm start", async function () {
    this.timeout(20_000);
    await made?.remove();
  });
  return {
    get installation() {
      if (made === undefined) {
        throw new Error("The installation exists inside tests and hooks only");
      }
      return made.installation;
    },
  };
}
