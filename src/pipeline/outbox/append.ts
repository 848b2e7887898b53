/**
 * In: events of a use case, inside its transaction. Out: rows in `events` and `outbox`.
 * Guarantee: the entity and the events about its change are committed together or not at all.
 * On crash: before the commit nothing happened; after it the relay finds the outbox rows.
 */
import type { OutboundEvent, WebhookBody } from "../../contracts/events.ts";
import { problem } from "../../contracts/problems.ts";
import type { Clock } from "../../platform/clock.ts";
import { preparedRowsOf, type Trx } from "../../platform/db/pool.ts";
import type { FaultPoint } from "../../platform/fault-point.ts";
import type { Ids } from "../../platform/ids.ts";
import { toUnixSeconds } from "../../platform/timestamps.ts";

export type Outbox = {
  /**
   * Writes the events in the order given. Takes a transaction and nothing else: appended on the
   * pool, an event could be committed without its entity. Call it after the entity's row was
   * written or locked, so that events of one object get ids in commit order. Throws `too_large`
   * for an event above the bound: the transaction, and with it the change, does not happen.
   */
  append(trx: Trx, events: readonly OutboundEvent[]): Promise<void>;
};

export type OutboxDeps = {
  ids: Pick<Ids, "eventId">;
  clock: Clock;
  /** Called after the commit: wakes the relay. Only haste, never needed for correctness. */
  wake: () => void;
  faultPoint: FaultPoint;
  /** The most that a body may weigh: one bound for all who append, so it is required. */
  maxBytes: number;
};

/**
 * What no event of the platform's own exceeds, whatever people typed: its longest text is what was
 * read in a picture, 10,000 characters, which are 60,000 bytes of JSON at most. So a timer or
 * another task, which has no user to report to, never meets the bound.
 */
export const minMaxBytes = 65_536;

const appendSql = `
  WITH written AS (
    INSERT INTO events (message_id, enterprise_id, object, event, event_type, object_id, key, body)
    SELECT message_id, enterprise_id, object, event, event_type, object_id, key, body
    FROM json_to_recordset(?::json) AS given (position integer, message_id text,
      enterprise_id bigint, object text, event text, event_type text, object_id text, key text,
      body text)
    ORDER BY position
    RETURNING id, occurred_at
  )
  INSERT INTO outbox (event_id, occurred_at) SELECT id, occurred_at FROM written`;

export function createOutbox({ ids, clock, wake, faultPoint, maxBytes }: OutboxDeps): Outbox {
  return {
    append: async (trx, events) => {
      const time = toUnixSeconds(clock.now());
      const rows = events.map((event, position) => ({
        position,
        message_id: ids.eventId(),
        enterprise_id: event.enterpriseId,
        object: event.object,
        event: event.event,
        event_type: event.eventType ?? null,
        object_id: String(event.objectId),
        key: event.key,
        body: checkedBodyOf(event, time, maxBytes),
      }));
      await preparedRowsOf(trx, appendSql, [JSON.stringify(rows)]);
      faultPoint("api.beforeCommit");
      const afterCommit = (): void => {
        faultPoint("api.afterCommit");
        wake();
      };
      void trx.executionPromise.then(afterCommit, () => undefined);
    },
  };
}

/** The body, where a receiver can be expected to take it. */
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
