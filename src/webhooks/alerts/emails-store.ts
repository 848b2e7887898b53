/** Addresses outside the enterprise's users, and whether somebody there confirmed them. */
import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";

export type StoredEmail = Readonly<{
  id: number;
  enterpriseId: number;
  email: string;
  created: Date;
  confirmed: Date | null;
}>;

type Row = {
  id: number;
  enterprise_id: number;
  email: string;
  created_at: Date;
  confirmed_at: Date | null;
};

const columns = "id, enterprise_id, email, created_at, confirmed_at";

export async function listEmails(db: Queryable, enterpriseId: number): Promise<StoredEmail[]> {
  const rows = await rowsOf<Row>(
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
  const [row] = await rowsOf<Row>(
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

/** By the id of a signed link, which is bound to no enterprise. Locked until the end. */
export async function lockEmail(trx: Trx, id: number): Promise<StoredEmail | undefined> {
  const [row] = await rowsOf<Row>(
    trx,
    `SELECT ${columns} FROM alert_emails WHERE id = ? FOR UPDATE`,
    [id],
  );
  return row && toEmail(row);
}

function toEmail(row: Row): StoredEmail {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    email: row.email,
    created: row.created_at,
    confirmed: row.confirmed_at,
  };
}

export async function confirmEmail(trx: Trx, id: number, at: Date): Promise<void> {
  await rowsOf(trx, "UPDATE alert_emails SET confirmed_at = ? WHERE id = ?", [at, id]);
}
