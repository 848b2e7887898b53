/**
 * Which migrations a run leaves to a later one, because processes of the previous version may still
 * run (`docs/decisions/036-rename-in-two-runs.md`).
 */
import { listApplied, listPending, loadMigration } from "./migration-list.ts";
import { rowsOf, tablesSchema, type Db } from "./pool.ts";

/**
 * - `always`: a run that cannot hold back what it should, because a version was skipped, is refused.
 * - `unless needed`: such a run holds nothing back. For a database that only this process uses.
 * - `never`: all processes are stopped.
 */
export type HoldBack = "always" | "unless needed" | "never";

/** A version was skipped: a migration needs another one that would be held back. */
export class SkippedVersion extends Error {
  constructor(migration: string, needed: string) {
    super(
      `Versions were skipped: ${migration} needs ${needed}, which has to wait while processes of the` +
        " previous version run. Nothing was changed. Install the versions in between one after the other," +
        " or stop all processes and run `npm run migrate -- up --stopped`.",
    );
    this.name = "SkippedVersion";
  }
}

/**
 * What a run holds back because `before` lacks what it follows: the migrations that were applied when
 * the run began, undefined if another one was under way. A database without an enterprise was never in
 * use: no process of an older version needs it.
 */
export async function listHeld(db: Db, before: readonly string[] | undefined): Promise<string[]> {
  return (await hasEnterprise(db))
    ? listPending(
        await listApplied(db),
        ({ notInRunOf: other }) => other !== undefined && before?.includes(other) !== true,
      )
    : [];
}

/** What of `wanted` a run does hold back. Throws `SkippedVersion` if it must not run at all. */
export async function chooseHeld(
  wanted: readonly string[],
  pending: readonly string[],
  holdBack: HoldBack,
): Promise<readonly string[]> {
  if (holdBack === "never") {
    return [];
  }
  for (const name of pending.filter((one) => !wanted.includes(one))) {
    const { needs = [] } = await loadMigration(name);
    const held = needs.find((one) => wanted.includes(one));
    if (held !== undefined) {
      if (holdBack === "always") {
        throw new SkippedVersion(name, held);
      }
      return [];
    }
  }
  return wanted;
}

async function hasEnterprise(db: Db): Promise<boolean> {
  const table = `${tablesSchema}.enterprises`;
  const [row] = await rowsOf<{ isFound: boolean }>(
    db,
    `SELECT to_regclass(?) IS NOT NULL AS "isFound"`,
    [table],
  );
  return row?.isFound === true && (await rowsOf(db, `SELECT FROM ${table} LIMIT 1`)).length > 0;
}

/** Throws unless the only processes of this platform that use the database are runs of release. */
export async function requireStopped(db: Db): Promise<void> {
  const others = await rowsOf<{ name: string; count: number }>(
    db,
    `SELECT application_name AS name, count(*) AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'sightline %'
       AND application_name <> 'sightline release'
     GROUP BY 1 ORDER BY 1`,
  );
  if (others.length > 0) {
    const found = others.map(({ name, count }) => `${count} × ${name}`).join(", ");
    throw new Error(`Processes still use the database: ${found}. Stop all of them first.`);
  }
}
