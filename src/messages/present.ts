import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import type { Message } from "./message.ts";

const head = ({ id, status, recipient, sender }: Message) => ({
  id,
  status,
  to: recipient,
  sender,
});

const rest = (message: Message) => ({
  error: message.error,
  ticketId: message.ticketId,
  conferenceId: message.conferenceId,
  created: toTimestamp(message.createdAt),
  modified: toTimestamp(message.modifiedAt),
  sent: toTimestampOrNull(message.sentAt),
});

export const presentSms = (message: Message) => ({
  ...head(message),
  text: message.text,
  segments: message.segments ?? 1,
  ...rest(message),
});

export const presentEmail = (message: Message) => ({
  ...head(message),
  subject: message.subject ?? "",
  text: message.text,
  html: message.html,
  ...rest(message),
});

/** How a message of a ticket fares: who reads the ticket need not read the words. */
export const presentTicketMessage = ({ channel, ...message }: Message) => ({
  channel,
  id: message.id,
  status: message.status,
  to: message.recipient,
  error: message.error,
  created: toTimestamp(message.createdAt),
  modified: toTimestamp(message.modifiedAt),
  sent: toTimestampOrNull(message.sentAt),
});
