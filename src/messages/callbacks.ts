/**
 * In: a signed call of an SMS provider. Out: the message's new status and one event for it, or a
 * number on or off the list of those who want no SMS.
 * Guarantee: a status changes and is told in one transaction under the row's lock, so a report that
 * comes twice, late or together with another one is told once and never leads back.
 * On crash: before the commit nothing happened, and the provider, which got no answer, calls again.
 */
import { problem } from "../contracts/problems.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { Clock } from "../platform/clock.ts";
import { parsePhone } from "../platform/contact.ts";
import { inTransaction, type Db } from "../platform/db/pool.ts";
import type { Logger } from "../platform/logger.ts";
import { smsEvents } from "./events.ts";
import { isProgress } from "./message.ts";
import type { CallbackRequest, Callbacks } from "./providers/provider.ts";
import type { Providers } from "./providers/providers.ts";
import { addOptOuts, removeOptOuts } from "./rules-store.ts";
import { lockReported, updateMessage } from "./store.ts";

export type CallbackDeps = Readonly<{
  db: Db;
  clock: Clock;
  outbox: Outbox;
  providers: Pick<Providers, "named">;
  log: Pick<Logger, "info">;
}>;

export type ProviderCalls = {
  /** How a message fares. 404 where it is not known. */
  takeStatus(provider: string, request: CallbackRequest): Promise<void>;
  /** An SMS from a customer. STOP and START are obeyed, anything else is left alone. */
  takeIncoming(provider: string, request: CallbackRequest): Promise<void>;
};

const stopWords = new Set(["stop", "stopall", "unsubscribe", "arret", "arrêt", "baja", "stopp"]);

const startWords = new Set(["start", "unstop"]);

export function createProviderCalls(deps: CallbackDeps): ProviderCalls {
  const { db, clock, outbox, providers, log } = deps;

  const callbacksOf = (provider: string): Callbacks => {
    const callbacks = providers.named(provider)?.callbacks;
    if (callbacks === undefined) {
      throw problem("not_found", "There is no such provider.");
    }
    return callbacks;
  };

  return {
    takeStatus: async (provider, request) => {
      const report = callbacksOf(provider).parseStatus(request);
      await inTransaction(db, async (trx) => {
        const message = await lockReported(trx, { ...report, provider });
        if (message === undefined) {
          throw problem("not_found", "The message was not found.");
        }
        const { id, enterpriseId } = message;
        if (!isProgress(message.status, report.status)) {
          return;
        }
        const at = clock.now();
        const { status, providerId, error } = report;
        await updateMessage(trx, {
          id,
          enterpriseId,
          status,
          provider,
          providerId: message.providerId ?? providerId ?? null,
          error,
          sentAt: message.sentAt ?? at,
          at,
        });
        await outbox.append(trx, smsEvents("update", [message]));
        log.info({ enterpriseId, messageId: id, status, error }, "message.reported");
      });
    },
    takeIncoming: async (provider, request) => {
      const { from, text } = callbacksOf(provider).parseIncoming(request);
      const phone = parsePhone(from);
      const word = wordOf(text);
      if (phone === undefined) {
        return; // a short code or a name: nobody who gets our messages
      }
      if (stopWords.has(word)) {
        await addOptOuts(db, phone, clock.now());
      } else if (startWords.has(word)) {
        await removeOptOuts(db, phone);
      }
    },
  };
}

/** The text without what people put around a word. */
function wordOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\s.!"'«»]+/gu, "");
}
