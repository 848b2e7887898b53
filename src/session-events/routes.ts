import { parseBound } from "../http/values.ts";
import { invalidParameter } from "../contracts/problems.ts";
import {
  sessionEventSources,
  sessionEventTypes,
  type SessionEventSource,
  type SessionEventType,
} from "../contracts/session-events.ts";
import { pageHeaders, parsePage } from "../http/paging.ts";
import { ok, route, type Caller, type JsonSchema, type Route } from "../http/route.ts";
import type { Reach } from "../contracts/permissions.ts";
import { sessionEventListAnswer } from "./answers.ts";
import { presentSessionEvent } from "./present.ts";
import type { SessionEvents } from "./service.ts";
import type { SessionEventFilter } from "./store.ts";

export type SessionEventRoutesDeps = Readonly<{
  sessionEvents: Pick<SessionEvents, "list">;
  /** 404 where the enterprise has no such ticket, 403 where the caller does not reach it. */
  requireTicket: (scope: TicketScope, ticketId: number) => Promise<unknown>;
}>;

type TicketScope = Pick<Caller, "enterpriseId" | "userId" | "groupIds"> & { reach: Reach };

const params: JsonSchema = {
  type: "object",
  required: ["ticketId"],
  properties: { ticketId: { type: "integer", minimum: 1 } },
};

const query: JsonSchema = {
  type: "object",
  properties: {
    eventType: { type: "string", maxLength: 2_000 },
    source: { type: "string", maxLength: 100 },
    since: { type: "string", maxLength: 40 },
    until: { type: "string", maxLength: 40 },
    order: { type: "string", enum: ["asc", "desc"] },
    limit: { type: "integer" },
    offset: { type: "integer" },
  },
};

type EventsQuery = {
  eventType?: string;
  source?: string;
  since?: string;
  until?: string;
  order?: "asc" | "desc";
  limit?: number;
  offset?: number;
};

const pageRule = { defaultLimit: 1_000, maxLimit: 1_000 };

const listOf = <Word extends string>(
  field: string,
  text: string | undefined,
  known: readonly Word[],
): Word[] | undefined => {
  if (text === undefined || text.trim() === "") {
    return undefined;
  }
  const words = text.split(",").map((word) => word.trim());
  const isKnown = (word: string): word is Word => (known as readonly string[]).includes(word);
  if (!words.every(isKnown)) {
    throw invalidParameter(field, "unknown");
  }
  return words;
};

const filterOf = (given: EventsQuery): SessionEventFilter => ({
  eventTypes: listOf<SessionEventType>("eventType", given.eventType, sessionEventTypes),
  sources: listOf<SessionEventSource>("source", given.source, sessionEventSources),
  since: parseBound("since", given.since),
  until: parseBound("until", given.until),
});

export const sessionEventRoutes = ({
  sessionEvents,
  requireTicket,
}: SessionEventRoutesDeps): Route[] => [
  route<{ ticketId: number }, EventsQuery>({
    method: "GET",
    path: "/tickets/{ticketId}/events",
    operationId: "api.v3.tickets.events",
    summary: "The timeline of a ticket, oldest entry first",
    permission: "tickets.events.read",
    family: "solution",
    limit: "events",
    params,
    query,
    answer: { status: 200, schema: sessionEventListAnswer },
    handle: async ({ caller, reach, params: { ticketId }, query: given, url }) => {
      const { enterpriseId, userId, groupIds } = caller;
      const filter = filterOf(given);
      const page = parsePage(given, pageRule);
      await requireTicket({ enterpriseId, userId, groupIds, reach }, ticketId);
      const { total, events } = await sessionEvents.list({ enterpriseId, ticketId }, filter, {
        ...page,
        order: given.order ?? "asc",
      });
      return ok(events.map(presentSessionEvent), pageHeaders(url, page, total));
    },
  }),
];
