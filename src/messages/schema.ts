import {
  exactObject,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
  emailField,
  idParams,
  nameLine,
  orderQuery,
  pageQuery,
  periodQuery,
  phoneField,
  wordList,
  type OrderedPageQuery,
} from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";
import { maxSmsLength, type Message } from "./model.ts";
import { messageStatuses } from "../contracts/invitations.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";

const statusField = { type: "string", enum: messageStatuses };

/** Fields of SMS and mails, in the order of the answer. */
const commonFields = {
  id: integer,
  status: statusField,
  to: text,
  sender: text,
};

const trailingFields = {
  error: nullableText,
  ticketId: nullableInteger,
  conferenceId: nullableInteger,
  created: timestamp,
  modified: timestamp,
  sent: nullableTimestamp,
};

export const smsSchema = exactObject("Sms", {
  ...commonFields,
  text,
  segments: integer,
  ...trailingFields,
});

export const smsListSchema = listOf("SmsList", smsSchema);

export const emailSchema = exactObject("Email", {
  ...commonFields,
  subject: text,
  text,
  html: nullableText,
  ...trailingFields,
});

export const emailListSchema = listOf("EmailList", emailSchema);

export const ticketMessageListSchema = listOf(
  "TicketMessageList",
  exactObject("TicketMessage", {
    channel: { type: "string", enum: ["sms", "email"] },
    id: integer,
    status: statusField,
    to: text,
    error: nullableText,
    created: timestamp,
    modified: timestamp,
    sent: nullableTimestamp,
  }),
);

export const ticketParams = idParams("ticketId");

export type TicketMessageParams = { ticketId: number };

export const messageParams = idParams("messageId");

export type MessageParams = { messageId: number };

export const listSmsSchema = listMessagesSchema(phoneField);

export const listEmailsSchema = listMessagesSchema(emailField);

export type ListMessagesQuery = OrderedPageQuery & {
  orderby?: "date" | "modified" | "id";
  status?: string;
  to?: string;
  ticketId?: number;
  since?: string;
  until?: string;
};

const ticketId = { type: ["integer", "null"], minimum: 1 };

export const sendSmsSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["to"],
  anyOf: [{ required: ["text"] }, { required: ["templateId"] }],
  properties: {
    to: { ...phoneField, minLength: 1 },
    text: { type: "string", minLength: 1, maxLength: maxSmsLength },
    templateId: {
      type: "integer",
      minimum: 1,
      description: "An SMS template, instead of `text`",
    },
    variables: {
      type: "object",
      maxProperties: 32,
      additionalProperties: { type: "string", maxLength: 1_000 },
    },
    ticketId,
  },
};

export type SendSmsBody = {
  to: string;
  text?: string;
  templateId?: number;
  variables?: Record<string, string>;
  ticketId?: number | null;
};

export const sendEmailSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["to", "subject", "text"],
  properties: {
    to: { ...emailField, minLength: 1 },
    subject: { type: "string", minLength: 1, maxLength: 255, ...nameLine },
    text: { type: "string", minLength: 1, maxLength: 20_000 },
    html: { type: ["string", "null"], maxLength: 100_000 },
    ticketId,
  },
};

export type SendEmailBody = {
  to: string;
  subject: string;
  text: string;
  html?: string | null;
  ticketId?: number | null;
};

export function presentSms(message: Message) {
  return {
    ...presentCommon(message),
    text: message.text,
    segments: message.segments ?? 1,
    ...presentTrailing(message),
  };
}

export function presentEmail(message: Message) {
  return {
    ...presentCommon(message),
    subject: message.subject ?? "",
    text: message.text,
    html: message.html,
    ...presentTrailing(message),
  };
}

function presentCommon({ id, status, recipient, sender }: Message) {
  return {
    id,
    status,
    to: recipient,
    sender,
  };
}

function presentTrailing(message: Message) {
  return {
    error: message.error,
    ticketId: message.ticketId,
    conferenceId: message.conferenceId,
    created: toTimestamp(message.createdAt),
    modified: toTimestamp(message.modifiedAt),
    sent: toTimestampOrNull(message.sentAt),
  };
}

/** Delivery status without the text, for readers of the ticket. */
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

function listMessagesSchema(to: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: {
      ...pageQuery,
      orderby: { type: "string", enum: ["date", "modified", "id"] },
      ...orderQuery,
      status: wordList(messageStatuses),
      to,
      ticketId: { type: "integer", minimum: 1 },
      ...periodQuery,
    },
  };
}
