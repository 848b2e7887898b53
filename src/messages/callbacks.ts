/**
 * In: a signed callback of an SMS provider. Out: the new status of the message and one event for
 * it, or an opt-out.
 * Guarantee: status and event change in one transaction under the row lock; duplicate, late or
 * concurrent reports have no effect.
 * On crash: before the commit nothing happened, and the provider calls again.
 */
import { problem } from "../contracts/problems.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { Clock } from "../platform/clock.ts";
import { parsePhone } from "../platform/contact.ts";
import type { Db } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { Logger } from "../platform/logger.ts";
import type { HashPhone } from "../platform/phone-hash.ts";
import { smsEvents, isProgress, optedOut } from "./model.ts";
import type { CallbackRequest, Callbacks } from "./providers/provider.ts";
import type { Providers } from "./providers/providers.ts";
import { addOptOut, addOptOuts, removeOptOuts } from "./rules-store.ts";
import { lockReportedMessage, updateMessage } from "./store.ts";
import { noContent, publicRoute, type PublicRequest, type PublicRoute } from "../http/route.ts";

export type CallbackDeps = Readonly<{
  db: Db;
  clock: Clock;
  outbox: Outbox;
  providers: Pick<Providers, "named">;
  hashPhone: HashPhone;
  log: Pick<Logger, "info">;
}>;

export type ProviderCallbacks = {
  /** A delivery report. 404 for unknown messages. */
  handleStatus(provider: string, request: CallbackRequest): Promise<void>;
  /** An SMS from a customer. Handles STOP and START and ignores anything else. */
  handleIncoming(provider: string, request: CallbackRequest): Promise<void>;
};

export type CallbackRoutesDeps = Readonly<{
  providerCalls: ProviderCallbacks;
  /** Public address without a trailing slash: the signed URLs start with it. */
  baseUrl: string;
}>;

type CallbackParams = { provider: string };

type CallbackQuery = { id?: string };

const callbackParams = {
  type: "object",
  required: ["provider"],
  properties: { provider: { type: "string", enum: ["http", "twilio"] } },
};

const stopWords = new Set(["stop", "stopall", "unsubscribe", "arret", "arrêt", "baja", "stopp"]);

const startWords = new Set(["start", "unstop"]);

export function createProviderCallbacks(deps: CallbackDeps): ProviderCallbacks {
  const { db, clock, outbox, providers, hashPhone, log } = deps;

  const callbacksOf = (provider: string): Callbacks => {
    const callbacks = providers.named(provider)?.callbacks;
    if (callbacks === undefined) {
      throw problem("not_found", "The provider was not found.");
    }
    return callbacks;
  };

  return {
    handleStatus: async (provider, request) => {
      const report = callbacksOf(provider).parseStatus(request);
      await inTransaction(db, async (trx) => {
        const message = await lockReportedMessage(trx, { ...report, provider });
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
          // Here too: after a callback that comes before the response, nothing else is stored.
          isTextCleared: message.isPrivate,
          at,
        });
        if (error === optedOut) {
          await addOptOut(trx, { enterpriseId, phone: message.recipient, at });
        }
        await outbox.append(trx, smsEvents("update", [message]));
        log.info({ enterpriseId, messageId: id, status, error }, "message.reported");
      });
    },
    handleIncoming: async (provider, request) => {
      const { from, text } = callbacksOf(provider).parseIncoming(request);
      const phone = parsePhone(from);
      const word = wordOf(text);
      if (phone === undefined) {
        return; // a short code or an alphanumeric sender: never one of our recipients
      }
      if (stopWords.has(word)) {
        await addOptOuts(db, { phone, phoneHash: hashPhone(phone), at: clock.now() });
      } else if (startWords.has(word)) {
        await removeOptOuts(db, phone);
      }
    },
  };
}

/** The text in lower case, without whitespace and punctuation around a keyword. */
function wordOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\s.!"'«»]+/gu, "");
}

/** The `uid` of the message, which we add to the callback URL. */
const callbackQuery = { type: "object", properties: { id: { type: "string", format: "uuid" } } };

/** Forms and JSON bodies of providers are small. */
const callbackRoute = {
  method: "POST",
  params: callbackParams,
  transport: "bytes",
  accepts: ["application/json", "application/x-www-form-urlencoded"],
  maxBodyBytes: 16 * 1024,
  limit: "callback",
  answer: { status: 204 },
  problems: ["forbidden"],
} as const;

/** Callbacks of SMS providers. Authenticated by a signature instead of a token. */
export function callbackRoutes({
  providerCalls: callbacks,
  baseUrl,
}: CallbackRoutesDeps): PublicRoute[] {
  return [
    publicRoute<unknown, CallbackParams, CallbackQuery>({
      ...callbackRoute,
      path: "/sms/status/{provider}",
      operationId: "api.sms.status",
      summary: "Handle a delivery status from the SMS provider",
      query: callbackQuery,
      handle: async (request) => {
        await callbacks.handleStatus(request.params.provider, toCallback(request, baseUrl));
        return noContent;
      },
    }),
    publicRoute<unknown, CallbackParams, CallbackQuery>({
      ...callbackRoute,
      path: "/sms/incoming/{provider}",
      operationId: "api.sms.incoming",
      summary: "Handle an SMS that the provider received: STOP and START",
      handle: async (request) => {
        await callbacks.handleIncoming(request.params.provider, toCallback(request, baseUrl));
        return noContent;
      },
    }),
  ];
}

function toCallback(
  {
    url,
    query: { id },
    bytes = Buffer.alloc(0),
    header,
  }: PublicRequest<unknown, CallbackParams, CallbackQuery>,
  baseUrl: string,
): CallbackRequest {
  return { url: baseUrl + url, query: { id }, body: bytes, header };
}
