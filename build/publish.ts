/**
 * Keeps builds side by side: each has a separate folder in `dist`, named after its sources, and
 * appears atomically by a rename, so that a crash leaves no partial build. Older builds are kept
 * for a while, for running processes and open pages.
 */
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const keptBuilds = 4;

/** Longer than any build takes: older temporary folders were left by a crash. */
const longestBuildMs = 3_600_000;

/**
 * Creates the build `name` in `dist` unless it exists. `make` fills an empty folder; if it throws,
 * `dist` does not change. Safe in concurrent processes.
 */
export async function publishBuild(
  dist: string,
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = join(dist, name);
  if (await isThere(folder)) {
    return;
  }
  await mkdir(dist, { recursive: true });
  const fresh = await mkdtemp(join(dist, "building-"));
  try {
    await make(fresh);
    await chmod(fresh, 0o755); // so that other users can run it
    await rename(fresh, folder).catch(async (thrown: unknown) => {
      if (!(await isThere(folder))) {
        throw thrown; // otherwise another process has published the same build
      }
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Empty if another process has just published or removed it. */
async function dateOf(dist: string, name: string): Promise<{ name: string; at: number }[]> {
  const found = await stat(join(dist, name)).catch(() => undefined);
  return found === undefined ? [] : [{ name, at: found.mtimeMs }];
}

/** Removes all but the newest builds, and temporary folders of crashed builds. */
export async function removeOldBuilds(dist: string, current: string): Promise<void> {
  const found = await Promise.all((await readdir(dist)).map((name) => dateOf(dist, name)));
  const dated = found.flat();
  const old = dated
    .filter(({ name }) => name !== current && /^[0-9a-f]{16}$/u.test(name))
    .toSorted((a, b) => b.at - a.at)
    .slice(keptBuilds - 1);
  const left = dated.filter(
    ({ name, at }) => name.startsWith("building-") && at < Date.now() - longestBuildMs,
  );
  await Promise.all(
    [...old, ...left].map(({ name }) => rm(join(dist, name), { recursive: true, force: true })),
  );
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
