/**
 * In: messages of a use case, inside its transaction. Out: rows, a task for each that is to be
 * sent, and the events of the SMS.
 * Guarantee: message, task and event are committed with the use case or not at all; nothing is sent
 * before that.
 * On crash: before the commit nothing happened; after it the task is there, whatever the queue lost.
 */
import { dayMs } from "../platform/clock.ts";
import { problem } from "../contracts/problems.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Tasks } from "../platform/tasks/task.ts";
import { smsEvents, optedOut, type Message, type NewMessage, countSegments } from "./model.ts";
import { countSmsForQuota, findOptedOut, findSendingRules } from "./rules-store.ts";
import { insertMessage, type MessageInsert } from "./store.ts";

export type QueueDeps = Readonly<{
  ids: Pick<Ids, "uuid">;
  outbox: Outbox;
  tasks: Pick<Tasks, "plan">;
  /** Sender of mails, as a header carries it. */
  mailFrom: string;
}>;

/** `isAccepted` is false if the number opted out. */
export type QueuedMessage = Pick<Message, "id" | "channel" | "recipient"> &
  Readonly<{ isAccepted: boolean }>;

/**
 * What happens to SMS over the quota: the use case is rejected, or they are stored as failed. The
 * latter is for use cases that must not depend on a message, such as a cancellation.
 */
export type OverQuotaRule = Readonly<{ overQuota: "refuse" | "fail" }>;

/** Stores messages of one enterprise; they are sent after the commit. */
export type QueueMessages = (
  trx: Trx,
  messages: readonly NewMessage[],
  rule: OverQuotaRule,
) => Promise<QueuedMessage[]>;

const overQuotaError = "quota_reached";

export function createMessageQueue({ ids, outbox, tasks, mailFrom }: QueueDeps): QueueMessages {
  /** The reason why each message is not sent; null if it is. */
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
    const accepted = written.filter(({ status }) => status === "queued");
    await tasks.plan(
      trx,
      accepted.map((message) => sendTask(message, first.at)),
    );
    await outbox.append(trx, smsEvents("create", written));
    return written.map((message) => ({
      id: message.id,
      channel: message.channel,
      recipient: message.recipient,
      isAccepted: message.status === "queued",
    }));
  };
}

/** How many more SMS the enterprise may send now. */
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

function sendTask(message: Message, at: Date) {
  return {
    kind: "message.send",
    key: `message:${message.id}`,
    enterpriseId: message.enterpriseId,
    dueAt: at,
    data: { messageId: message.id },
  } as const;
}
