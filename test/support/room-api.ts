import { createAudit } from "../../src/audit/audit-log.ts";
import { findUser } from "../../src/accounts/directory-store.ts";
import type { Guest } from "../../src/http/route.ts";
import { createChatMessages } from "../../src/conversations/messages.ts";
import { guestMessageRoutes, conversationRoutes } from "../../src/conversations/routes.ts";
import { problem } from "../../src/contracts/problems.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { liveRoomRoutes } from "../../src/rooms/live/routes.ts";
import { sessionRoutes } from "../../src/rooms/statistics/routes.ts";
import { findLatestSession } from "../../src/rooms/store.ts";
import { presentSessionEvent } from "../../src/session-events/routes.ts";
import { createSessionEvents } from "../../src/session-events/service.ts";
import { isServiceKnown } from "../../src/statistics/session-summary-store.ts";
import { startApi, testRoomTokens } from "./api.ts";
import { createTestClock } from "./clock.ts";
import { authenticateByLogin, callWith, type TestCall } from "./tickets.ts";

/** Grants access to every object of the enterprise; other tests cover narrower reach. */
function requireIn(db: Db, table: "tickets" | "conferences") {
  return async (scope: { enterpriseId: number; reach: string }, id: number): Promise<void> => {
    const found = await rowsOf(db, `SELECT 1 FROM ${table} WHERE enterprise_id = ? AND id = ?`, [
      scope.enterpriseId,
      id,
    ]);
    if (found.length === 0) {
      throw problem("not_found", `There is no ${id} in ${table}.`);
    }
  };
}

/** The operations of rooms and conversations, with the real router. */
async function serve(db: Db) {
  const clock = createTestClock();
  const ticketsWithInput: number[] = [];
  const sessionEvents = createSessionEvents({ db });
  const messages = createChatMessages({
    db,
    clock,
    findLatestSession,
    recordCustomerInput: async (_trx, { ticketId }) => void ticketsWithInput.push(ticketId),
    findUser,
    notifyWritten: () => undefined,
  });
  const server = await startApi({
    routes: [
      ...sessionRoutes({
        ...{ db, clock, requireTicket: requireIn(db, "tickets") },
        requireConference: requireIn(db, "conferences"),
        isServiceKnown: (enterpriseId, key) => isServiceKnown(db, enterpriseId, key),
      }),
      ...liveRoomRoutes({
        ...{ db, clock, audit: createAudit(), roomTokens: testRoomTokens },
        hasLivekit: true,
      }),
      ...conversationRoutes({
        db,
        messages,
        listTicketEvents: async (owner, page) => {
          const all = {
            eventTypes: undefined,
            sources: undefined,
            since: undefined,
            until: undefined,
          };
          const { total, events } = await sessionEvents.list(owner, all, page);
          return { total, events: events.map(presentSessionEvent) };
        },
      }),
      ...guestMessageRoutes({ messages }),
    ],
    authenticate: authenticateByLogin(db),
  });
  return { server, clock, ticketsWithInput, sessionEvents };
}

/** Serves the operations of rooms and conversations in the surrounding `describe`. */
export function useRoomApi(database: { readonly db: Db }) {
  let served: Awaited<ReturnType<typeof serve>> | undefined;
  before("serve rooms and conversations", async () => {
    served = await serve(database.db);
  });
  after("stop serving", async () => {
    await served?.server.close();
  });
  const get = () => {
    if (served === undefined) {
      throw new Error("The API exists inside tests and hooks only");
    }
    return served;
  };
  return {
    get clock() {
      return get().clock;
    },
    /** Tickets whose customer wrote outside a session. */
    get ticketsWithInput() {
      return get().ticketsWithInput;
    },
    get sessionEvents() {
      return get().sessionEvents;
    },
    call: (operation: string, input?: TestCall) => callWith(get().server.url, operation, input),
    callAs: async (guest: Guest, operation: string, json?: unknown) => {
      const token = await testRoomTokens.issue(guest, new Date(Date.now() + 3_600_000));
      const headers = { authorization: `Bearer ${token}` };
      return callWith(get().server.url, operation, {
        headers,
        ...(json === undefined ? {} : { json }),
      });
    },
  };
}
