import { rowsOf, type Queryable } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";

/** A subscription with its enterprise, by which every query filters. */
type NoticeSubject = Readonly<{ enterpriseId: number; subscriptionId: number }>;

/** The details of a subscription in a notice. */
export type NoticedSubscription = Readonly<{
  id: number;
  enterpriseId: number;
  name: string;
  url: string | null;
  isActive: boolean;
}>;

/** The current state of these subscriptions, without deleted ones. */
export async function findNoticedSubscriptions(
  db: Queryable,
  wanted: readonly NoticeSubject[],
): Promise<Map<number, NoticedSubscription>> {
  const rows = await rowsOf<{
    id: number;
    enterprise_id: number;
    name: string;
    url: string | null;
    is_active: boolean;
  }>(
    db,
    `SELECT s.id, s.enterprise_id, s.name, s.url, s.is_active
     FROM json_to_recordset(?::json) AS wanted (enterprise_id bigint, id bigint)
     JOIN subscriptions s ON s.enterprise_id = wanted.enterprise_id AND s.id = wanted.id
     WHERE s.deleted_at IS NULL`,
    [
      JSON.stringify(
        wanted.map(({ enterpriseId, subscriptionId }) => ({
          enterprise_id: enterpriseId,
          id: subscriptionId,
        })),
      ),
    ],
  );
  return new Map(
    rows.map(({ id, enterprise_id, name, url, is_active }) => [
      id,
      { id, enterpriseId: enterprise_id, name, url, isActive: is_active },
    ]),
  );
}

/** `*` does not include operational events, so filters that select these begin with this. */
const subscribersSql = `
  SELECT s.enterprise_id, s.id FROM subscriptions s
  WHERE s.enterprise_id = ANY (?::bigint[]) AND s.is_active AND s.deleted_at IS NULL
    AND EXISTS (SELECT FROM unnest(s.filters) AS filter WHERE filter LIKE 'delivery.%')`;

/** Active subscriptions that select events about deliveries, by enterprise. */
export async function findDeliveryEventSubscribers(
  db: Queryable,
  enterpriseIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await preparedRowsOf<{ enterprise_id: number; id: number }>(db, subscribersSql, [
    [...new Set(enterpriseIds)],
  ]);
  const askers = new Map<number, number[]>();
  for (const { enterprise_id, id } of rows) {
    askers.set(enterprise_id, [...(askers.get(enterprise_id) ?? []), id]);
  }
  return askers;
}
