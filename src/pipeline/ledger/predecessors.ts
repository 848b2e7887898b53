/**
 * The order of an object's deliveries: a delivery waits for the earlier one of the same object and
 * subscription, its predecessor.
 */
import { rowsOf, type Trx } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import { liveStatesSql } from "./state-sql.ts";

/** One object within one subscription: the scope of ordering. */
export type OrderingKey = { subscriptionId: number; key: string; isOrdered: boolean };

/** The predecessor, as a sequence, of a new delivery of each pair; null if none. */
export async function readPredecessors(
  trx: Trx,
  pairs: readonly OrderingKey[],
): Promise<(number | null)[]> {
  if (pairs.length === 0) {
    return [];
  }
  const rows = await preparedRowsOf<{ sequence: number | null }>(
    trx,
    `SELECT predecessor.sequence
     FROM json_to_recordset(?::json)
       AS pair(position integer, subscription_id bigint, key text, is_ordered boolean)
     LEFT JOIN LATERAL (${newPredecessorSql("pair")}) AS predecessor ON true
     ORDER BY pair.position`,
    [
      JSON.stringify(
        pairs.map((pair, position) => ({
          position,
          subscription_id: pair.subscriptionId,
          key: pair.key,
          is_ordered: pair.isOrdered,
        })),
      ),
    ],
  );
  return rows.map((row) => row.sequence);
}

/**
 * SELECT of the predecessor of a new delivery of the relay, for a row with `subscription_id`, `key` and
 * `is_ordered`.
 */
export function newPredecessorSql(row: string): string {
  return predecessorSql({
    subscriptionId: `${row}.subscription_id`,
    key: `${row}.key`,
    isOrdered: `${row}.is_ordered`,
    waitsForReplay: "before.replay_id IS NULL",
  });
}

/** Predecessors of new deliveries of a replay, by object key. */
export async function readReplayPredecessors(
  trx: Trx,
  { subscriptionId, isOrdered }: Omit<OrderingKey, "key">,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await rowsOf<{ key: string; sequence: number }>(
    trx,
    `SELECT object.key, predecessor.sequence FROM unnest(?::text[]) AS object(key)
     CROSS JOIN LATERAL (${predecessorSql({
       subscriptionId: "?",
       key: "object.key",
       isOrdered: "?",
       waitsForReplay: "true",
     })}) AS predecessor`,
    [keys, subscriptionId, isOrdered],
  );
  return new Map(rows.map(({ key, sequence }) => [key, sequence]));
}

/**
 * The new predecessor of `next` after the deliveries in `ended`, a query of ids, have ended; null
 * if none.
 */
export function predecessorWithoutSql({
  isOrdered,
  ended,
}: {
  isOrdered: string;
  ended: string;
}): string {
  return `(${predecessorSql({
    subscriptionId: "next.subscription_id",
    key: "next.key",
    isOrdered,
    waitsForReplay: "(before.replay_id IS NULL OR next.replay_id IS NOT NULL)",
    and: `AND before.sequence < next.sequence AND before.id NOT IN (${ended})`,
  })})`;
}

/** SQL expressions about the waiting delivery. */
type PredecessorRule = {
  subscriptionId: string;
  key: string;
  isOrdered: string;
  /** Whether it waits for the first attempt of a replay, `before`. */
  waitsForReplay: string;
  /** An additional condition on `before`. */
  and?: string;
};

/**
 * The newest live delivery of the same object and subscription. Without `ordered` only deliveries
 * without a first attempt block others, and a replay does not block what the relay creates.
 */
function predecessorSql(rule: PredecessorRule): string {
  return `
  SELECT before.sequence FROM deliveries before
  WHERE before.subscription_id = ${rule.subscriptionId} AND before.key = ${rule.key}
    AND before.state IN ${liveStatesSql} ${rule.and ?? ""}
    AND (${rule.isOrdered} OR (before.attempts = 0 AND ${rule.waitsForReplay}))
  ORDER BY before.sequence DESC LIMIT 1`;
}
