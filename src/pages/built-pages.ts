/**
 * The built pages on disk. `dist/current` names the served folder. Older folders are kept for a
 * while, so that open pages still find their files.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join, basename } from "node:path";
import { fileURLToPath } from "node:url";
import { problem } from "../contracts/problems.ts";
import type { Request, RequestHandler, Response } from "express";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { toError } from "../platform/errors.ts";
import { printTo } from "../platform/log-output.ts";

export type BuiltPages = {
  /** Where pages may connect to besides the platform: CSP sources. */
  connectSources: readonly string[];
  /** The HTML of a page. Throws a problem if nothing was built yet. */
  html(page: string): Promise<string>;
  /** A text file of the current build; undefined if it does not exist. */
  read(file: string): Promise<string | undefined>;
  /** The path of a file of this or an older build; undefined if none has it. */
  find(file: string): Promise<string | undefined>;
};

const distDir = fileURLToPath(new URL("../../dist", import.meta.url));

const buildName = /^[0-9a-f]{16}$/u;

export function openBuiltPages(
  dist: string = distDir,
  connectSources: readonly string[] = [],
): BuiltPages {
  const texts = new Map<string, Promise<string>>();

  const current = async (): Promise<string> => {
    const name = (await readFile(join(dist, "current"), "utf8")).trim();
    if (!buildName.test(name)) {
      throw new Error("dist/current names no build");
    }
    return join(dist, name);
  };

  const readOnce = (path: string): Promise<string> => {
    const known = texts.get(path);
    if (known !== undefined) {
      return known;
    }
    const pending = readFile(path, "utf8");
    texts.set(path, pending);
    pending.catch(() => texts.delete(path));
    return pending;
  };

  return {
    connectSources,
    html: async (page) => {
      try {
        return await readOnce(join(await current(), page, "index.html"));
      } catch (thrown) {
        throw notBuilt(thrown);
      }
    },
    read: async (file) => {
      try {
        return await readOnce(join(await current(), file));
      } catch {
        return undefined;
      }
    },
    find: async (file) => {
      const newest = await current().catch(() => undefined);
      const found = newest === undefined ? undefined : await firstExisting([join(newest, file)]);
      if (found !== undefined) {
        return found;
      }
      const names = await readdir(dist).catch(() => []);
      return firstExisting(
        names.filter((name) => buildName.test(name)).map((n) => join(dist, n, file)),
      );
    },
  };
}

function notBuilt(cause: unknown) {
  return problem("dependency_down", "The pages are not built. Run npm run build.", { cause });
}

async function firstExisting(paths: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(paths.map(isFile));
  return paths[found.indexOf(true)];
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/**
 * Files that pages load. Their names contain a hash of their content, so they are cached forever.
 */
const fileName = /^[\w.-]{1,200}$/u;

/** `/assets/:file`, and the few files with a fixed name. */
export function serveBuiltFile(
  built: BuiltPages,
  { folder, cacheControl }: { folder: string; cacheControl: string },
): RequestHandler {
  return async (request, response) => {
    const name = String(request.params["file"] ?? basename(request.path));
    const file = `${folder}${name}`;
    const form =
      fileName.test(name) && !name.startsWith(".")
        ? await chooseForm(built, file, request)
        : undefined;
    if (form?.path === undefined) {
      throw problem("not_found", "The path was not found.");
    }
    response.set({
      "Cache-Control": cacheControl,
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
    await send(response, { path: form.path, encoding: form.name, file });
  };
}

const encodings = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;

/** The best encoding that the client accepts, compressed at build time if it is worth it. */
async function chooseForm(built: BuiltPages, file: string, request: Request) {
  const accepted = encodings.filter(({ name }) => request.acceptsEncodings(name) === name);
  const packed = await Promise.all(
    accepted.map(async ({ name, suffix }) => ({
      name,
      path: await built.find(`${file}${suffix}`),
    })),
  );
  return (
    packed.find(({ path }) => path !== undefined) ?? {
      name: undefined,
      path: await built.find(file),
    }
  );
}

async function send(
  response: Response,
  { path, encoding, file }: { path: string; encoding: string | undefined; file: string },
): Promise<void> {
  response.vary("Accept-Encoding").type(typeOf(file));
  if (encoding !== undefined) {
    response.set("Content-Encoding", encoding);
  }
  await new Promise<void>((resolve, reject) => {
    response.sendFile(path, { cacheControl: false, dotfiles: "allow" }, (error) => {
      // A browser that navigated away is not an error.
      if (error && !response.headersSent && !response.destroyed) {
        // The error answer is not compressed.
        response.removeHeader("Content-Encoding");
        reject(error);
      } else {
        resolve();
      }
    });
  });
}

function typeOf(file: string): string {
  return basename(file).replace(/^.*\./u, ".");
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the pages if their sources changed, and says so; fast otherwise. */
export async function buildPages(): Promise<void> {
  const args = ["bin/program.js", "build-pages"];
  const building = promisify(execFile)(process.execPath, args, { cwd: root });
  building.child.stdout?.on("data", (said: string) => printTo(2, said));
  await building.catch((thrown: unknown) => {
    const { stderr = "", message } = toError(thrown) as Error & { stderr?: string };
    throw new Error(`The pages could not be built:\n${stderr || message}`, { cause: thrown });
  });
}
