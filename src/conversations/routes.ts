import { participantRoles } from "../contracts/signalling.ts";
import { scopeOf } from "../http/authorize.ts";
import { parseBound } from "../http/values.ts";
import { knownTotal, pageHeaders, parsePage } from "../http/paging.ts";
import { orderedPageSchema, type OrderedPageQuery } from "../http/schema.ts";
import {
  created,
  ok,
  route,
  type Route,
  guestRoute,
  type GuestRoute,
  type RoomRole,
} from "../http/route.ts";
import type { Db } from "../platform/db/pool.ts";
import { countConversations, listConversations, type ConversationKey } from "./store.ts";
import type { ChatMessages } from "./messages.ts";
import type { TicketRef } from "../contracts/tickets.ts";
import {
  presentConversation,
  presentMessage,
  conversationAnswer,
  conversationListAnswer,
  conversationParams,
  listQuery,
  messageAnswer,
  messageBody,
  messageListAnswer,
  timelineAnswer,
  timelineQuery,
  timelineRule,
  type ConversationParams,
  type ListQuery,
  type MessageBody,
  presentGuestMessage,
  guestMessageAnswer,
  guestMessageListAnswer,
} from "./schema.ts";

/** One page of a ticket's timeline in the format of `GET /tickets/{id}/events`, and the total. */
type ListTicketEvents = (
  owner: TicketRef,
  page: Readonly<{ order: "asc" | "desc"; limit: number; offset: number }>,
) => Promise<Readonly<{ total: number; events: readonly Record<string, unknown>[] }>>;

export type ConversationRoutesDeps = Readonly<{
  db: Db;
  messages: ChatMessages;
  listTicketEvents: ListTicketEvents;
}>;

const pageRule = { defaultLimit: 10, maxLimit: 100 };

const common = { family: "platform", limit: "api" } as const;

export function conversationRoutes(deps: ConversationRoutesDeps): Route[] {
  return [
    listRoute(deps),
    getRoute(deps),
    listMessagesRoute(deps),
    writeRoute(deps),
    timelineRoute(deps),
  ];
}

function listRoute({ db }: ConversationRoutesDeps): Route {
  return route<unknown, ListQuery>({
    ...common,
    method: "GET",
    path: "/conversations",
    operationId: "api.v3.conversations.list",
    summary: "List conversations",
    permission: "conversations.read",
    query: listQuery,
    answer: { status: 200, schema: conversationListAnswer },
    handle: async (request) => {
      const { query, url } = request;
      const page = parsePage(query, pageRule);
      const { ticketId, conferenceId, orderby = "date", order = "desc" } = query;
      const filter = { ticketId, conferenceId, since: parseBound("since", query.since) };
      const scope = scopeOf(request);
      const found = await listConversations(db, scope, filter, { ...page, orderby, order });
      const total = knownTotal(page, found.length) ?? (await countConversations(db, scope, filter));
      return ok({ total, data: found.map(presentConversation) }, pageHeaders(url, page, total));
    },
  });
}

function getRoute({ messages }: ConversationRoutesDeps): Route {
  return route<ConversationParams>({
    ...common,
    method: "GET",
    path: "/conversations/{conversationId}",
    operationId: "api.v3.conversations.get",
    summary: "Read a conversation, by its id or its uid",
    permission: "conversations.read",
    params: conversationParams,
    answer: { status: 200, schema: conversationAnswer },
    handle: async (request) =>
      ok(presentConversation(await messages.get(scopeOf(request), keyOf(request.params)))),
  });
}

function listMessagesRoute({ messages }: ConversationRoutesDeps): Route {
  return route<ConversationParams, OrderedPageQuery>({
    ...common,
    method: "GET",
    path: "/conversations/{conversationId}/messages",
    operationId: "api.v3.conversations.messages.list",
    summary: "List the chat messages of a conversation, newest first",
    permission: "conversations.read",
    params: conversationParams,
    query: orderedPageSchema,
    answer: { status: 200, schema: messageListAnswer },
    handle: async (request) => {
      const { query, params, url } = request;
      const page = parsePage(query, pageRule);
      const { order = "desc" } = query;
      const found = await messages.list(scopeOf(request), keyOf(params), { ...page, order });
      const { total } = found;
      return ok({ total, data: found.messages.map(presentMessage) }, pageHeaders(url, page, total));
    },
  });
}

function writeRoute({ messages }: ConversationRoutesDeps): Route {
  return route<ConversationParams, unknown, MessageBody>({
    ...common,
    method: "POST",
    path: "/conversations/{conversationId}/messages",
    operationId: "api.v3.conversations.messages.create",
    summary: "Post a chat message to a conversation",
    permission: "conversations.write",
    params: conversationParams,
    body: messageBody,
    answer: { status: 201, schema: messageAnswer },
    problems: ["conflict"],
    handle: async (request) => {
      const { params, body } = request;
      const written = { text: body.text, clientKey: null };
      const message = await messages.write(scopeOf(request), keyOf(params), written);
      const { conversationId } = message;
      return created(presentMessage(message), `/api/conversations/${conversationId}/messages`);
    },
  });
}

function timelineRoute({ messages, listTicketEvents }: ConversationRoutesDeps): Route {
  return route<ConversationParams, OrderedPageQuery>({
    ...common,
    method: "GET",
    path: "/conversations/{conversationId}/timeline",
    operationId: "api.v3.conversations.timeline",
    summary: "List the timeline of a conversation's ticket, oldest first; conferences have none",
    permission: "conversations.read",
    params: conversationParams,
    query: timelineQuery,
    answer: { status: 200, schema: timelineAnswer },
    handle: async (request) => {
      const { query, params, url } = request;
      const page = parsePage(query, timelineRule);
      const scope = scopeOf(request);
      const { ticketId } = await messages.get(scope, keyOf(params));
      if (ticketId === null) {
        return ok([], pageHeaders(url, page, 0));
      }
      const owner = { enterpriseId: scope.enterpriseId, ticketId };
      const { order = "asc" } = query;
      const { total, events } = await listTicketEvents(owner, { ...page, order });
      return ok(events, pageHeaders(url, page, total));
    },
  });
}

function keyOf({ conversationId }: ConversationParams): ConversationKey {
  return /^\d+$/u.test(conversationId) ? { id: Number(conversationId) } : { uid: conversationId };
}

/** All roles except `waiting`: people who wait must not see the meeting. */
const readingRoles: readonly RoomRole[] = participantRoles;

type GuestMessageRoutesDeps = Readonly<{
  messages: Pick<ChatMessages, "listForGuest" | "writeAsGuest">;
}>;

export function guestMessageRoutes({ messages }: GuestMessageRoutesDeps): GuestRoute[] {
  return [
    guestRoute<unknown, OrderedPageQuery>({
      method: "GET",
      path: "/guest/messages",
      operationId: "api.v3.guest.messages.list",
      summary: "List the chat messages of the room, newest first",
      roles: readingRoles,
      limit: "room",
      query: orderedPageSchema,
      answer: { status: 200, schema: guestMessageListAnswer },
      problems: ["gone"],
      handle: async ({ guest, query, url }) => {
        const page = parsePage(query, { defaultLimit: 10, maxLimit: 100 });
        const { order = "desc" } = query;
        const found = await messages.listForGuest(guest, { ...page, order });
        const { total } = found;
        const data = found.messages.map(presentGuestMessage);
        return ok({ total, data }, pageHeaders(url, page, total));
      },
    }),
    guestRoute<unknown, unknown, MessageBody>({
      method: "POST",
      path: "/guest/messages",
      operationId: "api.v3.guest.messages.create",
      summary: "Post a chat message to the room, or to its staff outside a session",
      roles: readingRoles,
      limit: "room",
      body: messageBody,
      answer: { status: 201, schema: guestMessageAnswer },
      problems: ["gone"],
      handle: async ({ guest, body }) => {
        const message = await messages.writeAsGuest(guest, { text: body.text, clientKey: null });
        return created(presentGuestMessage(message), "/api/guest/messages");
      },
    }),
  ];
}
