/**
 * Sends a sample or a past event to a webhook's receiver immediately.
 * Guarantee: every test is in the audit log before it is sent; none is in the ledger.
 * On crash: the audit log may contain a test that was not sent.
 */
import { webhookNotFound, invalidParameter, problem } from "../../contracts/problems.ts";
import { createRequestLimiter } from "../../http/limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Db, type Trx, rowsOf } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { Ids } from "../../platform/ids.ts";
import type { Logger } from "../../platform/logger.ts";
import type { AuditLog } from "../../contracts/audit.ts";
import { auditEntryOf, type Actor } from "../../http/authorize.ts";
import { sampleBody } from "./samples.ts";
import type { SubscriptionMode } from "../../contracts/subscriptions.ts";

export type TestSendDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "eventId">;
  log: Pick<Logger, "info">;
  audit: AuditLog<Trx>;
  sendTest: SendTest;
}>;

/** A kind of event or the id of a real one, at most one of them. */
export type TestChoice = { filter?: string | undefined; eventId?: string | undefined };

export type TestReport = Readonly<{ eventId: string; body: string; sent: SentTest }>;

export type SentTest = Extract<TestSent, { kind: "sent" }>;

export type TestSends = {
  /** Resolves with the result, a failure too; throws if the webhook cannot be tested. */
  send(actor: Actor, subscriptionId: number, choice: TestChoice): Promise<TestReport>;
};

/** Ports of test sends. */

/** The response or the failure. Times in milliseconds. */
type TestTimings = Readonly<{ durationMs: number; phases: Readonly<Record<string, number>> }>;

export type TestOutcome =
  | (TestTimings &
      Readonly<{
        kind: "answered";
        status: number;
        headers: Readonly<Record<string, string>>;
        body: string;
        note?: string;
      }>)
  | (TestTimings & Readonly<{ kind: "failed"; failure: string; detail: string }>);

/** `headers` are those of the request, with custom values masked. */
export type TestSent =
  | Readonly<{
      kind: "sent";
      url: string;
      headers: Readonly<Record<string, string>>;
      result: TestOutcome;
    }>
  | Readonly<{ kind: "unusable"; reason: string }>;

/**
 * Sends an event to a subscription's receiver immediately, signed and guarded like a delivery, and
 * marked as a test. Resolves with every result, within the time-out.
 */
export type SendTest = (event: {
  subscriptionId: number;
  eventId: string;
  body: string;
}) => Promise<TestSent>;

export type Receiver = { mode: SubscriptionMode; hasUrl: boolean };

export type TestEvent = { body: string; isExpunged: boolean };

const defaultSample = "ticket.update";

/** Each test holds a connection until the receiver answers, or the time-out ends. */
const testLimits = { perTenant: 4, total: 64 };

export function createTestSends(deps: TestSendDeps): TestSends {
  const { db, clock, ids, log, audit, sendTest } = deps;
  const enter = createRequestLimiter(
    testLimits,
    "Too many concurrent tests. Wait for one to finish.",
  );

  /** The body to send; writes the audit entry first. */
  const prepare = async (actor: Actor, id: number, choice: TestChoice): Promise<string> =>
    inTransaction(db, async (trx) => {
      const { enterpriseId } = actor;
      await requireReceiver(trx, enterpriseId, id);
      const { eventId, filter = defaultSample } = choice;
      const body =
        eventId === undefined
          ? sampleText(filter, clock.now())
          : await pastText(trx, enterpriseId, eventId);
      const changes = { test: { to: eventId ?? filter } };
      await audit.write(trx, auditEntryOf(actor, id, { action: "test", changes }));
      return body;
    });

  const sendNow = async (actor: Actor, id: number, choice: TestChoice): Promise<TestReport> => {
    const body = await prepare(actor, id, choice);
    const eventId = ids.eventId();
    const sent = await sendTest({ subscriptionId: id, eventId, body });
    if (sent.kind === "unusable") {
      throw problem("conflict", `Nothing can be sent to webhook ${id}: ${sent.reason}.`);
    }
    const { enterpriseId, userId } = actor;
    const ended = sent.result.kind === "answered" ? sent.result.status : sent.result.failure;
    log.info({ enterpriseId, userId, subscriptionId: id, ended }, "subscription.tested");
    return { eventId, body, sent };
  };

  return {
    send: async (actor, id, choice) => {
      checkChoice(choice);
      return enter(actor.enterpriseId, () => sendNow(actor, id, choice));
    },
  };
}

async function requireReceiver(trx: Trx, enterpriseId: number, id: number): Promise<void> {
  const receiver = await findReceiver(trx, enterpriseId, id);
  if (receiver === undefined) {
    throw webhookNotFound(id);
  }
  if (receiver.mode === "pull") {
    const detail = `Webhook ${id} is in pull mode: nothing is sent to it.`;
    throw problem("conflict", detail);
  }
  if (!receiver.hasUrl) {
    throw problem("conflict", `Webhook ${id} has no url yet.`);
  }
}

/** The mode and address of a subscription of the enterprise that is not deleted. */
async function findReceiver(
  trx: Trx,
  enterpriseId: number,
  id: number,
): Promise<Receiver | undefined> {
  const [row] = await rowsOf<{ mode: SubscriptionMode; has_url: boolean }>(
    trx,
    `SELECT mode, url IS NOT NULL AS has_url FROM subscriptions
     WHERE enterprise_id = ? AND id = ? AND deleted_at IS NULL`,
    [enterpriseId, id],
  );
  return row && { mode: row.mode, hasUrl: row.has_url };
}

function sampleText(name: string, now: Date): string {
  const body = sampleBody(name, now);
  if (body === undefined) {
    const detail = `${name} is not a single event type. GET /api/webhooks/event-types lists them all.`;
    throw invalidParameter("filter", "unknown", detail);
  }
  return JSON.stringify(body);
}

async function pastText(trx: Trx, enterpriseId: number, eventId: string): Promise<string> {
  const event = await findTestEvent(trx, enterpriseId, eventId);
  if (event === undefined) {
    throw problem("not_found", `Event ${eventId} was not found.`);
  }
  if (event.isExpunged) {
    throw problem("conflict", `The content of event ${eventId} was removed.`);
  }
  return event.body;
}

/** An event of the enterprise, by its `webhook-id`. */
async function findTestEvent(
  trx: Trx,
  enterpriseId: number,
  eventId: string,
): Promise<TestEvent | undefined> {
  const [row] = await rowsOf<{ body: string; is_expunged: boolean }>(
    trx,
    `SELECT body, expunged_at IS NOT NULL AS is_expunged FROM events
     WHERE event_id = ? AND enterprise_id = ?`,
    [eventId, enterpriseId],
  );
  return row && { body: row.body, isExpunged: row.is_expunged };
}

function checkChoice({ filter, eventId }: TestChoice): void {
  if (filter !== undefined && eventId !== undefined) {
    const detail = "Give either filter, for a sample, or event_id, for a past event.";
    throw invalidParameter("event_id", "conflict", detail);
  }
}
