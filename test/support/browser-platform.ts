import { openPool, type Db } from "../../src/platform/db/pool.ts";
import { findFreePort } from "../../src/platform/net/free-port.ts";
import type { Page } from "playwright-core";
import { queueSchema } from "./backends.ts";
import { cloneTemplate, dropDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { useProcesses, type Process } from "./processes.ts";
import { logIn, type Login, type RestClient } from "./rest-client.ts";
import { insideDescribe } from "./scope.ts";
import { fastEnvironment } from "./stack.ts";

export type BrowserPlatform = {
  /** `http://localhost:<port>`: browsers treat it like https. */
  readonly url: string;
  readonly db: Db;
  /** The inbox of the demo's webhook. */
  readonly inboxUrl: string;
  readonly process: Process;
  /** `kill -9`, then the same again at the same address. */
  restart(whileAway?: () => Promise<unknown>): Promise<void>;
  /** The public API as this user. */
  rest(login: Login): Promise<RestClient>;
  /** Signs in by hand, in the page, and waits for the console. */
  signIn(page: Page, login: Login, path?: string): Promise<void>;
};

export const admin: Login = {
  login: "admin@demo.example",
  password: fastEnvironment.ADMIN_PASSWORD,
};
export const agent: Login = {
  login: "agent@demo.example",
  password: fastEnvironment.AGENT_PASSWORD,
};

const start = async (
  processes: ReturnType<typeof useProcesses>,
  databaseUrl: string,
  env: Readonly<Record<string, string>>,
  port: number,
) => {
  const url = `http://localhost:${port}`;
  const one = processes.start({
    name: "platform",
    file: "src/start.ts",
    env: {
      ...fastEnvironment,
      DATABASE_URL: databaseUrl,
      QUEUE_PREFIX: queueSchema,
      PORT: String(port),
      BASE_URL: url,
      INBOX: "1",
      RATE_LIMIT_TOKEN_IP: "1000000",
      RATE_LIMIT_TOKEN_LOGIN: "1000000",
      ...env,
    },
  });
  await eventually(() => !one.isRunning() || one.output().includes("Sightline is ready"), {
    timeoutMs: 60_000,
  });
  const inboxUrl = /Inbox\s+(http\S+)/u.exec(one.output())?.[1];
  if (!one.isRunning() || inboxUrl === undefined) {
    throw new Error(`The platform is not ready:\n${one.output()}`);
  }
  return { one, url, inboxUrl };
};

/**
 * A whole platform as `npm start` makes it, on a database of its own, for the tests of the
 * surrounding `describe`: with the demo's enterprise, its administrator and its agent.
 */
export const useBrowserPlatform = (env: Readonly<Record<string, string>> = {}): BrowserPlatform => {
  const processes = useProcesses();
  type Running = Awaited<ReturnType<typeof start>> & {
    db: Db;
    name: string;
    startAgain: () => ReturnType<typeof start>;
  };
  let running: Running | undefined;
  const present = () => {
    if (running === undefined) {
      throw new Error("The platform starts in a before hook");
    }
    return running;
  };

  before(async function () {
    insideDescribe(this, "useBrowserPlatform");
    this.timeout(120_000);
    const { name, url } = await cloneTemplate();
    const db = openPool({ url, maxConnections: 2, name: "test" });
    const port = await findFreePort();
    const startAgain = () => start(processes, url, env, port);
    running = { ...(await startAgain()), db, name, startAgain };
  });

  after(async function () {
    this.timeout(30_000);
    await running?.one.stop();
    await running?.db.destroy();
    if (running !== undefined) {
      await dropDatabase(running.name);
    }
  });

  return {
    get url() {
      return present().url;
    },
    get db() {
      return present().db;
    },
    get inboxUrl() {
      return present().inboxUrl;
    },
    get process() {
      return present().one;
    },
    restart: async (whileAway) => {
      const before = present();
      await before.one.kill();
      await whileAway?.();
      running = { ...before, ...(await before.startAgain()) };
    },
    rest: (login) => logIn(() => present().url, login),
    signIn: async (page, { login, password }, path = "/tickets") => {
      await page.goto(`${present().url}${path}`);
      await page.getByLabel(/^(Login|Identifiant)$/u).fill(login);
      await page.getByLabel(/^(Password|Mot de passe)$/u).fill(password);
      await page.getByRole("button", { name: /^(Sign in|Se connecter)$/u }).click();
      await page.getByRole("banner").first().waitFor();
    },
  };
};
