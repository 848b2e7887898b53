/** The sessions of one ticket or conference, for whoever may read it. */
import type { Scope } from "../../contracts/permissions.ts";
import { pageHeaders, parsePage } from "../../http/paging.ts";
import { orderedPageSchema, type OrderedPageQuery } from "../../http/request-schema.ts";
import { ok, route, type ApiRequest, type Route } from "../../http/route.ts";
import { scopeOf } from "../../http/scope.ts";
import type { Db } from "../../platform/db/pool.ts";
import { presentConferenceSession, presentTicketSession } from "./present.ts";
import {
  conferenceParams,
  conferenceSessionsAnswer,
  ticketParams,
  ticketSessionsAnswer,
} from "./schema.ts";
import { listPeople, listSubjectSessions, type Subject } from "./subject-store.ts";

type Require = (scope: Scope, id: number) => Promise<unknown>;

export type SubjectRoutesDeps = Readonly<{
  db: Db;
  /** 404 where the enterprise has no such ticket, 403 where the caller does not reach it. */
  requireTicket: Require;
  /** The same for conferences. */
  requireConference: Require;
}>;

const common = {
  family: "solution",
  limit: "api",
  method: "GET",
  query: orderedPageSchema,
} as const;

export function subjectRoutes(deps: SubjectRoutesDeps): Route[] {
  return [ofTicketRoute(deps), ofConferenceRoute(deps)];
}

function ofTicketRoute({ db, requireTicket }: SubjectRoutesDeps): Route {
  return route<{ ticketId: number }, OrderedPageQuery>({
    ...common,
    path: "/tickets/{ticketId}/sessions",
    operationId: "api.v3.tickets.sessions",
    summary: "The sessions of a ticket, also one that goes on",
    permission: "tickets.read",
    params: ticketParams,
    answer: { status: 200, schema: ticketSessionsAnswer },
    handle: async (request) => {
      const { ticketId: id } = request.params;
      const ticket = { kind: "ticket", id, require: requireTicket } as const;
      const { total, sessions, headers } = await readPage(db, request, ticket);
      return ok({ total, data: sessions.map(presentTicketSession) }, headers);
    },
  });
}

function ofConferenceRoute({ db, requireConference }: SubjectRoutesDeps): Route {
  return route<{ conferenceId: number }, OrderedPageQuery>({
    ...common,
    path: "/conferences/{conferenceId}/sessions",
    operationId: "api.v3.conferences.sessions",
    summary: "The sessions of a conference with who was there, also one that goes on",
    permission: "conferences.read",
    params: conferenceParams,
    answer: { status: 200, schema: conferenceSessionsAnswer },
    handle: async (request) => {
      const { conferenceId: id } = request.params;
      const conference = { kind: "conference", id, require: requireConference } as const;
      const { total, sessions, headers } = await readPage(db, request, conference);
      const ids = sessions.map((session) => session.id);
      const people = await listPeople(db, request.caller.enterpriseId, ids);
      const data = sessions.map((one) => presentConferenceSession(one, people.get(one.id) ?? []));
      return ok({ total, data }, headers);
    },
  });
}

/** One page of the sessions of what the caller reaches, or what `require` throws. */
async function readPage(
  db: Db,
  request: ApiRequest<unknown, OrderedPageQuery>,
  { require, ...subject }: Omit<Subject, "enterpriseId"> & Readonly<{ require: Require }>,
) {
  const { query, url } = request;
  const page = parsePage(query, { defaultLimit: 10, maxLimit: 100 });
  const scope = scopeOf(request);
  await require(scope, subject.id);
  const { enterpriseId } = scope;
  const { order = "desc" } = query;
  const found = await listSubjectSessions(db, { enterpriseId, ...subject }, { ...page, order });
  return { ...found, headers: pageHeaders(url, page, found.total) };
}
