/**
 * In: events of a use case, inside its transaction. Out: rows in `events` and `outbox`.
 * Guarantee: an entity and its events are committed together or not at all.
 * On crash: before the commit nothing happened; after it the relay finds the outbox rows.
 */
import type { EventKind, OutboundEvent, WebhookBody } from "../../contracts/events.ts";
import { problem } from "../../contracts/problems.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Trx } from "../../platform/db/pool.ts";
import { submitInTransaction } from "../../platform/db/transaction.ts";
import type { FaultPoint } from "../../contracts/fault-points.ts";
import type { Ids } from "../../platform/ids.ts";
import { toUnixSeconds } from "../../platform/timestamps.ts";
import { afterCommit } from "../../platform/db/open-transaction.ts";

export type Outbox = {
  /**
   * Writes events in the given order. Requires a transaction, because an event appended on the pool
   * could be committed without its entity. Call it after the entity's row was written or locked, so
   * that the ids of one object's events follow the commit order. Throws `too_large` for an
   * oversized event, which rolls the change back.
   */
  append(trx: Trx, events: readonly OutboundEvent[]): Promise<void>;
};

export type OutboxDeps = {
  ids: Pick<Ids, "eventId">;
  clock: Clock;
  /** Called after the commit: wakes the relay. For latency, not for correctness. */
  wake: (kinds: readonly EventKind[]) => void;
  faultPoint: FaultPoint;
  /** Maximum size of a body; required, so that every caller has the same limit. */
  maxBytes: number;
};

/**
 * Above the size of any event of the platform: the longest text is recognised in a picture, 10,000
 * characters, at most 60,000 bytes of JSON. So tasks, which have no user to report an error to,
 * never reach the limit.
 */
export const minMaxBytes = 65_536;

const appendSql = `
  WITH written AS (
    INSERT INTO events (event_id, enterprise_id, object, event, event_type, object_id, key, body)
    SELECT event_id, enterprise_id, object, event, event_type, object_id, key, body
    FROM json_to_recordset(?::json) AS input (position integer, event_id text,
      enterprise_id bigint, object text, event text, event_type text, object_id text, key text,
      body text)
    ORDER BY position
    RETURNING id, occurred_at, enterprise_id
  )
  INSERT INTO outbox (event_row_id, occurred_at, enterprise_id)
  SELECT id, occurred_at, enterprise_id FROM written`;

export function createOutbox({ ids, clock, wake, faultPoint, maxBytes }: OutboxDeps): Outbox {
  return {
    append: async (trx, events) => {
      const time = toUnixSeconds(clock.now());
      const rows = events.map((event, position) => ({
        position,
        event_id: ids.eventId(),
        enterprise_id: event.enterpriseId,
        object: event.object,
        event: event.event,
        event_type: event.eventType ?? null,
        object_id: String(event.objectId),
        key: event.key,
        body: checkedBodyOf(event, time, maxBytes),
      }));
      await submitInTransaction(trx, appendSql, [JSON.stringify(rows)]);
      faultPoint("api.beforeCommit");
      const onCommit = (): void => {
        faultPoint("api.afterCommit");
        wake(events);
      };
      afterCommit(trx, onCommit);
    },
  };
}

/** The body, if it is small enough for receivers. */
function checkedBodyOf(event: OutboundEvent, time: number, maxBytes: number): string {
  const body = bodyOf(event, time);
  const bytes = Buffer.byteLength(body);
  if (bytes > maxBytes) {
    const { object, objectId } = event;
    throw problem(
      "too_large",
      `The webhook event for ${object} ${objectId} would have ${bytes} bytes; ` +
        `${maxBytes} are allowed. Shorten its texts.`,
      { details: `Object ${object}` },
    );
  }
  return body;
}

function bodyOf(event: OutboundEvent, time: number): string {
  const body: WebhookBody = {
    event: event.event,
    time,
    object: event.object,
    objectId: event.objectId,
    props: event.props,
  };
  return JSON.stringify(body);
}
