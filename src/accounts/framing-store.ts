/** Who may show our pages in an iframe, and the names that lead to the platform. */
import { preparedRowsOf, type Queryable } from "../platform/db/pool.ts";

export async function isAlias(db: Queryable, host: string): Promise<boolean> {
  return (await findAliasOwner(db, host)) !== undefined;
}

/**
 * The enterprise that was given this host name as its alias. Nobody proves that a name is theirs:
 * of several it is the one who came first, so that nobody gets at what another one uses.
 */
export async function findAliasOwner(db: Queryable, host: string): Promise<number | undefined> {
  const [row] = await preparedRowsOf<{ enterprise_id: number }>(
    db,
    `SELECT enterprise_id FROM enterprise_domains WHERE alias = ? AND alias <> ''
     ORDER BY id LIMIT 1`,
    [host],
  );
  return row?.enterprise_id;
}

/** The enterprise of an active service. */
export async function findServiceOwner(
  db: Queryable,
  serviceKey: string,
): Promise<number | undefined> {
  const [row] = await preparedRowsOf<{ enterprise_id: number }>(
    db,
    "SELECT enterprise_id FROM services WHERE service_key = ? AND is_active",
    [serviceKey],
  );
  return row?.enterprise_id;
}

export async function findKeyOwner(db: Queryable, apiKey: string): Promise<number | undefined> {
  const [row] = await preparedRowsOf<{ id: number }>(
    db,
    "SELECT id FROM enterprises WHERE api_key = ?",
    [apiKey],
  );
  return row?.id;
}

/** What the enterprise allows, by name. */
export function listAllowed(
  db: Queryable,
  enterpriseId: number,
): Promise<{ domain: string; alias: string }[]> {
  return preparedRowsOf(
    db,
    "SELECT domain, alias FROM enterprise_domains WHERE enterprise_id = ? ORDER BY domain",
    [enterpriseId],
  );
}
