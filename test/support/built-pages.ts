/** Built pages in a folder of their own, and a server of whatever serves them. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import express, { type Router } from "express";
import { createLastHandlers } from "../../src/pages/problem-pages.ts";
import { openBuiltPages, type BuiltPages } from "../../src/pages/built-pages.ts";
import { logInto, testBaseUrl, type LogLine } from "./api.ts";

export type DistFolder = {
  readonly path: string;
  readonly built: BuiltPages;
  /** Makes a build, by the paths of its files, and lets `current` name it unless it is an old one. */
  add(name: string, files: Readonly<Record<string, string>>, isOld?: boolean): Promise<void>;
};

/** An empty `dist` for each test of the surrounding `describe`. */
export function useDistFolder(): DistFolder {
  let path = "";
  let built: BuiltPages;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), "sightline-dist-"));
    built = openBuiltPages(path);
  });
  afterEach(() => rm(path, { recursive: true }));
  return {
    get path() {
      return path;
    },
    get built() {
      return built;
    },
    add: async (name, files, isOld = false) => {
      for (const [file, text] of Object.entries(files)) {
        const whole = join(path, name, file);
        await mkdir(dirname(whole), { recursive: true });
        await writeFile(whole, text);
      }
      if (!isOld) {
        await writeFile(join(path, "current"), `${name}\n`);
      }
    },
  };
}

/** What a limiter says where there is room. */
export const allowed = { isAllowed: true, limit: 1, remaining: 1, resetSeconds: 60 };

export type PageServer = { readonly url: string; readonly log: LogLine[]; close(): Promise<void> };

/** Serves routers as the web process does: with its last handlers, and a query that is simple. */
export async function servePages(...routers: Router[]): Promise<PageServer> {
  const log: LogLine[] = [];
  const app = express();
  app.set("query parser", "simple");
  app.disable("x-powered-by");
  app.set("trust proxy", true);
  app.use(...routers, ...createLastHandlers({ baseUrl: testBaseUrl, log: logInto(log) }));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
