/**
 * In: the `webhook-id` of an event. Out: its content removed from all that webhooks keep.
 * Guarantee: all of it in one transaction, with the audit entry; after it nothing of the content is
 * sent or written again. On crash: nothing has happened.
 */
import { maskedValue } from "../../contracts/request-headers.ts";
import { problem } from "../../contracts/problems.ts";
import { cancelDeliveriesOf, redactResponses } from "../../pipeline/ledger/redact.ts";
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, type Db, type Trx, rowsOf } from "../../platform/db/pool.ts";
import { sleep } from "../../platform/concurrency/sleep.ts";
import type { Actor, Audit } from "../../subscriptions/audit.ts";
import { inboxKeyOf } from "../../subscriptions/settings/rules.ts";

/** Deletes the requests with this `webhook-id` that inboxes have kept; answers how many. */
export type DeleteFromInboxes = (
  trx: Trx,
  keys: readonly string[],
  messageId: string,
) => Promise<number>;

export type RedactEventDeps = {
  db: Db;
  clock: Clock;
  audit: Audit;
  deleteFromInboxes: DeleteFromInboxes;
};

export type RedactEventResult = {
  id: string;
  /** When the content was removed: of several calls, the first. */
  expunged: Date;
  cancelled: number;
  underWay: number;
};

export type RedactEvent = (actor: Actor, messageId: string) => Promise<RedactEventResult>;

export type LockedEvent = { id: number; occurredAt: Date; expungedAt: Date | null };

const maxTries = 5;

const pauseMs = 50;

/**
 * Throws `not_found` for an event that the actor's enterprise does not have, and `conflict` where
 * its rows stay taken: a call that is made again a moment later succeeds.
 */
export function createRedactEvent(deps: RedactEventDeps): RedactEvent {
  return async (actor, messageId) => {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      try {
        return await inTransaction(deps.db, (trx) => redactIn(trx, deps, { actor, messageId }));
      } catch (thrown) {
        if (!isLockFault(thrown)) {
          throw thrown;
        }
      }
      await sleep(pauseMs * tries);
    }
    throw problem("conflict", `Event ${messageId} is being worked on. Try again in a moment.`);
  };
}

/** Somebody holds a row for longer, or waits for one of ours: then this one steps back. */
const lockTimeoutMs = 500;

async function redactIn(
  trx: Trx,
  { clock, audit, deleteFromInboxes }: RedactEventDeps,
  { actor, messageId }: { actor: Actor; messageId: string },
): Promise<RedactEventResult> {
  const { enterpriseId, userId, login, requestId } = actor;
  await trx.raw(`SET LOCAL lock_timeout = '${lockTimeoutMs}ms'`);
  const event = await lockEvent(trx, enterpriseId, messageId);
  if (event === undefined) {
    throw problem("not_found", `Event ${messageId} was not found.`);
  }
  const now = clock.now();
  const { cancelled, underWay } = await cancelDeliveriesOf(trx, event.id, now);
  const answers = await redactResponses(trx, { eventId: event.id, occurredAt: event.occurredAt });
  const keys = inboxKeys(await listUrls(trx, enterpriseId));
  const kept = await deleteFromInboxes(trx, keys, messageId);
  if (event.expungedAt === null) {
    await redactEvent(trx, event, now);
  }
  if (event.expungedAt === null || cancelled + answers + kept > 0) {
    await audit.write(trx, {
      ...{ enterpriseId, userId, login },
      ...(requestId === undefined ? {} : { requestId }),
      action: "delete",
      object: "webhook",
      objectId: messageId,
      changes: { content: { from: maskedValue, to: "" } },
    });
  }
  return { id: messageId, expunged: event.expungedAt ?? now, cancelled, underWay };
}

/** The enterprise's event with this `webhook-id`, locked until the transaction ends. */
async function lockEvent(
  trx: Trx,
  enterpriseId: number,
  messageId: string,
): Promise<LockedEvent | undefined> {
  const [row] = await rowsOf<{ id: number; occurred_at: Date; expunged_at: Date | null }>(
    trx,
    `SELECT id, occurred_at, expunged_at FROM events
     WHERE message_id = ? AND enterprise_id = ? FOR UPDATE`,
    [messageId, enterpriseId],
  );
  return row && { id: row.id, occurredAt: row.occurred_at, expungedAt: row.expunged_at };
}

function inboxKeys(urls: readonly string[]): string[] {
  return urls.flatMap((url) => inboxKeyOf(url) ?? []);
}

/** The URLs of an enterprise's subscriptions. */
async function listUrls(trx: Trx, enterpriseId: number): Promise<string[]> {
  const rows = await rowsOf<{ url: string }>(
    trx,
    `SELECT DISTINCT url FROM subscriptions
     WHERE enterprise_id = ? AND deleted_at IS NULL AND url IS NOT NULL`,
    [enterpriseId],
  );
  return rows.map(({ url }) => url);
}

/** Empties the body. The rest of the row, which says what the event was about, stays. */
async function redactEvent(trx: Trx, { id, occurredAt }: LockedEvent, at: Date): Promise<void> {
  await rowsOf(
    trx,
    "UPDATE events SET body = '', expunged_at = ? WHERE id = ? AND occurred_at = ?",
    [at, id, occurredAt],
  );
}

const lockFaults: readonly unknown[] = ["55P03", "40P01"];

function isLockFault(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && lockFaults.includes(thrown.code);
}
