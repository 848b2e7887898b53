import { parseBound, splitCommaList } from "../http/values.ts";
import type { Scope } from "../contracts/permissions.ts";
import {
  sessionEventSources,
  sessionEventTypes,
  type SessionEventSource,
  type SessionEventType,
} from "../contracts/session-events.ts";
import { pageHeaders, parsePage } from "../http/paging.ts";
import {
  idParams,
  orderQuery,
  pageQueryOf,
  periodQuery,
  wordList,
  type OrderedPageQuery,
} from "../http/schema.ts";
import { ok, route, type JsonSchema, type Route } from "../http/route.ts";
import { scopeOf } from "../http/authorize.ts";
import { sessionEventListAnswer, presentSessionEvent } from "./present.ts";
import type { SessionEvents, SessionEventFilter } from "./service.ts";

export type SessionEventRoutesDeps = Readonly<{
  sessionEvents: Pick<SessionEvents, "list">;
  /** 404 where the enterprise has no such ticket, 403 where the caller does not reach it. */
  requireTicket: (scope: Scope, ticketId: number) => Promise<unknown>;
}>;

const pageRule = { defaultLimit: 1_000, maxLimit: 1_000 };

type EventsQuery = OrderedPageQuery & {
  eventType?: string;
  source?: string;
  since?: string;
  until?: string;
};

const params = idParams("ticketId");

const query: JsonSchema = {
  type: "object",
  properties: {
    eventType: wordList(sessionEventTypes, 2_000),
    source: wordList(sessionEventSources),
    ...periodQuery,
    ...orderQuery,
    ...pageQueryOf(pageRule),
  },
};

export function sessionEventRoutes({
  sessionEvents,
  requireTicket,
}: SessionEventRoutesDeps): Route[] {
  return [
    route<{ ticketId: number }, EventsQuery>({
      method: "GET",
      path: "/tickets/{ticketId}/events",
      operationId: "api.v3.tickets.events",
      summary: "List the timeline of a ticket, oldest entry first",
      permission: "tickets.events.read",
      family: "solution",
      limit: "events",
      params,
      query,
      answer: { status: 200, schema: sessionEventListAnswer },
      handle: async (request) => {
        const { query: input, url } = request;
        const { ticketId } = request.params;
        const scope = scopeOf(request);
        const filter = parseFilter(input);
        const page = parsePage(input, pageRule);
        await requireTicket(scope, ticketId);
        const owner = { enterpriseId: scope.enterpriseId, ticketId };
        const { order = "asc" } = input;
        const { total, events } = await sessionEvents.list(owner, filter, { ...page, order });
        return ok(events.map(presentSessionEvent), pageHeaders(url, page, total));
      },
    }),
  ];
}

function parseFilter(input: EventsQuery): SessionEventFilter {
  return {
    eventTypes: parseWords(input.eventType) as SessionEventType[] | undefined,
    sources: parseWords(input.source) as SessionEventSource[] | undefined,
    since: parseBound("since", input.since),
    until: parseBound("until", input.until),
  };
}

/** A comma list of words that the schema knows; undefined where none is given. */
function parseWords(text = ""): string[] | undefined {
  const words = splitCommaList(text);
  return words.length === 0 ? undefined : words;
}
