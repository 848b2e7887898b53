import { parsePeriod, splitCommaList } from "../http/values.ts";
import type { Scope } from "../contracts/permissions.ts";
import {
  sessionEventSources,
  sessionEventAttributes,
  sessionEventTypes,
  type SessionEventAttribute,
  type SessionEventSource,
  type SessionEventType,
  sessionEventCodes,
  deprecatedSessionEventTypes,
} from "../contracts/session-events.ts";
import { pageHeaders, parsePage } from "../http/paging.ts";
import {
  idParams,
  orderQuery,
  pageQueryOf,
  periodQuery,
  wordList,
  type OrderedPageQuery,
  exactObject,
  integer,
  text,
  timestamp,
} from "../http/schema.ts";
import { ok, route, type JsonSchema, type Route } from "../http/route.ts";
import { scopeOf } from "../http/authorize.ts";
import type { SessionEvents, SessionEventFilter, SessionEvent } from "./service.ts";
import { toTimestamp } from "../platform/timestamps.ts";

export type SessionEventRoutesDeps = Readonly<{
  sessionEvents: Pick<SessionEvents, "list">;
  /** 404 if the enterprise has no such ticket, 403 if it is out of the caller's reach. */
  requireTicket: (scope: Scope, ticketId: number) => Promise<unknown>;
}>;

const pageRule = { defaultLimit: 1_000, maxLimit: 1_000 };

type EventsQuery = OrderedPageQuery & {
  eventType?: string;
  source?: string;
  since?: string;
  until?: string;
};

/** Schemas of the timeline entries, one per type. */
const person = exactObject("Person", {
  email: text,
  phone: text,
  firstname: text,
  lastname: text,
});

const position = exactObject("Position", { lat: { type: "number" }, lng: { type: "number" } });

const priority = { type: "integer", minimum: 1, maximum: 4 };

const question = exactObject("SurveyQuestion", {
  id: { type: ["integer", "string"] },
  label: { type: "object", additionalProperties: text },
  answer: text,
});

const surveyAnswer = exactObject("SurveyAnswer", {
  questions: { type: "array", items: question },
  feedback: text,
});

const attributes: Readonly<Record<SessionEventAttribute, JsonSchema>> = {
  agent: person,
  requestor: person,
  oldPriority: priority,
  newPriority: priority,
  geoloc: position,
  mediaId: integer,
  text,
  surveyAnswer,
};

/** The attributes of each type in addition to the common ones. */
export const entryAttributes = Object.fromEntries(
  sessionEventTypes.map((eventType) => [
    eventType,
    Object.fromEntries(sessionEventAttributes[eventType].map((name) => [name, attributes[name]])),
  ]),
) as Readonly<Record<SessionEventType, Record<string, JsonSchema>>>;

/** A bare array, oldest entry first. */
export const sessionEventListAnswer: JsonSchema = {
  title: "TicketEventList",
  type: "array",
  items: { title: "TicketEvent", anyOf: sessionEventTypes.map(entryOf) },
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
    ...parsePeriod(input),
  };
}

/** Parses a comma-separated list that the schema has validated; undefined if it is empty. */
function parseWords(commaList = ""): string[] | undefined {
  const words = splitCommaList(commaList);
  return words.length === 0 ? undefined : words;
}

/** A list entry: the payload of the webhook with `id`, `created` and `source`. */
export function presentSessionEvent(event: SessionEvent): Record<string, unknown> {
  return {
    id: event.id,
    eventType: event.eventType,
    eventCode: sessionEventCodes[event.eventType],
    conversationId: event.conversationId,
    ticketId: event.ticketId,
    created: toTimestamp(event.at),
    source: event.source,
    ...event.attributes,
  };
}

function entryOf(eventType: SessionEventType): JsonSchema {
  return {
    ...exactObject(titleOf(eventType), {
      id: integer,
      eventType: { type: "string", enum: [eventType] },
      eventCode: { type: "integer", enum: [sessionEventCodes[eventType]] },
      conversationId: integer,
      ticketId: integer,
      created: timestamp,
      source: { type: "string", enum: sessionEventSources },
      ...entryAttributes[eventType],
    }),
    ...(deprecatedSessionEventTypes.includes(eventType)
      ? {
          deprecated: true,
          description: "Still sent; use the webhook of the ticket with the state `expired` instead",
        }
      : {}),
  };
}

/** `ticket.invitationSent` → `TicketInvitationSentEvent` */
function titleOf(eventType: SessionEventType): string {
  return `${eventType
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}Event`;
}
