/**
 * Answers of a URL that its subscription no longer has, because it changed while the request was
 * under way: they must not stop what is sent to the new one.
 */
import { rowsOf, type Trx } from "../../platform/db/pool.ts";
import type { Settlement } from "./record-results.ts";

/**
 * Whether the URL of revision `?` is another one than that of the row `s` of `subscriptions`. A
 * null revision is not.
 */
export const isFormerUrlSql = `EXISTS (
  SELECT FROM subscription_revisions r
  WHERE r.revision = ? AND r.enterprise_id = s.enterprise_id AND r.url IS DISTINCT FROM s.url)`;

/**
 * The results without the pauses that former URLs asked for. The caller holds the health locks,
 * which a change of the URL takes too.
 */
export async function withoutFormerPauses(
  trx: Trx,
  settlements: readonly Settlement[],
): Promise<readonly Settlement[]> {
  const pausing = settlements.filter(({ throttleMs }) => throttleMs > 0);
  if (pausing.length === 0) {
    return settlements;
  }
  const former = new Set(await listFormer(trx, pausing));
  return settlements.map((one) =>
    former.has(one.record.revision) ? { ...one, throttleMs: 0 } : one,
  );
}

async function listFormer(
  trx: Trx,
  settlements: readonly Settlement[],
): Promise<Settlement["record"]["revision"][]> {
  const rows = await rowsOf<{ revision: number }>(
    trx,
    `SELECT r.revision FROM subscription_revisions r JOIN subscriptions s
       ON s.id = r.subscription_id AND s.enterprise_id = r.enterprise_id
     WHERE r.revision = ANY(?::bigint[]) AND r.url IS DISTINCT FROM s.url`,
    [settlements.flatMap(({ record }) => record.revision ?? [])],
  );
  return rows.map(({ revision }) => revision);
}
