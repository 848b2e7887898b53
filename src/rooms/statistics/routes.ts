import { invalidParameter, missingParameter, problem } from "../../contracts/problems.ts";
import { printable } from "../../http/input.ts";
import { knownTotal, pageHeaders, parsePage } from "../../http/paging.ts";
import { ok, route, type Caller, type Route, type ApiRequest } from "../../http/route.ts";
import { scopeOf } from "../../http/authorize.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import {
  parseSessionPeriod,
  sessionAnswer,
  sessionListAnswer,
  sessionListQuery,
  sessionPage,
  sessionParams,
  type SessionListQuery,
  conferenceParams,
  conferenceSessionsAnswer,
  ticketParams,
  ticketSessionsAnswer,
} from "./schema.ts";
import {
  presentSession,
  presentStatistic,
  presentConferenceSession,
  presentTicketSession,
} from "./present.ts";
import { countStatistics, findStatistic, listStatistics, listParticipations } from "./store.ts";
import { isAdministratorRole, type Scope } from "../../contracts/permissions.ts";
import { orderedPageSchema, type OrderedPageQuery } from "../../http/schema.ts";
import {
  listSessionParticipants,
  listSubjectSessions,
  type SessionSubject,
} from "./subject-store.ts";

type IsServiceKnown = (enterpriseId: number, serviceKey: string) => Promise<boolean>;

export type SessionStatisticsRoutesDeps = Readonly<{
  db: Db;
  clock: Clock;
  isServiceKnown: IsServiceKnown;
}> &
  SubjectRoutesDeps;

const common = { family: "platform", limit: "api" } as const;

/** Access check for a ticket or conference. */
type RequireAccess = (scope: Scope, id: number) => Promise<unknown>;

export type SubjectRoutesDeps = Readonly<{
  db: Db;
  /** Throws 404 if the enterprise has no such ticket, 403 if it is out of the caller's scope. */
  requireTicket: RequireAccess;
  /** As `requireTicket`, for conferences. */
  requireConference: RequireAccess;
}>;

const subjectRouteDefaults = {
  family: "solution",
  limit: "api",
  method: "GET",
  query: orderedPageSchema,
} as const;

export function sessionRoutes(deps: SessionStatisticsRoutesDeps): Route[] {
  return [listRoute(deps), getRoute(deps), ...subjectRoutes(deps)];
}

function listRoute({ db, clock, isServiceKnown }: SessionStatisticsRoutesDeps): Route {
  return route<unknown, SessionListQuery>({
    ...common,
    method: "GET",
    path: "/sessions",
    operationId: "api.v3.sessions.list",
    summary: "Read statistics of the sessions that ended in a period",
    permission: "stats.read",
    query: sessionListQuery,
    answer: { status: 200, schema: sessionListAnswer },
    handle: async (request) => {
      const { query, caller, url } = request;
      const page = parsePage(query, sessionPage);
      const period = parseSessionPeriod(query, clock.now());
      const serviceKey = await serviceKeyOf(isServiceKnown, caller, query);
      const scope = scopeOf(request);
      const kind = query.type ?? "conference";
      const filter = { ...period, kind, serviceKey, endedBy: endedBy(clock) };
      const { orderby = "date", order = "desc" } = query;
      const found = await listStatistics(db, scope, filter, { ...page, orderby, order });
      const known = knownTotal(page, found.length);
      const total = known ?? (await countStatistics(db, scope, filter));
      const { since, until } = period;
      return ok(
        {
          total,
          since: toTimestamp(since),
          until: toTimestamp(until),
          data: found.map(presentStatistic),
        },
        pageHeaders(url, page, total),
      );
    },
  });
}

/** Only administrators may omit the service filter. */
async function serviceKeyOf(
  isServiceKnown: IsServiceKnown,
  caller: Caller,
  { service_key: serviceKey }: SessionListQuery,
): Promise<string | undefined> {
  if (serviceKey === undefined || serviceKey === "") {
    if (isAdministratorRole(caller.role)) {
      return undefined;
    }
    throw missingParameter(
      "service_key",
      "The service_key field is required: only administrators may list all services.",
    );
  }
  if (!(await isServiceKnown(caller.enterpriseId, serviceKey))) {
    throw invalidParameter(
      "service_key",
      "unknown",
      `There is no service with the key ${printable(serviceKey)}.`,
    );
  }
  return serviceKey;
}

function getRoute({ db, clock }: SessionStatisticsRoutesDeps): Route {
  return route<{ sessionId: string }>({
    ...common,
    method: "GET",
    path: "/sessions/{sessionId}",
    operationId: "api.v3.sessions.get",
    summary: "Read an ended session with its participants",
    permission: "stats.read",
    params: sessionParams,
    answer: { status: 200, schema: sessionAnswer },
    handle: async (request) => {
      const { sessionId: id } = request.params;
      const scope = scopeOf(request);
      const found = await findStatistic(db, scope, { id, endedBy: endedBy(clock) });
      if (found === undefined) {
        throw problem("not_found", `Session ${id} was not found.`);
      }
      if (!found.isInReach) {
        throw problem("forbidden", `Session ${id} belongs to another user.`);
      }
      return ok(
        presentSession(found.statistic, await listParticipations(db, scope.enterpriseId, id)),
      );
    },
  });
}

/** A session appears in the statistics after this delay. */
const statisticsDelayMs = 300_000;

function endedBy(clock: Clock): Date {
  return new Date(clock.now().getTime() - statisticsDelayMs);
}

function subjectRoutes(deps: SubjectRoutesDeps): Route[] {
  return [ofTicketRoute(deps), ofConferenceRoute(deps)];
}

function ofTicketRoute({ db, requireTicket }: SubjectRoutesDeps): Route {
  return route<{ ticketId: number }, OrderedPageQuery>({
    ...subjectRouteDefaults,
    path: "/tickets/{ticketId}/sessions",
    operationId: "api.v3.tickets.sessions",
    summary: "List the sessions of a ticket with their participants, including a running one",
    permission: "tickets.read",
    params: ticketParams,
    answer: { status: 200, schema: ticketSessionsAnswer },
    handle: async (request) => {
      const { ticketId: id } = request.params;
      const ticket = { kind: "ticket", id, require: requireTicket } as const;
      const { total, sessions, people, headers } = await readPage(db, request, ticket);
      const data = sessions.map((one) => presentTicketSession(one, people.get(one.id) ?? []));
      return ok({ total, data }, headers);
    },
  });
}

function ofConferenceRoute({ db, requireConference }: SubjectRoutesDeps): Route {
  return route<{ conferenceId: number }, OrderedPageQuery>({
    ...subjectRouteDefaults,
    path: "/conferences/{conferenceId}/sessions",
    operationId: "api.v3.conferences.sessions",
    summary: "List the sessions of a conference with their participants, including a running one",
    permission: "conferences.read",
    params: conferenceParams,
    answer: { status: 200, schema: conferenceSessionsAnswer },
    handle: async (request) => {
      const { conferenceId: id } = request.params;
      const conference = { kind: "conference", id, require: requireConference } as const;
      const { total, sessions, people, headers } = await readPage(db, request, conference);
      const data = sessions.map((one) => presentConferenceSession(one, people.get(one.id) ?? []));
      return ok({ total, data }, headers);
    },
  });
}

/** One page of the subject's sessions with their participants, after the access check. */
async function readPage(
  db: Db,
  request: ApiRequest<unknown, OrderedPageQuery>,
  {
    require,
    ...subject
  }: Omit<SessionSubject, "enterpriseId"> & Readonly<{ require: RequireAccess }>,
) {
  const { query, url } = request;
  const page = parsePage(query, { defaultLimit: 10, maxLimit: 100 });
  const scope = scopeOf(request);
  await require(scope, subject.id);
  const { enterpriseId } = scope;
  const { order = "desc" } = query;
  const found = await listSubjectSessions(db, { enterpriseId, ...subject }, { ...page, order });
  const ids = found.sessions.map((session) => session.id);
  const people = await listSessionParticipants(db, enterpriseId, ids);
  return { ...found, people, headers: pageHeaders(url, page, found.total) };
}
