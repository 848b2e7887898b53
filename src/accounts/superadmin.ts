/** Who runs the platform. Superadmins make each other; the first one is named by the configuration. */
import { inTransaction, rowsOf, type Db, type Trx } from "../platform/db/pool.ts";
import type { Role } from "../contracts/permissions.ts";
import type { Audit } from "./ports.ts";

export type SuperadminDeps = Readonly<{ db: Db; audit: Audit }>;

/** What became of a named superadmin; `unknown`: nobody has this login. */
export type Superadmin = "made" | "already" | "unknown";

/** Gives the active user with this login the role superadmin, and says so in the audit, once. */
export function ensureSuperadmin(
  { db, audit }: SuperadminDeps,
  login: string,
): Promise<Superadmin> {
  return inTransaction(db, async (trx) => {
    const found = await lockUser(trx, login);
    if (found === undefined) {
      return "unknown";
    }
    const { id, enterpriseId, role } = found;
    if (role === "superadmin") {
      return "already";
    }
    await rowsOf(trx, "UPDATE users SET role = 'superadmin', modified_at = now() WHERE id = ?", [
      id,
    ]);
    await audit.write(trx, {
      ...{ enterpriseId, userId: null, login: "", action: "update", object: "user", objectId: id },
      changes: { role: { from: role, to: "superadmin" } },
    });
    return "made";
  });
}

type Found = { id: number; enterpriseId: number; role: Role };

async function lockUser(trx: Trx, login: string): Promise<Found | undefined> {
  const [found] = await rowsOf<Found>(
    trx,
    `SELECT id, enterprise_id AS "enterpriseId", role FROM users
     WHERE lower(login) = lower(?) AND is_active FOR UPDATE`,
    [login],
  );
  return found;
}
