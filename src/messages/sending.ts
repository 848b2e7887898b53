/**
 * In: a `message.send` task. Out: the message handed to a provider, and what became of it.
 * Guarantee: nothing is sent inside a transaction, and nothing is settled without the row's lock;
 * a message that is not `queued` any more is not touched.
 * On crash: before the provider was asked, nothing happened and the task comes again. After it took
 * the message and before that was written down, the task comes again too, and the message goes out
 * once more with the same uid: an HTTP gateway drops it by its `Idempotency-Key`, a mail has the
 * same Message-ID, and Twilio, which takes no key, sends it twice unless its status callback came
 * meanwhile and settled the message. After the settling, which tells the event and ends the message
 * in one transaction, the task comes again and finds nothing to do.
 */
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { Clock } from "../platform/clock.ts";
import { inTransaction, type Db } from "../platform/db/pool.ts";
import type { FaultPoint } from "../platform/fault-point.ts";
import type { Logger } from "../platform/logger.ts";
import type { TaskHandler, TaskOutcome } from "../platform/tasks/task.ts";
import { smsEvents, optedOut, type Message } from "./model.ts";
import { refused, type MessageProvider, type ProviderResult } from "./providers/provider.ts";
import type { Providers } from "./providers/providers.ts";
import { addOptOut, findOptedOut, findSendingRules } from "./rules-store.ts";
import { findMessage, lockMessage, updateMessage } from "./store.ts";

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

/** After the first try, the second, … One more try than there are pauses. */
const retryDelaysMs = [30_000, 120_000, 600_000, 1_800_000] as const;

const done: TaskOutcome = { kind: "done" };

export function createSendHandler(deps: SendingDeps): TaskHandler {
  const { db, clock, outbox, providers, log } = deps;

  const settle = ({ message, provider, result }: SendSettlement): Promise<TaskOutcome> =>
    inTransaction(db, async (trx) => {
      const { enterpriseId, id, recipient: phone } = message;
      const locked = await lockMessage(trx, enterpriseId, id);
      if (locked === undefined || locked.status !== "queued") {
        return done; // a callback was faster, or another worker
      }
      const at = clock.now();
      const attempts = locked.attempts + 1;
      const common = { id, enterpriseId, attempts, at };
      // The mailbox page is for development, where secrets may be seen.
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

  /** The number may have said STOP while the message waited. */
  const isUnwanted = async ({ channel, enterpriseId, recipient }: Message): Promise<boolean> =>
    channel === "sms" && (await findOptedOut(db, enterpriseId, [recipient])).size > 0;

  return async (task, signal) => {
    const { enterpriseId, data } = task;
    const message = await findMessage(db, enterpriseId, Number(data["messageId"]));
    if (message === undefined || message.status !== "queued") {
      return done;
    }
    const provider = providers.of(message.channel, await findSendingRules(db, enterpriseId));
    const result = (await isUnwanted(message))
      ? refused(optedOut, true)
      : await provider.send(message, signal);
    if (result.kind === "busy") {
      return retryLater(clock.now());
    }
    deps.faultPoint("messages.afterSend");
    const outcome = await settle({ message, provider, result });
    logResult(log, { message, provider, result });
    return outcome;
  };
}

/** Until a provider that is slow is asked again. Not a try: it was not asked. */
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
