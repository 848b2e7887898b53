/** Invitations of experts. The secret of a link is stored as a hash: it cannot be shown again. */
import { createHash } from "node:crypto";
import type { TicketRef } from "../../contracts/tickets.ts";
import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";

export type ExpertInvitation = TicketRef &
  Readonly<{
    id: string;
    /** A colleague; null for somebody from outside. */
    userId: number | null;
    /** Null: the expert enters a name before the call. */
    name: string | null;
    /** Where the invitation was sent; null for a colleague. */
    contact: string | null;
    createdAt: Date;
    expiresAt: Date;
  }>;

type NewExpertInvitation = ExpertInvitation & Readonly<{ secret: string; createdBy: number }>;

type ExpertRow = {
  id: string;
  enterprise_id: number;
  ticket_id: number;
  user_id: number | null;
  name: string | null;
  contact: string | null;
  created_at: Date;
  expires_at: Date;
};

const columns = "id, enterprise_id, ticket_id, user_id, name, contact, created_at, expires_at";

export async function insertExpert(trx: Trx, expert: NewExpertInvitation): Promise<void> {
  await rowsOf(
    trx,
    `INSERT INTO expert_invitations (id, enterprise_id, ticket_id, secret_hash, user_id, name,
       contact, created_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      expert.id,
      expert.enterpriseId,
      expert.ticketId,
      hashOf(expert.secret),
      expert.userId,
      expert.name,
      expert.contact,
      expert.createdBy,
      expert.createdAt,
      expert.expiresAt,
    ],
  );
}

/** The invitation of any enterprise by the secret in its link, even if it has expired. */
export async function findExpertBySecret(
  db: Queryable,
  secret: string,
): Promise<ExpertInvitation | undefined> {
  const [row] = await rowsOf<ExpertRow>(
    db,
    `SELECT ${columns} FROM expert_invitations WHERE secret_hash = ?`,
    [hashOf(secret)],
  );
  return row && toExpert(row);
}

/** The newest invitations of a ticket that were made after `since`, oldest first. */
export async function listExperts(
  db: Queryable,
  { enterpriseId, ticketId }: TicketRef,
  { since, limit }: Readonly<{ since: Date; limit: number }>,
): Promise<ExpertInvitation[]> {
  const rows = await rowsOf<ExpertRow>(
    db,
    `SELECT ${columns} FROM expert_invitations
     WHERE enterprise_id = ? AND ticket_id = ? AND created_at > ?
     ORDER BY created_at DESC, id LIMIT ?`,
    [enterpriseId, ticketId, since, limit],
  );
  return rows.map(toExpert).toReversed();
}

/** Stores the name that the expert entered, once. Out: the name that holds from now on. */
export async function nameExpert(
  trx: Trx,
  { enterpriseId, id }: Pick<ExpertInvitation, "enterpriseId" | "id">,
  name: string,
): Promise<string> {
  const [row] = await rowsOf<{ name: string }>(
    trx,
    `UPDATE expert_invitations SET name = coalesce(name, ?) WHERE enterprise_id = ? AND id = ?
     RETURNING name`,
    [name, enterpriseId, id],
  );
  return row?.name ?? name;
}

function toExpert(row: ExpertRow): ExpertInvitation {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    ticketId: row.ticket_id,
    userId: row.user_id,
    name: row.name,
    contact: row.contact,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
