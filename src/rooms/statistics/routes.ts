import { invalidParameter, missingParameter, problem } from "../../contracts/problems.ts";
import { printable } from "../../http/input.ts";
import { knownTotal, pageHeaders, parsePage } from "../../http/paging.ts";
import { ok, route, type Caller, type Route } from "../../http/route.ts";
import { scopeOf } from "../../http/scope.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { parsePeriod } from "./period.ts";
import { presentSession, presentStatistic } from "./present.ts";
import {
  sessionAnswer,
  sessionListAnswer,
  sessionListQuery,
  sessionPage,
  sessionParams,
  type SessionListQuery,
} from "./schema.ts";
import { countStatistics, findStatistic, listStatistics, listStays } from "./store.ts";
import { subjectRoutes, type SubjectRoutesDeps } from "./subject-routes.ts";

type IsServiceKnown = (enterpriseId: number, serviceKey: string) => Promise<boolean>;

export type SessionRoutesDeps = Readonly<{
  db: Db;
  clock: Clock;
  isServiceKnown: IsServiceKnown;
}> &
  SubjectRoutesDeps;

const common = { family: "platform", limit: "api" } as const;

export function sessionRoutes(deps: SessionRoutesDeps): Route[] {
  return [listRoute(deps), getRoute(deps), ...subjectRoutes(deps)];
}

function listRoute({ db, clock, isServiceKnown }: SessionRoutesDeps): Route {
  return route<unknown, SessionListQuery>({
    ...common,
    method: "GET",
    path: "/sessions",
    operationId: "api.v3.sessions.list",
    summary: "Statistics of the sessions that ended in a period",
    permission: "stats.read",
    query: sessionListQuery,
    answer: { status: 200, schema: sessionListAnswer },
    handle: async (request) => {
      const { query, caller, url } = request;
      const page = parsePage(query, sessionPage);
      const period = parsePeriod(query, clock.now());
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

/** Only administrators see all services at once. */
async function serviceKeyOf(
  isServiceKnown: IsServiceKnown,
  caller: Caller,
  { service_key: serviceKey }: SessionListQuery,
): Promise<string | undefined> {
  if (serviceKey === undefined || serviceKey === "") {
    if (isAdmin(caller)) {
      return undefined;
    }
    throw missingParameter(
      "service_key",
      "The service_key field is required: only administrators see all services at once.",
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

function isAdmin({ role }: Caller): boolean {
  return role === "admin" || role === "superadmin";
}

function getRoute({ db, clock }: SessionRoutesDeps): Route {
  return route<{ sessionId: string }>({
    ...common,
    method: "GET",
    path: "/sessions/{sessionId}",
    operationId: "api.v3.sessions.get",
    summary: "A session that is over, with who took part",
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
        throw problem("forbidden", `Session ${id} belongs to somebody else.`);
      }
      return ok(presentSession(found.statistic, await listStays(db, scope.enterpriseId, id)));
    },
  });
}

/** The statistics follow a session after this. */
const delayMs = 300_000;

function endedBy(clock: Clock): Date {
  return new Date(clock.now().getTime() - delayMs);
}
