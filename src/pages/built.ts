/**
 * The built pages on disk: `dist/current` names the folder that is served now. Folders before it
 * stay for a while, so that a page that was opened from one of them finds its files.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { problem } from "../contracts/problems.ts";

export type BuiltPages = {
  /** The HTML of a page. Throws a problem where nothing was built yet. */
  html(page: string): Promise<string>;
  /** A text file of the build that is served now; undefined where it has none of this name. */
  read(file: string): Promise<string | undefined>;
  /** Where a file of this or an older build lies; undefined where none has it. */
  find(file: string): Promise<string | undefined>;
};

const distDir = fileURLToPath(new URL("../../dist", import.meta.url));

const buildName = /^[0-9a-f]{16}$/u;

export function openBuiltPages(dist: string = distDir): BuiltPages {
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
    const reading = readFile(path, "utf8");
    texts.set(path, reading);
    reading.catch(() => texts.delete(path));
    return reading;
  };

  return {
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
      const found = newest === undefined ? undefined : await firstOf([join(newest, file)]);
      if (found !== undefined) {
        return found;
      }
      const names = await readdir(dist).catch(() => []);
      return firstOf(names.filter((name) => buildName.test(name)).map((n) => join(dist, n, file)));
    },
  };
}

function notBuilt(cause: unknown) {
  return problem("dependency_down", "The pages are not built. Run npm run build.", { cause });
}

async function firstOf(paths: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(paths.map(isFile));
  return paths[found.indexOf(true)];
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
