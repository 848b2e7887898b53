import { ticketReachSql } from "../../src/access/reach.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { sessionEventCodes, type SessionEventType } from "../../src/contracts/session-events.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import type { Caller } from "../../src/http/route.ts";
import { statisticsRoutes, sessionStatisticsRoutes } from "../../src/statistics/routes.ts";
import { createStatistics, createSessionStatistics } from "../../src/statistics/service.ts";
import { only, startApi, testCaller, type TestApi } from "./api.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { anEnterprise, aService } from "./factories.ts";

type Columns = Record<string, unknown>;

export type StatisticsTicket = { id: number; conversationId: number };

export type StatisticsCall = Readonly<{
  caller?: Partial<Caller>;
  enterpriseId?: number;
  path?: string;
  signal?: AbortSignal;
  /** Replaces the database of the test. */
  db?: Db;
}>;

export type StatisticsFixture = {
  readonly enterpriseId: number;
  readonly serviceId: number;
  readonly clock: TestClock;
  /** The response of `GET /enterprises/{id}/tickets-stats`, or of another path below it. */
  get(query?: string, more?: StatisticsCall): Promise<Response>;
  /** A ticket as written by its feature. */
  aTicket(columns?: Columns): Promise<StatisticsTicket>;
  aSession(ticket: StatisticsTicket, columns: Columns): Promise<void>;
  anInvitation(ticket: StatisticsTicket, channel: "email" | "sms", status?: string): Promise<void>;
  aFile(ticket: StatisticsTicket, mimeType: string, columns?: Columns): Promise<void>;
  anEntry(ticket: StatisticsTicket, eventType: SessionEventType): Promise<void>;
};

/** A new enterprise for each test, and the route over real HTTP. */
export function useStatistics(database: TestDatabase): StatisticsFixture {
  const clock = createTestClock();
  let ids = { enterpriseId: 0, serviceId: 0, buttonId: 0 };
  const apis: TestApi[] = [];
  const insert = async (table: string, row: Columns): Promise<number> => {
    const [inserted] = await database.db(table).insert(row).returning("id");
    return (inserted as { id: number }).id;
  };
  beforeEach("make an enterprise", async () => {
    clock.set(new Date("2026-11-20T10:00:00.000Z"));
    const { id: enterpriseId } = await anEnterprise(database.db);
    const service = await aService(database.db, { enterprise_id: enterpriseId, name: "Dépannage" });
    const buttonId = await insert("buttons", {
      enterprise_id: enterpriseId,
      service_id: service.id,
      name: "Main",
    });
    ids = { enterpriseId, serviceId: service.id, buttonId };
  });
  afterEach("close the servers", async () => {
    await Promise.all(apis.splice(0).map((api) => api.close()));
  });
  const owner = ({ id }: StatisticsTicket) => ({ enterprise_id: ids.enterpriseId, ticket_id: id });

  return {
    clock,
    get enterpriseId() {
      return ids.enterpriseId;
    },
    get serviceId() {
      return ids.serviceId;
    },
    get: async (query = "", { caller = {}, path = "tickets-stats", signal, ...more } = {}) => {
      const enterpriseId = more.enterpriseId ?? ids.enterpriseId;
      const { db = database.db } = more;
      const api = await startApi({
        routes: [
          ...statisticsRoutes({
            statistics: createStatistics({ db, clock, ticketReach: ticketReachSql }),
          }),
          ...sessionStatisticsRoutes({ sessions: createSessionStatistics({ db, clock }) }),
        ],
        authenticate: only(testCaller({ enterpriseId: ids.enterpriseId, ...caller })),
      });
      apis.push(api);
      return fetch(`${api.url}/api/enterprises/${enterpriseId}/${path}${query}`, {
        headers: { authorization: "Bearer good" },
        ...(signal === undefined ? {} : { signal }),
      });
    },
    aTicket: async (columns = {}) => {
      const conversationId = await insert("conversations", {
        uid: randomUUID(),
        enterprise_id: ids.enterpriseId,
      });
      const id = await insert("tickets", {
        enterprise_id: ids.enterpriseId,
        service_id: ids.serviceId,
        button_id: ids.buttonId,
        conversation_id: conversationId,
        state: "new",
        requestor_email: "jane@example.com",
        requestor_secret: randomBytes(12).toString("hex"),
        information_code: randomBytes(12).toString("hex"),
        start_time: clock.now(),
        end_time: new Date(clock.now().getTime() + 3_600_000),
        created_at: clock.now(),
        ...columns,
      });
      return { id, conversationId };
    },
    aSession: async ({ conversationId }, columns) => {
      await insert("sessions", {
        id: randomUUID(),
        enterprise_id: ids.enterpriseId,
        conversation_id: conversationId,
        ...columns,
      });
    },
    anInvitation: async (ticket, channel, status = "sent") => {
      const message = await insert("messages", {
        ...owner(ticket),
        channel,
        uid: randomUUID(),
        recipient: channel === "sms" ? "+33612345678" : "jane@example.com",
        text: "Come",
        status,
      });
      await insert("invitations", { ...owner(ticket), message_id: message, channel });
    },
    aFile: async (ticket, mimeType, columns = {}) => {
      await insert("media", {
        ...owner(ticket),
        hash: randomUUID(),
        conversation_id: ticket.conversationId,
        state: "completed",
        source_type: "ticket_share",
        title: "File",
        filename: "file",
        mime_type: mimeType,
        ...columns,
      });
    },
    anEntry: async (ticket, eventType) => {
      await insert("session_events", {
        ...owner(ticket),
        conversation_id: ticket.conversationId,
        event_type: eventType,
        event_code: sessionEventCodes[eventType],
        source: "system",
        attributes: "{}",
      });
    },
  };
}
