import { rowsOf, type Queryable } from "../platform/db/pool.ts";

type OpenButton = Readonly<{
  enterpriseId: number;
  serviceId: number;
  serviceKey: string;
  buttonId: number;
}>;

/** An entry point that takes requests: it, its service and its enterprise are switched on. */
export async function findOpenButton(
  db: Queryable,
  buttonId: number,
): Promise<OpenButton | undefined> {
  const [row] = await rowsOf<{ enterprise_id: number; service_id: number; service_key: string }>(
    db,
    `SELECT s.enterprise_id, s.id AS service_id, s.service_key
      FROM buttons b
      JOIN services s ON s.enterprise_id = b.enterprise_id AND s.id = b.service_id
      JOIN enterprises e ON e.id = b.enterprise_id
      WHERE b.id = ? AND b.is_active AND s.is_active AND s.deleted_at IS NULL
        AND s.kind = 'ticket' AND e.solution_enabled`,
    [buttonId],
  );
  return (
    row && {
      enterpriseId: row.enterprise_id,
      serviceId: row.service_id,
      serviceKey: row.service_key,
      buttonId,
    }
  );
}
