import type { RoomSubject } from "../../src/contracts/rooms.ts";
import {
  findAgentByLogin,
  findGroup,
  findServiceForTickets,
  findUser,
  mayWorkForService,
} from "../../src/accounts/directory-store.ts";
import { findServiceRules } from "../../src/accounts/services/store.ts";
import { createSsoTokens } from "../../src/accounts/service.ts";
import { colleagueDirectory } from "../../src/compose/colleagues.ts";
import type { WebhookBody } from "../../src/contracts/events.ts";
import type { Role } from "../../src/contracts/permissions.ts";
import { createConversations } from "../../src/conversations/store.ts";
import { hasConsent } from "../../src/guests/store.ts";
import { createIdempotency } from "../../src/http/idempotency.ts";
import type { AnyRoute } from "../../src/http/route.ts";
import type { ApiRouterDeps } from "../../src/http/router.ts";
import { createInvitations } from "../../src/messages/invitations.ts";
import { createMessageQueue } from "../../src/messages/outgoing.ts";
import { createOutbox, type Outbox } from "../../src/pipeline/outbox/append.ts";
import { rowsOf, type Db, type Trx } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createTasks, type Tasks } from "../../src/platform/tasks/task.ts";
import { createRooms } from "../../src/rooms/service.ts";
import { sessionEventRoutes } from "../../src/session-events/routes.ts";
import { createSessionEvents } from "../../src/session-events/service.ts";
import { createCustomerActions } from "../../src/tickets/customer.ts";
import { ticketRequestRoutes, ticketRoutes } from "../../src/tickets/routes.ts";
import type { TicketDeps } from "../../src/tickets/model.ts";
import { createTicketRoom } from "../../src/tickets/room-subject.ts";
import { createTickets } from "../../src/tickets/service.ts";
import { createTicketTimers } from "../../src/tickets/timers.ts";
import { startApi, testBaseUrl, testCaller } from "./api.ts";
import { createTestClock } from "./clock.ts";
import { callWith, type TestAnswer, type TestCall, type TestUser } from "./ticket-calls.ts";
import { anEnterprise, aService, aUser } from "./factories.ts";
import { testBox } from "./secret-box.ts";

export { callWith, type TestAnswer, type TestCall, type TestUser } from "./ticket-calls.ts";

/** Invitations that are stored as rows only and never sent. */
function createTestInvitations({ outbox, tasks }: { outbox: Outbox; tasks: Tasks }) {
  const mailFrom = "Sightline <no-reply@sightline.example>";
  const queue = createMessageQueue({ ids: randomIds, outbox, tasks, mailFrom });
  return createInvitations({ queue, tasks, mailFrom, baseUrl: testBaseUrl });
}

/** These tests must not create conferences. */
const noSubject = new Proxy({} as RoomSubject<Trx>, {
  get: () => {
    throw new Error("There are no conferences here");
  },
});

/**
 * The ticket features on a test's database, wired as in production with rooms and messages, with a
 * stopped clock.
 */
export function createTicketFeatures(db: Db) {
  const clock = createTestClock();
  const sessionEvents = createSessionEvents({ db });
  const wake = (): void => undefined;
  const outbox = createOutbox({
    ids: randomIds,
    clock,
    wake,
    faultPoint: () => undefined,
    maxBytes: 262_144,
  });
  const tasks = createTasks({ clock, wake });
  const directory = {
    findAgentByLogin,
    findUser,
    findServiceForTickets,
    findServiceRules,
    findGroup,
    mayServe: mayWorkForService,
    ...colleagueDirectory,
  };
  const writer = { clock, timeline: sessionEvents, outbox };
  const invitations = createTestInvitations({ outbox, tasks });
  const room = createTicketRoom({ ...writer, directory });
  const rooms = createRooms({
    db,
    clock,
    ids: randomIds,
    tasks,
    outbox,
    maxParticipants: async () => 1_000,
    log: { error: wake },
    subjects: { ticket: room, conference: noSubject },
    hasConsent,
  });
  const deps: TicketDeps = {
    ...writer,
    db,
    ids: randomIds,
    directory,
    conversations: createConversations({ ids: randomIds }),
    ssoTokens: createSsoTokens({ ids: randomIds }),
    invitations,
    tasks,
    endRoom: rooms.endRoom,
    wakeRoom: wake,
    baseUrl: testBaseUrl,
  };
  const tickets = createTickets(deps);
  const timers = createTicketTimers(deps);
  const ofGuests = createCustomerActions(writer);
  return {
    clock,
    sessionEvents,
    outbox,
    tasks,
    deps,
    room,
    rooms,
    invitations,
    tickets,
    timers,
    ofGuests,
  };
}

export type TicketFeatures = ReturnType<typeof createTicketFeatures>;

function ticketApiRoutes({ tickets, sessionEvents }: TicketFeatures) {
  return [
    ...ticketRoutes({ tickets, baseUrl: testBaseUrl }),
    ...ticketRequestRoutes({ tickets, baseUrl: testBaseUrl }),
    ...sessionEventRoutes({ sessionEvents, requireTicket: (scope, id) => tickets.get(scope, id) }),
  ];
}

/** A user with a role and groups. Their token is their login (see `serveTicketApi`). */
export async function aTestUser(
  db: Db,
  enterpriseId: number,
  role: Role,
  more: { groupIds?: number[]; isAgent?: boolean; person?: Record<string, string> } = {},
): Promise<TestUser> {
  const { groupIds = [], isAgent = role === "agent", person = {} } = more;
  const user = await aUser(db, {
    enterprise_id: enterpriseId,
    role,
    is_agent: isAgent,
    ...person,
  });
  for (const group of groupIds) {
    await db("group_members").insert({
      enterprise_id: enterpriseId,
      group_id: group,
      user_id: user.id,
    });
  }
  return { id: user.id, enterpriseId, login: user.login, role, groupIds };
}

export async function aGroup(db: Db, enterpriseId: number, name: string): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    "INSERT INTO groups (enterprise_id, name) VALUES (?, ?) RETURNING id",
    [enterpriseId, name],
  );
  return row?.id ?? 0;
}

/**
 * An enterprise that can have tickets: a service with its entry point, an agent, and an
 * administrator.
 */
export async function aTicketFixture(db: Db) {
  const { id: enterpriseId } = await anEnterprise(db);
  const service = await aService(db, { enterprise_id: enterpriseId });
  const [button] = await rowsOf<{ id: number }>(
    db,
    "INSERT INTO buttons (enterprise_id, service_id) VALUES (?, ?) RETURNING id",
    [enterpriseId, service.id],
  );
  const person = {
    email: "ada@agents.test",
    phone: "+33611111111",
    firstname: "Ada",
    lastname: "Agent",
  };
  const agent = await aTestUser(db, enterpriseId, "agent", { person });
  const admin = await aTestUser(db, enterpriseId, "admin");
  return { enterpriseId, service, buttonId: button?.id ?? 0, agent, admin, person };
}

export type TicketFixture = Awaited<ReturnType<typeof aTicketFixture>>;

/** All events of a ticket and of its timeline, in commit order. */
export async function eventsAbout(db: Db, ticketId: number): Promise<WebhookBody[]> {
  const rows = await rowsOf<{ body: string }>(
    db,
    "SELECT body FROM events WHERE key = ? ORDER BY id",
    [`ticket:${ticketId}`],
  );
  return rows.map(({ body }) => JSON.parse(body) as WebhookBody);
}

/** One word per event: `ticket create new`, `ticket.assigned`. */
export function inWords(bodies: readonly WebhookBody[]): string[] {
  return bodies.map(({ object, event, props }) =>
    object === "ticket" ? `ticket ${event} ${String(props["state"])}` : String(props["eventType"]),
  );
}

/** Puts a ticket into a state that cannot be reached through the API alone. */
export async function forceState(db: Db, ticketId: number, state: string): Promise<void> {
  await rowsOf(db, "UPDATE tickets SET state = ? WHERE id = ?", [state, ticketId]);
}

/** Accepts a user's login as the token. */
export function authenticateByLogin(db: Db): ApiRouterDeps["authenticate"] {
  return async (login) => {
    const [found] = await rowsOf<{ id: number; enterprise_id: number; role: Role }>(
      db,
      "SELECT id, enterprise_id, role FROM users WHERE login = ?",
      [login],
    );
    const user = found && (await findUser(db, found.enterprise_id, found.id));
    return (
      user && {
        hasSolution: true,
        caller: testCaller({
          userId: user.id,
          enterpriseId: found.enterprise_id,
          login,
          role: found.role,
          groupIds: user.groupIds,
        }),
      }
    );
  };
}

/** The ticket operations with the real router. A user's login is the token. */
export async function serveTicketApi(
  db: Db,
  features: TicketFeatures,
  more: readonly AnyRoute[] = [],
) {
  const server = await startApi({
    routes: [...ticketApiRoutes(features), ...more],
    authenticate: authenticateByLogin(db),
    idempotency: createIdempotency(db, testBox),
  });
  const call = (operation: string, input?: TestCall): Promise<TestAnswer> =>
    callWith(server.url, operation, input);
  return { call, close: () => server.close() };
}

export type TicketApi = Awaited<ReturnType<typeof serveTicketApi>>;

/** The ticket features of the surrounding `describe` over HTTP, on its database. */
export function useTicketApi(
  database: { readonly db: Db },
  more: (features: TicketFeatures) => readonly AnyRoute[] = () => [],
) {
  let api: TicketApi | undefined;
  let features: TicketFeatures | undefined;
  before("serve the ticket operations", async () => {
    features = createTicketFeatures(database.db);
    api = await serveTicketApi(database.db, features, more(features));
  });
  after("stop serving", async () => {
    await api?.close();
  });
  const get = <T>(value: T | undefined): T => {
    if (value === undefined) {
      throw new Error("The API exists inside tests and hooks only");
    }
    return value;
  };
  return {
    get call() {
      return get(api).call;
    },
    get features() {
      return get(features);
    },
  };
}
