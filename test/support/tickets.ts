import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import express from "express";
import { createSsoTokens } from "../../src/accounts/sso-tokens.ts";
import type { WebhookBody } from "../../src/contracts/events.ts";
import type { Role } from "../../src/contracts/permissions.ts";
import { createConversations } from "../../src/conversations/service.ts";
import type { Authenticated } from "../../src/http/authorize.ts";
import { createIdempotency } from "../../src/http/idempotency.ts";
import { createApiRouter } from "../../src/http/router.ts";
import { createOutbox } from "../../src/pipeline/outbox/append.ts";
import { rowsOf, type Db, type Queryable } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { sessionEventRoutes } from "../../src/session-events/routes.ts";
import { createSessionEvents } from "../../src/session-events/service.ts";
import type { Directory, DirectoryUser, TicketDeps } from "../../src/tickets/ports.ts";
import { ticketRoutes } from "../../src/tickets/routes.ts";
import { createTickets } from "../../src/tickets/service.ts";
import { createTestClock } from "./clock.ts";
import { anEnterprise, aService, aUser } from "./factories.ts";

type UserColumns = {
  id: number;
  login: string;
  is_agent: boolean;
  group_ids: number[];
  email: string;
  phone: string;
  firstname: string;
  lastname: string;
};

const selectUser = async (
  db: Queryable,
  condition: string,
  bindings: unknown[],
): Promise<DirectoryUser | undefined> => {
  const [row] = await rowsOf<UserColumns>(
    db,
    `SELECT u.*, ARRAY(SELECT m.group_id::int FROM group_members m WHERE m.user_id = u.id)
      AS group_ids FROM users u WHERE u.is_active AND ${condition}`,
    bindings,
  );
  if (row === undefined) {
    return undefined;
  }
  const { id, login, is_agent: isAgent, group_ids: groupIds } = row;
  const { email, phone, firstname, lastname } = row;
  return { id, login, isAgent, groupIds, person: { email, phone, firstname, lastname } };
};

/** The look-ups that tickets need, straight from the tables. */
export const testDirectory: Directory = {
  findAgentByLogin: (db, enterpriseId, login) =>
    selectUser(db, "u.is_agent AND u.enterprise_id = ? AND lower(u.login) = lower(?)", [
      enterpriseId,
      login,
    ]),
  findUser: (db, enterpriseId, userId) =>
    selectUser(db, "u.enterprise_id = ? AND u.id = ?", [enterpriseId, userId]),
  findServiceForTickets: async (db, enterpriseId, serviceKey) => {
    const [row] = await rowsOf<{
      id: number;
      service_key: string;
      button_id: number;
      ticket_types: string[];
    }>(
      db,
      `SELECT s.*, (SELECT min(b.id) FROM buttons b WHERE b.service_id = s.id) AS button_id
        FROM services s WHERE s.enterprise_id = ? AND s.kind = 'ticket' AND s.is_active
          AND s.service_key = coalesce(?, s.service_key) ORDER BY s.id LIMIT 1`,
      [enterpriseId, serviceKey ?? null],
    );
    return (
      row && {
        id: row.id,
        serviceKey: row.service_key,
        buttonId: row.button_id,
        ticketTypes: row.ticket_types,
      }
    );
  },
  findGroup: async (db, enterpriseId, nameOrId) => {
    const [row] = await rowsOf<{ id: number }>(
      db,
      "SELECT id FROM groups WHERE enterprise_id = ? AND (name = ? OR id::text = ?)",
      [enterpriseId, nameOrId, nameOrId],
    );
    return row;
  },
};

/** The ticket slices on a test's database, wired as in production, with a clock that stands still. */
export const createTicketSlices = (db: Db, changed: Partial<TicketDeps> = {}) => {
  const clock = createTestClock();
  const sessionEvents = createSessionEvents({ db });
  const outbox = createOutbox({ ids: randomIds, clock, wake: () => undefined });
  const tickets = createTickets({
    db,
    clock,
    ids: randomIds,
    directory: testDirectory,
    conversations: createConversations({ ids: randomIds }),
    timeline: sessionEvents,
    ssoTokens: createSsoTokens({ ids: randomIds }),
    outbox,
    ...changed,
  });
  return { clock, sessionEvents, outbox, tickets };
};

export const testBaseUrl = "https://sightline.test";

export const ticketApiRoutes = ({
  tickets,
  sessionEvents,
}: ReturnType<typeof createTicketSlices>) => [
  ...ticketRoutes({ tickets, baseUrl: testBaseUrl }),
  ...sessionEventRoutes({ sessionEvents, requireTicket: tickets.get }),
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

const authenticateByLogin =
  (db: Db) =>
  async (login: string): Promise<Authenticated | undefined> => {
    const [row] = await rowsOf<UserColumns & { enterprise_id: number; role: Role }>(
      db,
      `SELECT u.*, ARRAY(SELECT m.group_id::int FROM group_members m WHERE m.user_id = u.id)
        AS group_ids FROM users u WHERE u.login = ?`,
      [login],
    );
    return (
      row && {
        hasSolution: true,
        caller: {
          userId: row.id,
          enterpriseId: row.enterprise_id,
          login: row.login,
          role: row.role,
          accountType: "solution",
          groupIds: row.group_ids,
          token: login,
        },
      }
    );
  };

const unlimited = {
  take: async () => ({
    isAllowed: true,
    limit: 1_000,
    remaining: 1_000,
    resetSeconds: 60,
    resetMs: 60_000,
  }),
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
export const serveTicketApi = async (db: Db, slices: ReturnType<typeof createTicketSlices>) => {
  const app = express();
  app.use(
    createApiRouter({
      routes: ticketApiRoutes(slices),
      authenticate: authenticateByLogin(db),
      limits: { api: unlimited, events: unlimited } as never,
      idempotency: createIdempotency(db),
      baseUrl: testBaseUrl,
      log: createLogger("silent", "test"),
    }),
  );
  const server: Server = createServer(app);
  await promisify(server.listen.bind(server, 0, "127.0.0.1"))();
  const { port } = server.address() as AddressInfo;
  const call = async (operation: string, given: TestCall = {}): Promise<TestAnswer> => {
    const [method = "GET", path = ""] = operation.split(" ");
    const url = `http://127.0.0.1:${port}/api${path}`;
    const response = await fetch(url, { method, ...requestOf(given) });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, text, body: text === "" ? undefined : JSON.parse(text) };
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await promisify(server.close.bind(server))();
  };
  return { call, close };
};

export type TicketApi = Awaited<ReturnType<typeof serveTicketApi>>;

/** The ticket slices of the surrounding `describe`, behind HTTP, on its database. */
export const useTicketApi = (database: { readonly db: Db }, changed?: Partial<TicketDeps>) => {
  let api: TicketApi | undefined;
  let slices: ReturnType<typeof createTicketSlices> | undefined;
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
