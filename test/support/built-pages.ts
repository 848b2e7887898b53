/** Built pages in a separate folder, and a server for their routers. */
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
  /** Adds a build with these files by path. `current` points to it unless it is an old build. */
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

/** The result of a rate limiter that admits the request. */
export const allowed = { isAllowed: true, limit: 1, remaining: 1, resetSeconds: 60 };

export type PageServer = { readonly url: string; readonly log: LogLine[]; close(): Promise<void> };

/** Serves routers like the web process: with its last handlers and the simple query parser. */
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
