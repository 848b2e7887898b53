/** Recipients of notices about an enterprise, and their language. */
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { Language } from "../contracts/languages.ts";
import { administratorRoles } from "../contracts/permissions.ts";

export type NoticeRecipient = Readonly<{
  email: string;
  /** The user's language, else the enterprise's. */
  language: string;
  /** The enterprise's time zone. */
  timeZone: string;
}>;

/** Bounded, because each recipient gets a mail. */
const maxRecipients = 100;

/**
 * Active users with a mail address: the administrators if wanted, and the chosen users. Each
 * address once, oldest user first.
 */
export async function listNoticeRecipients(
  db: Queryable,
  enterpriseId: number,
  wanted: Readonly<{ administrators: boolean; userIds: readonly number[] }>,
): Promise<NoticeRecipient[]> {
  const rows = await rowsOf<{ email: string; language: string; time_zone: string }>(
    db,
    `SELECT email, language, time_zone FROM (
       SELECT DISTINCT ON (lower(u.email)) u.id, u.email, e.time_zone,
         coalesce(u.language, e.language) AS language
       FROM users u JOIN enterprises e ON e.id = u.enterprise_id
       WHERE u.enterprise_id = ? AND u.is_active AND u.email <> ''
         AND (u.role = ANY (?::text[]) OR u.id = ANY (?::bigint[]))
       ORDER BY lower(u.email), u.id
     ) AS people
     ORDER BY id LIMIT ${maxRecipients}`,
    [enterpriseId, wanted.administrators ? [...administratorRoles] : [], wanted.userIds],
  );
  return rows.map((row) => ({
    email: row.email,
    language: row.language,
    timeZone: row.time_zone,
  }));
}

export async function findEnterpriseProfile(
  db: Queryable,
  enterpriseId: number,
): Promise<{ name: string; language: Language; timeZone: string }> {
  const [row] = await rowsOf<{ name: string; language: Language; time_zone: string }>(
    db,
    "SELECT name, language, time_zone FROM enterprises WHERE id = ?",
    [enterpriseId],
  );
  if (row === undefined) {
    throw new Error(`There is no enterprise ${enterpriseId}`);
  }
  return { name: row.name, language: row.language, timeZone: row.time_zone };
}

/** The active users of the enterprise among these ids. */
export function findActiveUsers(
  db: Queryable,
  enterpriseId: number,
  userIds: readonly number[],
): Promise<{ id: number; login: string }[]> {
  return rowsOf(
    db,
    `SELECT id, login FROM users
     WHERE enterprise_id = ? AND is_active AND id = ANY (?::bigint[]) ORDER BY id`,
    [enterpriseId, userIds],
  );
}
