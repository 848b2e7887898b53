import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import type { ChatMessage, Conversation } from "./conversation.ts";

/** The names are those of the events: `ticketId`, `conversationId`, `finishedAt`. */
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

/** A message as the staff sees it. */
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

/** The same in the room: people there learn each other's names, not their accounts. */
export function presentGuestMessage(message: ChatMessage) {
  return {
    id: message.id,
    author: message.author,
    name: message.name,
    text: message.text,
    created: toTimestamp(message.at),
  };
}
