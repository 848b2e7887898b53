/**
 * Which delivery goes first: with the same object and subscription, a later one waits for the newest
 * live one before it. Without `ordered` it waits for first attempts only, and what the relay makes
 * waits for no replay.
 */
import { rowsOf, type Trx } from "../../platform/db/pool.ts";
import { liveStatesSql } from "./state-sql.ts";

/** One object within one subscription: the unit inside which order is kept. */
export type OrderingKey = { subscriptionId: number; key: string; isOrdered: boolean };

/** SQL expressions about the delivery that would wait. */
type PredecessorRule = {
  subscriptionId: string;
  key: string;
  isOrdered: string;
  /** Whether it waits for the first attempt of a replay that is `before` it. */
  waitsForReplay: string;
  /** What else must be true of `before`. */
  and?: string;
};

/** Of each pair the sequence of the predecessor of what the relay adds now; null for none. */
export async function readPredecessors(
  trx: Trx,
  pairs: readonly OrderingKey[],
): Promise<(number | null)[]> {
  const rows = await rowsOf<{ sequence: number | null }>(
    trx,
    `SELECT predecessor.sequence
     FROM json_to_recordset(?::json)
       AS pair(position integer, subscription_id bigint, key text, is_ordered boolean)
     LEFT JOIN LATERAL (${predecessorSql({
       subscriptionId: "pair.subscription_id",
       key: "pair.key",
       isOrdered: "pair.is_ordered",
       waitsForReplay: "before.replay_id IS NULL",
     })}) AS predecessor ON true
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

/** The predecessors of what a replay adds now, by the keys of the objects. */
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
 * What `next` waits for once those before it that are `ended`, a query of ids, are out of the way:
 * the predecessor that it would have had without them; null for none.
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

function predecessorSql(rule: PredecessorRule): string {
  return `
  SELECT before.sequence FROM deliveries before
  WHERE before.subscription_id = ${rule.subscriptionId} AND before.key = ${rule.key}
    AND before.state IN ${liveStatesSql} ${rule.and ?? ""}
    AND (${rule.isOrdered} OR (before.attempts = 0 AND ${rule.waitsForReplay}))
  ORDER BY before.sequence DESC LIMIT 1`;
}
