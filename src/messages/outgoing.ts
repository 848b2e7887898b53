/**
 * In: messages of a use case, inside its transaction. Out: rows, one task per message to send, and
 * the events of the SMS.
 * Guarantee: message, task and event are committed with the use case or not at all; nothing is sent
 * before that.
 * On crash: before the commit nothing happened; after it the task exists, even if the job is lost.
 */
import { dayMs, type Clock } from "../platform/clock.ts";
import { problem } from "../contracts/problems.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { Trx, Db } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { Ids } from "../platform/ids.ts";
import type { RunningTask, Tasks, TaskHandler, TaskOutcome } from "../platform/tasks/task.ts";
import {
  smsEvents,
  optedOut,
  outdated,
  type Message,
  type NewMessage,
  countSegments,
} from "./model.ts";
import { isOutdated } from "./invitation-store.ts";
import { countSmsForQuota, findOptedOut, findSendingRules, addOptOut } from "./rules-store.ts";
import {
  insertMessage,
  type MessageInsert,
  findMessage,
  lockMessage,
  updateMessage,
} from "./store.ts";
import type { FaultPoint } from "../contracts/fault-points.ts";
import type { Logger } from "../platform/logger.ts";
import { refused, type MessageProvider, type ProviderResult } from "./providers/provider.ts";
import type { Providers } from "./providers/providers.ts";

export type QueueDeps = Readonly<{
  ids: Pick<Ids, "uuid">;
  outbox: Outbox;
  tasks: Pick<Tasks, "plan">;
  /** Value of the From header. */
  mailFrom: string;
}>;

/** `isAccepted` is false if the number opted out. */
export type QueuedMessage = Pick<Message, "id" | "channel" | "recipient"> &
  Readonly<{ isAccepted: boolean }>;

/**
 * SMS over the quota: `refuse` rejects the use case, `fail` stores them as failed. The latter is
 * for use cases that must not depend on a message, such as a cancellation.
 */
export type OverQuotaRule = Readonly<{ overQuota: "refuse" | "fail" }>;

/** Stores messages of one enterprise; they are sent after the commit. */
export type QueueMessages = (
  trx: Trx,
  messages: readonly NewMessage[],
  rule: OverQuotaRule,
) => Promise<QueuedMessage[]>;

export type SendingDeps = Readonly<{
  db: Db;
  clock: Clock;
  outbox: Outbox;
  providers: Pick<Providers, "of">;
  log: Pick<Logger, "info" | "warn">;
  faultPoint: FaultPoint;
}>;

type SendSettlement = Readonly<{
  message: Message;
  provider: MessageProvider;
  result: ProviderResult;
}>;

const overQuotaError = "quota_reached";

export function createMessageQueue({ ids, outbox, tasks, mailFrom }: QueueDeps): QueueMessages {
  /** The error of each message that will not be sent; null for the others. */
  const errorsOf = async (
    trx: Trx,
    messages: readonly NewMessage[],
    { perDay, rule }: Readonly<{ perDay: number; rule: OverQuotaRule }>,
  ): Promise<(string | null)[]> => {
    const sms = messages.filter(({ channel }) => channel === "sms");
    const [first] = sms;
    if (first === undefined) {
      return messages.map(() => null);
    }
    const { enterpriseId, at } = first;
    const phones = sms.map(({ recipient }) => recipient);
    const optedOutPhones = await findOptedOut(trx, enterpriseId, phones);
    const wanted = sms.filter(({ recipient }) => !optedOutPhones.has(recipient));
    const remaining =
      wanted.length === 0 ? 0 : await countRemaining(trx, { enterpriseId, perDay, at });
    if (wanted.length > remaining && rule.overQuota === "refuse") {
      throw quotaReached(perDay, remaining);
    }
    const tooMany = new Set(wanted.slice(remaining));
    return messages.map((message) => {
      const isSilent = message.channel === "sms" && optedOutPhones.has(message.recipient);
      return isSilent ? optedOut : tooMany.has(message) ? overQuotaError : null;
    });
  };

  const toInsert = (
    message: NewMessage,
    smsSender: string,
    error: string | null,
  ): MessageInsert => ({
    ...message,
    uid: ids.uuid(),
    sender: message.channel === "email" ? mailFrom : smsSender,
    segments: message.channel === "email" ? null : countSegments(message.text).segments,
    error,
  });

  return async (trx, messages, rule) => {
    const [first] = messages;
    if (first === undefined) {
      return [];
    }
    const { maxSmsPerDay, smsSender } = await findSendingRules(trx, first.enterpriseId);
    const errors = await errorsOf(trx, messages, { perDay: maxSmsPerDay, rule });
    const written: Message[] = [];
    for (const [index, message] of messages.entries()) {
      written.push(await insertMessage(trx, toInsert(message, smsSender, errors[index] ?? null)));
    }
    const sendTasks = messages.flatMap((message, index) =>
      written[index]?.status === "queued" ? [sendTask(message, written[index].id)] : [],
    );
    await tasks.plan(trx, sendTasks);
    await outbox.append(trx, smsEvents("create", written));
    return written.map((message) => ({
      id: message.id,
      channel: message.channel,
      recipient: message.recipient,
      isAccepted: message.status === "queued",
    }));
  };
}

/** How many SMS the enterprise may still send. */
async function countRemaining(
  trx: Trx,
  { enterpriseId, perDay, at }: Readonly<{ enterpriseId: number; perDay: number; at: Date }>,
): Promise<number> {
  const since = new Date(at.getTime() - dayMs);
  return Math.max(0, perDay - (await countSmsForQuota(trx, enterpriseId, since)));
}

function quotaReached(perDay: number, remaining: number) {
  return problem(
    "quota_reached",
    `The enterprise may send ${perDay} SMS in 24 hours; ${remaining} are left.`,
    {
      details: "Quota sms",
    },
  );
}

function sendTask({ enterpriseId, at, endsWithSubject }: NewMessage, messageId: number) {
  return {
    kind: "message.send",
    key: `message:${messageId}`,
    enterpriseId,
    dueAt: at,
    data: { messageId, ...(endsWithSubject === true ? { endsWithSubject } : {}) },
  } as const;
}

/** Delays after the first, second, … attempt. There is one more attempt than delays. */
const retryDelaysMs = [30_000, 120_000, 600_000, 1_800_000] as const;

const done: TaskOutcome = { kind: "done" };

/**
 * In: a `message.send` task. Out: the message accepted or rejected by a provider, and its new
 * status.
 * Guarantee: nothing is sent inside a transaction, and nothing is settled without the row lock.
 * Only `queued` messages are sent.
 * On crash: the task runs again. Before the request, nothing happened. After the provider accepted
 * the message and before the status is stored, the message is sent again with the same uid: an HTTP
 * gateway deduplicates by `Idempotency-Key`, a mail has the same Message-ID. Twilio has no
 * idempotency key and sends it twice, unless its status callback has settled the message. Settling
 * writes status and event in one transaction; after it the task does nothing.
 */
export function createSendHandler(deps: SendingDeps): TaskHandler {
  const { db, clock, outbox, providers, log } = deps;

  const settle = ({ message, provider, result }: SendSettlement): Promise<TaskOutcome> =>
    inTransaction(db, async (trx) => {
      const { enterpriseId, id, recipient: phone } = message;
      const locked = await lockMessage(trx, enterpriseId, id);
      if (locked === undefined || locked.status !== "queued") {
        return done; // settled by a callback or another worker
      }
      const at = clock.now();
      const attempts = locked.attempts + 1;
      const common = { id, enterpriseId, attempts, at };
      // The mailbox page is for development, where secrets may be shown.
      const isTextCleared = locked.isPrivate && provider.name !== "dev";
      if (result.kind === "accepted") {
        const { status, providerId } = result;
        const sent = {
          ...common,
          status,
          providerId,
          provider: provider.name,
          sentAt: at,
          isTextCleared,
        };
        await updateMessage(trx, sent);
        await outbox.append(trx, smsEvents("update", [locked]));
        return done;
      }
      const { error } = result;
      const pauseMs = retryDelaysMs[attempts - 1];
      if (!result.isFinal && pauseMs !== undefined) {
        await updateMessage(trx, { ...common, error });
        return { kind: "again", dueAt: new Date(at.getTime() + pauseMs), reason: error };
      }
      const ended = { ...common, status: "failed", provider: provider.name, error } as const;
      await updateMessage(trx, { ...ended, isTextCleared });
      if (error === optedOut) {
        await addOptOut(trx, { enterpriseId, phone, at });
      }
      await outbox.append(trx, smsEvents("update", [locked]));
      return done;
    });

  return async (task, signal) => {
    const { enterpriseId, data } = task;
    const message = await findMessage(db, enterpriseId, Number(data["messageId"]));
    if (message === undefined || message.status !== "queued") {
      return done;
    }
    const provider = providers.of(message.channel, await findSendingRules(db, enterpriseId));
    const obstacle = await findObstacle(db, message, data);
    const result =
      obstacle === undefined ? await provider.send(message, signal) : refused(obstacle, true);
    if (result.kind === "busy") {
      return retryLater(clock.now());
    }
    deps.faultPoint("messages.afterSend");
    const outcome = await settle({ message, provider, result });
    logResult(log, { message, provider, result });
    return outcome;
  };
}

/**
 * Checked before each attempt: the recipient may have sent STOP by now, and a cancellation or a new
 * date may have arrived before an invitation.
 */
async function findObstacle(
  db: Db,
  message: Message,
  { endsWithSubject }: RunningTask["data"],
): Promise<string | undefined> {
  const { channel, enterpriseId, recipient } = message;
  if (channel === "sms" && (await findOptedOut(db, enterpriseId, [recipient])).size > 0) {
    return optedOut;
  }
  return endsWithSubject === true && (await isOutdated(db, message)) ? outdated : undefined;
}

/** Delay while a provider is at its concurrency limit. Does not count as an attempt. */
const busyRetryDelayMs = 15_000;

function retryLater(now: Date): TaskOutcome {
  return {
    kind: "again",
    dueAt: new Date(now.getTime() + busyRetryDelayMs),
    reason: "the provider is slow",
  };
}

function logResult(log: SendingDeps["log"], { message, provider, result }: SendSettlement): void {
  const { id: messageId, channel } = message;
  const ids = { enterpriseId: message.enterpriseId, messageId, channel, provider: provider.name };
  if (result.kind === "accepted") {
    log.info({ ...ids, providerId: result.providerId }, "message.sent");
  } else {
    log.warn({ ...ids, error: result.error, isFinal: result.isFinal }, "message.rejected");
  }
}
