import type { Page } from "playwright-core";
import type { Db } from "../../src/platform/db/pool.ts";
import { insideDescribe } from "./scope.ts";
import { logIn, type Login, type RestClient } from "./rest-client.ts";
import { showOutputOf, type Process } from "./processes.ts";
import {
  removePlatform,
  restartPlatform,
  returnPlatform,
  startPlatform,
  takeSharedPlatform,
  type Platform,
} from "./shared-platform.ts";
import { fastEnvironment } from "./stack.ts";

export type BrowserPlatform = {
  /** `http://localhost:<port>`, which browsers treat as a secure context. */
  readonly url: string;
  readonly db: Db;
  /** The inbox of the demo's webhook. */
  readonly inboxUrl: string;
  /** The demo enterprise of this file. */
  readonly enterpriseId: number;
  readonly process: Process;
  /** Kills the process with `kill -9`, and restarts it at the same address. */
  restart(whileAway?: () => Promise<unknown>): Promise<void>;
  /** A client of the public API, signed in as this user. */
  rest(login: Login): Promise<RestClient>;
  /** Opens the page with a new session of this user, and waits for the console. */
  signIn(page: Page, login: Login, path?: string): Promise<void>;
  /** The same through the sign-in form. */
  signInByForm(page: Page, login: Login, path?: string): Promise<void>;
};

export const admin: Login = {
  login: "admin@demo.example",
  password: fastEnvironment.ADMIN_PASSWORD,
};
export const agent: Login = {
  login: "agent@demo.example",
  password: fastEnvironment.AGENT_PASSWORD,
};

function viewOf(present: () => Platform): BrowserPlatform {
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
    get enterpriseId() {
      return present().enterpriseId;
    },
    get process() {
      return present().process;
    },
    restart: (whileAway) => restartPlatform(present(), whileAway),
    rest: (login) => logIn(() => present().url, login),
    signIn: async (page, { login, password }, path = "/tickets") => {
      const answer = await page.request.post(`${present().url}/api/browser-session`, {
        headers: { "sec-fetch-site": "same-origin" },
        data: { login, password },
      });
      if (!answer.ok()) {
        throw new Error(`${login} cannot sign in: ${answer.status()} ${await answer.text()}`);
      }
      await page.goto(`${present().url}${path}`);
      await page.getByRole("banner").first().waitFor();
    },
    signInByForm: async (page, { login, password }, path = "/tickets") => {
      await page.goto(`${present().url}${path}`);
      await page.getByLabel(/^(Login|Identifiant)$/u).fill(login);
      await page.getByLabel(/^(Password|Mot de passe)$/u).fill(password);
      await page.getByRole("button", { name: /^(Sign in|Se connecter)$/u }).click();
      await page.getByRole("banner").first().waitFor();
    },
  };
}

type Take = () => Promise<Platform>;
type GiveBack = (platform: Platform) => Promise<void>;

function usePlatform(take: Take, giveBack: GiveBack): BrowserPlatform {
  let platform: Platform | undefined;
  before("acquire a platform", async function () {
    insideDescribe(this, "useBrowserPlatform");
    this.timeout(120_000);
    platform = await take();
  });
  after("release the platform", async function () {
    this.timeout(30_000);
    if (platform !== undefined) {
      await giveBack(platform);
    }
  });
  showOutputOf(() => (platform === undefined ? [] : [platform.process]));
  return viewOf(() => {
    if (platform === undefined) {
      throw new Error("The platform is there inside tests and hooks only");
    }
    return platform;
  });
}

/**
 * The shared platform of this worker, started like `npm start`, for the tests of the surrounding
 * `describe`. Each file has a new demo enterprise with an administrator, an agent and a webhook.
 * Enterprises of earlier files remain in the database.
 */
export function useBrowserPlatform(): BrowserPlatform {
  return usePlatform(takeSharedPlatform, returnPlatform);
}

/** A separate platform, for tests that change its settings or need the first enterprise. */
export function useOwnPlatform(env: Readonly<Record<string, string>> = {}): BrowserPlatform {
  return usePlatform(() => startPlatform(env), removePlatform);
}
