import {
  findAgentByLogin,
  findGroup,
  findServiceForTickets,
  findUser,
} from "../../src/accounts/directory-store.ts";
import { createSsoTokens } from "../../src/accounts/sso-tokens.ts";
import type { WebhookBody } from "../../src/contracts/events.ts";
import type { Role } from "../../src/contracts/permissions.ts";
import { createConversations } from "../../src/conversations/service.ts";
import { createIdempotency } from "../../src/http/idempotency.ts";
import type { ApiRouterDeps } from "../../src/http/router.ts";
import { createOutbox } from "../../src/pipeline/outbox/append.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { sessionEventRoutes } from "../../src/session-events/routes.ts";
import { createSessionEvents } from "../../src/session-events/service.ts";
import type { TicketDeps } from "../../src/tickets/ports.ts";
import { ticketRoutes } from "../../src/tickets/routes.ts";
import { createTickets } from "../../src/tickets/service.ts";
import { startApi, testBaseUrl, testCaller } from "./api.ts";
import { createTestClock } from "./clock.ts";
import { anEnterprise, aService, aUser } from "./factories.ts";
import { testBox } from "./secret-box.ts";

/** The ticket slices on a test's database, wired as in production, with a clock that stands still. */
export const createTicketSlices = (db: Db, changed: Partial<TicketDeps> = {}) => {
  const clock = createTestClock();
  const sessionEvents = createSessionEvents({ db });
  const outbox = createOutbox({
    ids: randomIds,
    clock,
    wake: () => undefined,
    faultPoint: () => undefined,
  });
  const tickets = createTickets({
    db,
    clock,
    ids: randomIds,
    directory: { findAgentByLogin, findUser, findServiceForTickets, findGroup },
    conversations: createConversations({ ids: randomIds }),
    timeline: sessionEvents,
    ssoTokens: createSsoTokens({ ids: randomIds }),
    outbox,
    ...changed,
  });
  return { clock, sessionEvents, outbox, tickets };
};

export type TicketSlices = ReturnType<typeof createTicketSlices>;

const ticketApiRoutes = ({ tickets, sessionEvents }: TicketSlices) => [
  ...ticketRoutes({ tickets, baseUrl: testBaseUrl }),
  ...sessionEventRoutes({ sessionEvents, requireTicket: (scope, id) => tickets.get(scope, id) }),
];

export type TestUser = Readonly<{
  id: number;
  enterpriseId: number;
  login: string;
  role: Role;
  groupIds: readonly number[];
}>;

/** A user with a role and groups. Its token, see `serveTicketApi`, is its login. */
export const aTestUser = async (
  db: Db,
  enterpriseId: number,
  role: Role,
  more: { groupIds?: number[]; isAgent?: boolean; person?: Record<string, string> } = {},
): Promise<TestUser> => {
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
};

export const aGroup = async (db: Db, enterpriseId: number, name: string): Promise<number> => {
  const [row] = await rowsOf<{ id: number }>(
    db,
    "INSERT INTO groups (enterprise_id, name) VALUES (?, ?) RETURNING id",
    [enterpriseId, name],
  );
  return row?.id ?? 0;
};

/** An enterprise that can have tickets: a service with its entry point, an agent, an administrator. */
export const aTicketWorld = async (db: Db) => {
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
};

export type TicketWorld = Awaited<ReturnType<typeof aTicketWorld>>;

/** Every event of a ticket and of its timeline, in the order in which they were committed. */
export const toldAbout = async (db: Db, ticketId: number): Promise<WebhookBody[]> => {
  const rows = await rowsOf<{ body: string }>(
    db,
    "SELECT body FROM events WHERE key = ? ORDER BY id",
    [`ticket:${ticketId}`],
  );
  return rows.map(({ body }) => JSON.parse(body) as WebhookBody);
};

/** One word per event: `ticket create new`, `ticket.assigned`. */
export const inWords = (bodies: readonly WebhookBody[]): string[] =>
  bodies.map(({ object, event, props }) =>
    object === "ticket" ? `ticket ${event} ${String(props["state"])}` : String(props["eventType"]),
  );

/** Puts a ticket into a state that the API alone does not lead to. */
export const forceState = async (db: Db, ticketId: number, state: string): Promise<void> => {
  await rowsOf(db, "UPDATE tickets SET state = ? WHERE id = ?", [state, ticketId]);
};

/** A token is the login of its user. */
const authenticateByLogin =
  (db: Db): ApiRouterDeps["authenticate"] =>
  async (login) => {
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

export type TestCall = {
  as?: TestUser;
  json?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
};

export type TestAnswer = {
  status: number;
  headers: Headers;
  text: string;
  // The tests look into answers of many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any -- a test compares, it does not rely
  body: any;
};

const requestOf = (call: TestCall): { headers: Record<string, string>; body?: string } => {
  const headers = {
    ...(call.as === undefined ? {} : { authorization: `Bearer ${call.as.login}` }),
    ...call.headers,
  };
  if (call.json !== undefined) {
    return {
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(call.json),
    };
  }
  if (call.form !== undefined) {
    return {
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams(call.form).toString(),
    };
  }
  return { headers };
};

/** The ticket operations behind the real router. A token is the login of the user. */
export const serveTicketApi = async (db: Db, slices: TicketSlices) => {
  const server = await startApi({
    routes: ticketApiRoutes(slices),
    authenticate: authenticateByLogin(db),
    idempotency: createIdempotency(db, testBox),
  });
  const call = async (operation: string, given: TestCall = {}): Promise<TestAnswer> => {
    const [method = "GET", path = ""] = operation.split(" ");
    const url = `${server.url}/api${path}`;
    const response = await fetch(url, { method, ...requestOf(given) });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, text, body: text === "" ? undefined : JSON.parse(text) };
  };
  return { call, close: () => server.close() };
};

export type TicketApi = Awaited<ReturnType<typeof serveTicketApi>>;

/** The ticket slices of the surrounding `describe`, behind HTTP, on its database. */
export const useTicketApi = (database: { readonly db: Db }, changed?: Partial<TicketDeps>) => {
  let api: TicketApi | undefined;
  let slices: TicketSlices | undefined;
  before("serve the ticket operations", async () => {
    slices = createTicketSlices(database.db, changed);
    api = await serveTicketApi(database.db, slices);
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
    get slices() {
      return get(slices);
    },
  };
};
