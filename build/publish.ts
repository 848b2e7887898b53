/**
 * Builds side by side: each has its own folder in `dist`, named after its sources, and is there at
 * once by a rename, so that a crash leaves nothing half-built. Older builds stay for a while, for
 * processes and pages that are open.
 */
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const keptBuilds = 4;

/** Longer than any build: older temporary folders are leftovers of a crash. */
const longestBuildMs = 3_600_000;

/**
 * Makes the build `name` in `dist` unless it exists. `make` fills an empty folder; if it throws,
 * nothing changes. Several processes may do the same at once.
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
    await chmod(fresh, 0o755); // so that another user can run what this one has built
    await rename(fresh, folder).catch(async (thrown: unknown) => {
      if (!(await isThere(folder))) {
        throw thrown; // otherwise another process has made the same build
      }
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Removes all but the newest builds, and what crashed builds left. */
export async function removeOldBuilds(dist: string, current: string): Promise<void> {
  const dated = await Promise.all(
    (await readdir(dist)).map(async (name) => ({
      name,
      at: (await stat(join(dist, name))).mtimeMs,
    })),
  );
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
