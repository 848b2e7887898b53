/** Confirms or unsubscribes an address by the link of a mail, without signing in. */
import { problem } from "../../contracts/problems.ts";
import type { Clock } from "../../platform/clock.ts";
import {
  inTransaction,
  type Db,
  type Queryable,
  type Trx,
  rowsOf,
} from "../../platform/db/pool.ts";
import type { AuditLog } from "../../contracts/audit.ts";
import { maskedValue } from "../../contracts/request-headers.ts";
import type { EmailLinks } from "./confirmation-mail.ts";

export type ConfirmationDeps = Readonly<{
  db: Db;
  clock: Clock;
  audit: AuditLog<Trx>;
  links: EmailLinks;
  findCompany(db: Queryable, enterpriseId: number): Promise<{ name: string; language: string }>;
}>;

export type Confirmations = Readonly<{
  confirm(token: string, requestId: string): Promise<{ email: string; company: string }>;
  /** Does nothing if the address was already removed. */
  stop(token: string, requestId: string): Promise<void>;
}>;

/** External addresses of alerts, and whether they are confirmed. */
export type StoredEmail = Readonly<{
  id: number;
  enterpriseId: number;
  email: string;
  created: Date;
  confirmed: Date | null;
}>;

type AlertEmailRow = {
  id: number;
  enterprise_id: number;
  email: string;
  created_at: Date;
  confirmed_at: Date | null;
};

const columns = "id, enterprise_id, email, created_at, confirmed_at";

const confirmWithinMs = 7 * 86_400_000;

export function createConfirmations(deps: ConfirmationDeps): Confirmations {
  const { clock, findCompany } = deps;
  return {
    confirm: (token, requestId) =>
      withEmail(deps, token, async (trx, found) => {
        const isLate =
          found?.confirmed === null &&
          clock.now().getTime() - found.created.getTime() > confirmWithinMs;
        if (found === undefined || isLate) {
          throw linkExpired();
        }
        if (found.confirmed === null) {
          await confirmEmail(trx, found.id, clock.now());
          await auditLink(deps, trx, found, { change: "confirmed", requestId });
        }
        const { name } = await findCompany(trx, found.enterpriseId);
        return { email: found.email, company: name };
      }),
    stop: (token, requestId) =>
      withEmail(deps, token, async (trx, found) => {
        if (found !== undefined) {
          await deleteEmails(trx, found.enterpriseId, [found.id]);
          await auditLink(deps, trx, found, { change: "stopped", requestId });
        }
      }),
  };
}

/** Runs `work` with the address of a token, locked. */
async function withEmail<T>(
  { db, links }: ConfirmationDeps,
  token: string,
  work: (trx: Trx, email: StoredEmail | undefined) => Promise<T>,
): Promise<T> {
  const id = links.idOf(token);
  if (id === undefined) {
    throw linkExpired();
  }
  return inTransaction(db, async (trx) => {
    const found = await lockEmail(trx, id);
    if (found !== undefined && !links.isSigned(token, found)) {
      throw linkExpired();
    }
    return work(trx, found);
  });
}

function linkExpired() {
  return problem("gone", "The link is unknown or expired. Ask for a new one.");
}

/** By the id of a signed link, in all enterprises. Locked until the transaction ends. */
async function lockEmail(trx: Trx, id: number): Promise<StoredEmail | undefined> {
  const [row] = await rowsOf<AlertEmailRow>(
    trx,
    `SELECT ${columns} FROM alert_emails WHERE id = ? FOR UPDATE`,
    [id],
  );
  return row && toEmail(row);
}

async function confirmEmail(trx: Trx, id: number, at: Date): Promise<void> {
  await rowsOf(trx, "UPDATE alert_emails SET confirmed_at = ? WHERE id = ?", [at, id]);
}

async function auditLink(
  { audit }: ConfirmationDeps,
  trx: Trx,
  { enterpriseId }: StoredEmail,
  { change, requestId }: { change: "confirmed" | "stopped"; requestId: string },
): Promise<void> {
  const byNobody = { userId: null, login: "", action: "update", object: "alert" } as const;
  const changes = { [change]: { to: maskedValue } };
  await audit.write(trx, {
    ...byNobody,
    ...{ enterpriseId, objectId: enterpriseId, changes, requestId },
  });
}

export async function deleteEmails(
  trx: Trx,
  enterpriseId: number,
  ids: readonly number[],
): Promise<void> {
  await rowsOf(trx, "DELETE FROM alert_emails WHERE enterprise_id = ? AND id = ANY(?::bigint[])", [
    enterpriseId,
    ids,
  ]);
}

export async function listEmails(db: Queryable, enterpriseId: number): Promise<StoredEmail[]> {
  const rows = await rowsOf<AlertEmailRow>(
    db,
    `SELECT ${columns} FROM alert_emails WHERE enterprise_id = ? ORDER BY id`,
    [enterpriseId],
  );
  return rows.map(toEmail);
}

export async function insertEmail(
  trx: Trx,
  { enterpriseId, email, at }: { enterpriseId: number; email: string; at: Date },
): Promise<StoredEmail> {
  const [row] = await rowsOf<AlertEmailRow>(
    trx,
    `INSERT INTO alert_emails (enterprise_id, email, created_at) VALUES (?, ?, ?)
     RETURNING ${columns}`,
    [enterpriseId, email, at],
  );
  if (row === undefined) {
    throw new Error("The address was not stored");
  }
  return toEmail(row);
}

function toEmail(row: AlertEmailRow): StoredEmail {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    email: row.email,
    created: row.created_at,
    confirmed: row.confirmed_at,
  };
}
