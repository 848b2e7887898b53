/**
 * In: the id of an event. Out: its content removed from events, attempts and inboxes.
 * Guarantee: one transaction, with the audit entry; afterwards the content is never sent or stored
 * again.
 * On crash: nothing happened.
 */
import { maskedValue } from "../contracts/request-headers.ts";
import { problem } from "../contracts/problems.ts";
import { cancelDeliveriesOf, redactResponses } from "../pipeline/ledger/redact.ts";
import type { Clock } from "../platform/clock.ts";
import { isLockConflict } from "../platform/db/errors.ts";
import { type Db, type Trx, rowsOf } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { toError } from "../platform/errors.ts";
import { sleep } from "../platform/concurrency/async.ts";
import type { AuditLog } from "../contracts/audit.ts";
import { auditEntryOf, type Actor, actorOf } from "../http/authorize.ts";
import { exactObject, integer, text, timestamp } from "../http/schema.ts";
import { ok, route, type JsonSchema, type Route } from "../http/route.ts";
import { toTimestamp } from "../platform/timestamps.ts";

/**
 * Deletes this event from the enterprise's inboxes, tests with its body too. Returns how many
 * requests it deleted. `body` is null if it was removed before.
 */
export type DeleteFromInboxes = (
  trx: Trx,
  enterpriseId: number,
  event: { eventId: string; body: string | null },
) => Promise<number>;

export type RedactEventDeps = {
  db: Db;
  clock: Clock;
  audit: AuditLog<Trx>;
  deleteFromInboxes: DeleteFromInboxes;
};

export type RedactEventResult = {
  id: string;
  /** When the content was first removed. */
  expunged: Date;
  cancelled: number;
  underWay: number;
};

export type RedactEvent = (actor: Actor, eventId: string) => Promise<RedactEventResult>;

export type LockedEvent = { id: number; occurredAt: Date; expungedAt: Date | null; body: string };

const maxTries = 5;

const pauseMs = 50;

/**
 * Throws `not_found` for an event of another enterprise, and `conflict` if its rows stay locked:
 * the client may retry a moment later.
 */
export function createRedactEvent(deps: RedactEventDeps): RedactEvent {
  return async (actor, eventId) => {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      try {
        return await inTransaction(deps.db, (trx) => redactIn(trx, deps, { actor, eventId }));
      } catch (thrown) {
        if (!isLockConflict(toError(thrown))) {
          throw thrown;
        }
      }
      await sleep(pauseMs * tries);
    }
    throw problem("conflict", `Event ${eventId} is being processed. Try again in a moment.`);
  };
}

/** Maximum wait for a row lock of another transaction. */
const lockTimeoutMs = 500;

async function redactIn(
  trx: Trx,
  { clock, audit, deleteFromInboxes }: RedactEventDeps,
  { actor, eventId }: { actor: Actor; eventId: string },
): Promise<RedactEventResult> {
  const { enterpriseId } = actor;
  await trx.raw(`SET LOCAL lock_timeout = '${lockTimeoutMs}ms'`);
  const event = await lockEvent(trx, enterpriseId, eventId);
  if (event === undefined) {
    throw problem("not_found", `Event ${eventId} was not found.`);
  }
  const now = clock.now();
  const { cancelled, underWay } = await cancelDeliveriesOf(trx, event.id, now);
  const answers = await redactResponses(trx, {
    eventRowId: event.id,
    occurredAt: event.occurredAt,
  });
  const body = event.expungedAt === null ? event.body : null;
  const kept = await deleteFromInboxes(trx, enterpriseId, { eventId, body });
  if (event.expungedAt === null) {
    await redactEvent(trx, event, now);
  }
  if (event.expungedAt === null || cancelled + answers + kept > 0) {
    const changes = { content: { from: maskedValue, to: "" } };
    await audit.write(trx, auditEntryOf(actor, eventId, { action: "delete", changes }));
  }
  return { id: eventId, expunged: event.expungedAt ?? now, cancelled, underWay };
}

type LockedEventRow = { id: number; occurred_at: Date; expunged_at: Date | null; body: string };

/** The event, locked until the transaction ends. */
async function lockEvent(
  trx: Trx,
  enterpriseId: number,
  eventId: string,
): Promise<LockedEvent | undefined> {
  const [row] = await rowsOf<LockedEventRow>(
    trx,
    `SELECT id, occurred_at, expunged_at, body FROM events
     WHERE event_id = ? AND enterprise_id = ? FOR UPDATE`,
    [eventId, enterpriseId],
  );
  return (
    row && {
      ...{ id: row.id, occurredAt: row.occurred_at },
      ...{ expungedAt: row.expunged_at, body: row.body },
    }
  );
}

/** Empties the body. The row stays, because it says what the event was about. */
async function redactEvent(trx: Trx, { id, occurredAt }: LockedEvent, at: Date): Promise<void> {
  await rowsOf(
    trx,
    "UPDATE events SET body = '', expunged_at = ? WHERE id = ? AND occurred_at = ?",
    [at, id, occurredAt],
  );
}

const eventParams: JsonSchema = {
  type: "object",
  required: ["eventId"],
  properties: { eventId: { type: "string", pattern: "^evt_[0-9a-f-]{36}$" } },
};

const redactedAnswer = exactObject("ExpungedEvent", {
  id: text,
  expunged: timestamp,
  cancelled: integer,
  under_way: integer,
});

/** The operation that removes the content of an event. */
export function redactRoutes(expunge: RedactEvent): Route[] {
  return [
    route<{ eventId: string }>({
      permission: "webhooks.write",
      family: "platform",
      limit: "api",
      method: "POST",
      path: "/webhooks/events/{eventId}/expunge",
      operationId: "expungeWebhookEvent",
      summary: "Remove the content of an event everywhere webhooks store it",
      params: eventParams,
      answer: { status: 200, schema: redactedAnswer },
      problems: ["conflict"],
      handle: async (request) => {
        const result = await expunge(actorOf(request), request.params.eventId);
        return ok({
          id: result.id,
          expunged: toTimestamp(result.expunged),
          cancelled: result.cancelled,
          under_way: result.underWay,
        });
      },
    }),
  ];
}
