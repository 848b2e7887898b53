/** A part of a WHERE clause, with what is bound to its places. */
export type Condition = Readonly<{ sql: string; bindings: readonly unknown[] }>;

/**
 * A ticket that nobody has taken yet and that was given to no group waits for all who may work for
 * its service: they reach it, and with it all that it has.
 */
export function waitingTicketSql({
  enterpriseId,
  groupIds,
}: Readonly<{ enterpriseId: number; groupIds: readonly number[] }>): Condition {
  return {
    sql: `(t.agent_id IS NULL AND t.group_id IS NULL AND (t.service_id NOT IN (
      SELECT g.service_id FROM service_groups g WHERE g.enterprise_id = ?)
    OR t.service_id IN (SELECT g.service_id FROM service_groups g
      WHERE g.group_id = ANY(?::bigint[]))))`,
    bindings: [enterpriseId, [...groupIds]],
  };
}
