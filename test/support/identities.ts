import { notifyOn } from "../../src/platform/db/notify.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";

/**
 * Changes identities directly in the database, without the services that would report the change,
 * and notifies the running web processes.
 */
export async function changeIdentities(
  db: Db,
  sql: string,
  bindings: readonly unknown[] = [],
): Promise<void> {
  await rowsOf(db, sql, bindings);
  await notifyOn(db)("identity", [""]);
}
