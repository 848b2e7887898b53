/** Deliveries with attempts, in the state after a settlement, without sending anything. */
import { rowsOf, type Queryable } from "../../src/platform/db/pool.ts";

export type AttemptInput = {
  at: Date;
  ms?: number;
  status?: number | null;
  failure?: string | null;
  number?: number;
  /** State of the delivery after the attempt. */
  state?: string;
  /** Age of the event at its first attempt. */
  agedMs?: number;
};

const usual = { ms: 20, status: 200, failure: null, number: 1, agedMs: 30 };

/** Inserts a delivery with one attempt. Returns the attempt's id. */
export async function addAttempt(
  db: Queryable,
  { enterpriseId, subscriptionId }: { enterpriseId: number; subscriptionId: number },
  input: AttemptInput,
): Promise<number> {
  const { at, ms, status, failure, number, agedMs } = { ...usual, ...input };
  const isDelivered = status !== null && status >= 200 && status < 300;
  const state = input.state ?? (isDelivered ? "delivered" : "retry");
  const [row] = await rowsOf<{ id: number }>(
    db,
    `WITH counted AS (
       UPDATE subscription_health SET last_sequence = last_sequence + 1
       WHERE subscription_id = ? RETURNING last_sequence
     ), made AS (
       INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, attempts, due_at)
       SELECT ?, ?, last_sequence, nextval('events_id_seq'), ?::timestamptz, 'ticket', 'ticket:1',
         ?, ?, ?::timestamptz + interval '1 hour'
       FROM counted RETURNING id, enterprise_id
     )
     INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms, status, failure)
     SELECT enterprise_id, ?, id, ?, ?, ?, ? FROM made RETURNING id`,
    [
      ...[subscriptionId, enterpriseId, subscriptionId, new Date(at.getTime() - agedMs)],
      ...[state, number, at, at, number, ms, status, failure],
    ],
  );
  return row?.id ?? 0;
}
