/**
 * In: the `webhook-id` of an event. Out: its content removed from all that webhooks keep.
 * Guarantee: all of it in one transaction, with the audit entry; after it nothing of the content is
 * sent or written again. On crash: nothing has happened.
 */
import { maskedValue } from "../../contracts/masked.ts";
import { problem } from "../../contracts/problems.ts";
import { endDeliveriesOf, forgetAnswersTo } from "../../pipeline/ledger/expunge.ts";
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, type Db, type Trx } from "../../platform/db/pool.ts";
import { pause } from "../../platform/wait.ts";
import type { Actor, Audit } from "../audit.ts";
import { inboxKeyOf } from "../receiver-url.ts";
import { emptyEvent, listUrls, lockEvent } from "./store.ts";

/** Deletes the requests with this `webhook-id` that inboxes have kept; answers how many. */
export type ForgetInInboxes = (
  trx: Trx,
  keys: readonly string[],
  messageId: string,
) => Promise<number>;

export type ExpungeDeps = {
  db: Db;
  clock: Clock;
  audit: Audit;
  forgetInInboxes: ForgetInInboxes;
};

export type ExpungeResult = {
  id: string;
  /** When the content was removed: of several calls, the first. */
  expunged: Date;
  cancelled: number;
  underWay: number;
};

export type Expunge = (actor: Actor, messageId: string) => Promise<ExpungeResult>;

const mostTries = 5;

const pauseMs = 50;

/**
 * Throws `not_found` for an event that the actor's enterprise does not have, and `conflict` where
 * its rows stay taken: a call that is made again a moment later succeeds.
 */
export function createExpunge(deps: ExpungeDeps): Expunge {
  return async (actor, messageId) => {
    for (let tries = 1; tries <= mostTries; tries += 1) {
      try {
        return await inTransaction(deps.db, (trx) => expungeIn(trx, deps, { actor, messageId }));
      } catch (thrown) {
        if (!isLockFault(thrown)) {
          throw thrown;
        }
      }
      await pause(pauseMs * tries);
    }
    throw problem("conflict", `Event ${messageId} is being worked on. Try again in a moment.`);
  };
}

/** Somebody holds a row for longer, or waits for one of ours: then this one steps back. */
const lockTimeoutMs = 500;

async function expungeIn(
  trx: Trx,
  { clock, audit, forgetInInboxes }: ExpungeDeps,
  { actor, messageId }: { actor: Actor; messageId: string },
): Promise<ExpungeResult> {
  const { enterpriseId, userId, login, requestId } = actor;
  await trx.raw(`SET LOCAL lock_timeout = '${lockTimeoutMs}ms'`);
  const event = await lockEvent(trx, enterpriseId, messageId);
  if (event === undefined) {
    throw problem("not_found", `Event ${messageId} was not found.`);
  }
  const now = clock.now();
  const { cancelled, underWay } = await endDeliveriesOf(trx, event.id, now);
  const answers = await forgetAnswersTo(trx, { eventId: event.id, occurredAt: event.occurredAt });
  const keys = inboxKeys(await listUrls(trx, enterpriseId));
  const kept = await forgetInInboxes(trx, keys, messageId);
  if (event.expungedAt === null) {
    await emptyEvent(trx, event, now);
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

function inboxKeys(urls: readonly string[]): string[] {
  return urls.flatMap((url) => inboxKeyOf(url) ?? []);
}

const lockFaults: readonly unknown[] = ["55P03", "40P01"];

function isLockFault(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && lockFaults.includes(thrown.code);
}
