import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import type { Message } from "./message.ts";

export function presentSms(message: Message) {
  return {
    ...head(message),
    text: message.text,
    segments: message.segments ?? 1,
    ...rest(message),
  };
}

export function presentEmail(message: Message) {
  return {
    ...head(message),
    subject: message.subject ?? "",
    text: message.text,
    html: message.html,
    ...rest(message),
  };
}

function head({ id, status, recipient, sender }: Message) {
  return {
    id,
    status,
    to: recipient,
    sender,
  };
}

function rest(message: Message) {
  return {
    error: message.error,
    ticketId: message.ticketId,
    conferenceId: message.conferenceId,
    created: toTimestamp(message.createdAt),
    modified: toTimestamp(message.modifiedAt),
    sent: toTimestampOrNull(message.sentAt),
  };
}

/** How a message of a ticket fares: who reads the ticket need not read the words. */
export function presentTicketMessage({ channel, ...message }: Message) {
  return {
    channel,
    id: message.id,
    status: message.status,
    to: message.recipient,
    error: message.error,
    created: toTimestamp(message.createdAt),
    modified: toTimestamp(message.modifiedAt),
    sent: toTimestampOrNull(message.sentAt),
  };
}
