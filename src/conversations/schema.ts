import { type ChatMessage, chatAuthors } from "../contracts/rooms.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
  orderQuery,
  pageQuery,
  pageQueryOf,
  periodQuery,
  multilineText,
  type BodyOf,
} from "../http/schema.ts";
import { sessionEventSources, sessionEventTypes } from "../contracts/session-events.ts";
import type { JsonSchema } from "../http/route.ts";
import type { Conversation } from "./store.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";

const author = { type: "string", enum: chatAuthors };

export const conversationAnswer: JsonSchema = exactObject("Conversation", {
  id: integer,
  uid: { type: "string", format: "uuid" },
  name: text,
  created: timestamp,
  ticketId: nullableInteger,
  conferenceId: nullableInteger,
  isOngoing: flag,
  finishedAt: nullableTimestamp,
});

export const conversationListAnswer: JsonSchema = listOf("ConversationList", conversationAnswer);

export const messageAnswer: JsonSchema = exactObject("ChatMessage", {
  id: integer,
  conversationId: integer,
  sessionId: nullableText,
  author,
  userId: nullableInteger,
  name: text,
  text,
  created: timestamp,
});

export const messageListAnswer: JsonSchema = listOf("ChatMessageList", messageAnswer);

export const guestMessageAnswer: JsonSchema = exactObject("RoomMessage", {
  id: integer,
  author,
  name: text,
  text,
  created: timestamp,
});

export const guestMessageListAnswer: JsonSchema = listOf("RoomMessageList", guestMessageAnswer);

/** Fields of every entry; each type adds its own attributes. */
const entry = {
  id: integer,
  eventType: { type: "string", enum: sessionEventTypes },
  eventCode: integer,
  conversationId: integer,
  ticketId: integer,
  created: timestamp,
  source: { type: "string", enum: sessionEventSources },
};

export const timelineAnswer: JsonSchema = {
  title: "ConversationTimeline",
  type: "array",
  items: { type: "object", required: Object.keys(entry), properties: entry },
};

export const listQuery = {
  type: "object",
  properties: {
    ticketId: { type: "integer", minimum: 1 },
    conferenceId: { type: "integer", minimum: 1 },
    since: periodQuery.since,
    orderby: { type: "string", enum: ["date", "id"] },
    ...orderQuery,
    ...pageQuery,
  },
} as const satisfies JsonSchema;

export type ListQuery = BodyOf<typeof listQuery>;

/** An id or a uid. */
export const conversationParams = {
  type: "object",
  required: ["conversationId"],
  properties: {
    conversationId: {
      type: "string",
      pattern: "^([1-9][0-9]{0,14}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$",
    },
  },
} as const satisfies JsonSchema;

export type ConversationParams = BodyOf<typeof conversationParams>;

/** A timeline has large pages, like a ticket's. */
export const timelineRule = { defaultLimit: 1_000, maxLimit: 1_000 };

export const timelineQuery: JsonSchema = {
  type: "object",
  properties: { ...orderQuery, ...pageQueryOf(timelineRule) },
};

export const messageBody = {
  type: "object",
  additionalProperties: false,
  required: ["text"],
  // At least one visible character; several lines are allowed.
  properties: {
    text: {
      type: "string",
      minLength: 1,
      maxLength: 4_000,
      ...multilineText,
    },
  },
} as const satisfies JsonSchema;

export type MessageBody = BodyOf<typeof messageBody>;

/** Field names are those of the events: `ticketId`, `conversationId`, `finishedAt`. */
export function presentConversation(conversation: Conversation) {
  return {
    id: conversation.id,
    uid: conversation.uid,
    name: conversation.roomName,
    created: toTimestamp(conversation.createdAt),
    ticketId: conversation.ticketId,
    conferenceId: conversation.conferenceId,
    isOngoing: conversation.isOngoing,
    finishedAt: toTimestampOrNull(conversation.finishedAt),
  };
}

/** A message as staff sees it. */
export function presentMessage(message: ChatMessage) {
  return {
    id: message.id,
    conversationId: message.conversationId,
    sessionId: message.sessionId,
    author: message.author,
    userId: message.userId,
    name: message.name,
    text: message.text,
    created: toTimestamp(message.at),
  };
}

/** A message as guests see it: with names, without accounts. */
export function presentGuestMessage(message: ChatMessage) {
  return {
    id: message.id,
    author: message.author,
    name: message.name,
    text: message.text,
    created: toTimestamp(message.at),
  };
}
