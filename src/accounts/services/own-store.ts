/** The services that somebody may work with, for those who may not administer services. */
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";
import type { Language } from "../fields.ts";
import type { ServiceKind } from "./model.ts";

export type OwnService = Readonly<{
  id: number;
  service_key: string;
  name: string;
  kind: ServiceKind;
  ticket_types: readonly string[];
  language: Language | null;
}>;

/**
 * Active services in which the user may make something, the oldest first, all of them: those of
 * meetings, and those for tickets that have no groups or one of the user's.
 */
export function listOwnServices(
  db: Queryable,
  { enterpriseId, groupIds }: Readonly<{ enterpriseId: number; groupIds: readonly number[] }>,
): Promise<OwnService[]> {
  return rowsOf<OwnService>(
    db,
    `SELECT s.id, s.service_key, s.name, s.kind, s.ticket_types, s.language FROM services s
     WHERE s.enterprise_id = ? AND s.is_active AND s.deleted_at IS NULL
       AND (s.kind = 'conference'
         OR NOT EXISTS (SELECT FROM service_groups g
              WHERE g.enterprise_id = s.enterprise_id AND g.service_id = s.id)
         OR EXISTS (SELECT FROM service_groups g
              WHERE g.enterprise_id = s.enterprise_id AND g.service_id = s.id
                AND g.group_id = ANY(?::bigint[])))
     ORDER BY s.created_at, s.id`,
    [enterpriseId, [...groupIds]],
  );
}
