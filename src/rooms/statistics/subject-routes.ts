/** The sessions of one ticket or conference, for whoever may read it. */
import { pageHeaders, parsePage } from "../../http/paging.ts";
import { ok, route, type Route } from "../../http/route.ts";
import type { Db } from "../../platform/db/pool.ts";
import { presentConferenceSession, presentTicketSession } from "./present.ts";
import { scopeOf, type Scope } from "./reach.ts";
import {
  conferenceParams,
  conferenceSessionsAnswer,
  subjectSessionsQuery,
  ticketParams,
  ticketSessionsAnswer,
  type SubjectSessionsQuery,
} from "./schema.ts";
import { listPeople, listSubjectSessions } from "./subject-store.ts";

export type SubjectRoutesDeps = Readonly<{
  db: Db;
  /** 404 where the enterprise has no such ticket, 403 where the caller does not reach it. */
  requireTicket: (scope: Scope, ticketId: number) => Promise<unknown>;
  /** The same for conferences. */
  requireConference: (scope: Scope, conferenceId: number) => Promise<unknown>;
}>;

const common = { family: "solution", limit: "api", method: "GET" } as const;
const pageRule = { defaultLimit: 10, maxLimit: 100 };

const ofTicketRoute = ({ db, requireTicket }: SubjectRoutesDeps): Route =>
  route<{ ticketId: number }, SubjectSessionsQuery>({
    ...common,
    path: "/tickets/{ticketId}/sessions",
    operationId: "api.v3.tickets.sessions",
    summary: "The sessions of a ticket, also one that goes on",
    permission: "tickets.read",
    params: ticketParams,
    query: subjectSessionsQuery,
    answer: { status: 200, schema: ticketSessionsAnswer },
    handle: async (request) => {
      const { params, query, url } = request;
      const page = parsePage(query, pageRule);
      const scope = scopeOf(request);
      await requireTicket(scope, params.ticketId);
      const { order = "desc" } = query;
      const { enterpriseId } = scope;
      const ticket = { enterpriseId, kind: "ticket", id: params.ticketId } as const;
      const { total, sessions } = await listSubjectSessions(db, ticket, { ...page, order });
      const data = sessions.map(presentTicketSession);
      return ok({ total, data }, pageHeaders(url, page, total));
    },
  });

const ofConferenceRoute = ({ db, requireConference }: SubjectRoutesDeps): Route =>
  route<{ conferenceId: number }, SubjectSessionsQuery>({
    ...common,
    path: "/conferences/{conferenceId}/sessions",
    operationId: "api.v3.conferences.sessions",
    summary: "The sessions of a conference with who was there, also one that goes on",
    permission: "conferences.read",
    params: conferenceParams,
    query: subjectSessionsQuery,
    answer: { status: 200, schema: conferenceSessionsAnswer },
    handle: async (request) => {
      const { params, query, url } = request;
      const page = parsePage(query, pageRule);
      const scope = scopeOf(request);
      await requireConference(scope, params.conferenceId);
      const { order = "desc" } = query;
      const { enterpriseId } = scope;
      const conference = { enterpriseId, kind: "conference", id: params.conferenceId } as const;
      const { total, sessions } = await listSubjectSessions(db, conference, { ...page, order });
      const ids = sessions.map(({ id }) => id);
      const people = await listPeople(db, enterpriseId, ids);
      const data = sessions.map((one) => presentConferenceSession(one, people.get(one.id) ?? []));
      return ok({ total, data }, pageHeaders(url, page, total));
    },
  });

export const subjectRoutes = (deps: SubjectRoutesDeps): Route[] => [
  ofTicketRoute(deps),
  ofConferenceRoute(deps),
];
