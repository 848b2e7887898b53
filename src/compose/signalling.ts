/** Composition of signalling: sockets on the web server. */
import { createHash } from "node:crypto";
import { findUser } from "../accounts/directory-store.ts";
import { findValidTokens } from "../accounts/credentials.ts";
import { problem } from "../contracts/problems.ts";
import type { SsoGrant } from "../contracts/tickets.ts";
import { createChatMessages, type ChatMessages } from "../conversations/messages.ts";
import type { HttpServer } from "../http/http-server.ts";
import { AlreadyAnswered, createIdempotency } from "../http/idempotency.ts";
import { created, type Answer } from "../http/route.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { InviteCustomer, SignallingDeps, SignallingTimes } from "../signalling/ports.ts";
import { createMediaRouter } from "../signalling/room/media-route.ts";
import { createSfu } from "../signalling/room/sfu.ts";
import { startSignalling } from "../signalling/server.ts";
import type { Platform } from "./platform.ts";
import { composeFeatures, type Features } from "./features.ts";

const times: SignallingTimes = {
  heartbeatMs: 5_000,
  goneMs: 20_000,
  tokensMs: 15_000,
  helloMs: 30_000,
  admissionMs: 10_000,
};

/**
 * Serves sockets until the stop, which must precede the stop of the web server: register that
 * first. `intervals`: shorter ones for tests.
 */
export function serveSignalling(
  platform: Platform,
  { server }: HttpServer,
  intervals: SignallingTimes = times,
): void {
  const { db, log, clock, lifecycle, listener, notifier, baseUrl, config } = platform;
  const publish = (topic: string): void => notifier.wake("signalling", topic);
  const features = composeFeatures(platform);
  const { accounts, embedding, limits, roomTokens } = features;
  const signalling = startSignalling(
    {
      ...features,
      log,
      metrics: composeMetrics(platform),
      times: intervals,
      baseUrl,
      trustProxy: config.trustProxy,
      failures: limits.badSocket,
      isTokenOf: accounts.isTokenOf,
      findValidTokens: (tokens) => findValidTokens(db, tokens),
      issueRoomToken: roomTokens.issue,
      isAllowedOrigin: embedding.isAllowedOrigin,
      issueSsoToken: (grant) => issueSsoToken(features, grant),
      ice: config.ice,
      media: createMediaRouter({
        ...{ db, log, clock, publish },
        sfu: config.livekit && createSfu(config.livekit),
        goneMs: intervals.goneMs,
      }),
      ...composeLocks(features),
      chats: composeChats(platform, features),
      inviteCustomer: composeInvite(platform, features),
      publish,
    },
    server,
  );
  listener.on("signalling", signalling.wake);
  lifecycle.onStop("signalling", signalling.close, "work");
}

/** Tickets have no lock. */
function composeLocks({
  conferences,
}: Features): Pick<SignallingDeps, "isRoomLocked" | "setRoomLock"> {
  return {
    isRoomLocked: async ({ enterpriseId, conferenceId }) =>
      conferenceId !== null && conferences.isLocked({ enterpriseId, id: conferenceId }),
    setRoomLock: async ({ enterpriseId, conferenceId }, isLocked) => {
      if (conferenceId !== null) {
        await conferences.setLock({ enterpriseId, id: conferenceId }, isLocked);
      }
    },
  };
}

function composeMetrics({ metrics }: Platform): SignallingDeps["metrics"] {
  return {
    connected: (namespace, count) => metrics.signallingConnections.inc({ namespace }, count),
    refused: (namespace, reason) => metrics.signallingRefusals.inc({ namespace, reason }),
    message: (namespace, type, outcome) =>
      metrics.signallingMessages.inc({ namespace, type, outcome }),
  };
}

/** A ticket that has been closed by then gets no token: closing revokes those that exist. */
async function issueSsoToken(
  { ticketGuests, ticketDeps: { clock, ssoTokens }, db }: Features,
  grant: SsoGrant,
): Promise<string> {
  return inTransaction(db, async (trx) => {
    const ticket = await ticketGuests.lock(trx, grant);
    if (ticket === undefined || ticketGuests.isOver(ticket, clock.now())) {
      throw problem("conflict", `Ticket ${grant.ticketId} is closed.`);
    }
    return ssoTokens.issueSsoToken(trx, grant);
  });
}

/** Messages of conversations, with notifications to every process that has sockets. */
export function composeChats({ notifier }: Platform, features: Features): ChatMessages {
  return createChatMessages({
    ...features,
    findUser,
    findLatestSession: features.rooms.findLatestSession,
    recordCustomerInput: features.ticketGuests.recordCustomerInput,
    notifyWritten: ({ enterpriseId, messageId }) =>
      notifier.wake("signalling", `chat:${enterpriseId}:${messageId}`),
  });
}

/** Like `POST /tickets` with `invite`, idempotent by the key of the page. */
function composeInvite({ db, box }: Platform, { tickets }: Features): InviteCustomer {
  return async ({ scope, login, clientId, phone, email, reference }) => {
    const idempotency = createIdempotency(db, box);
    const input = { phone: phone ?? "", email: email ?? "", reference: reference ?? "" };
    const reservation = idempotency.reservation({
      caller: scope,
      key: `loader:${clientId}`,
      requestHash: createHash("sha256").update(JSON.stringify(input)).digest(),
    });
    try {
      return await tickets.create({
        scope,
        body: { agent: login, invite: 1, ...input },
        before: (trx) => reservation.begin(trx),
        after: async (trx, result) => {
          const { id } = result.ticket;
          await reservation.finish(trx, created({ id }, `/api/tickets/${id}`));
          return id;
        },
      });
    } catch (thrown) {
      if (thrown instanceof AlreadyAnswered) {
        return idOf(thrown.answer);
      }
      throw thrown;
    }
  };
}

function idOf({ body }: Answer): number {
  return Number((body as { id?: unknown }).id);
}
