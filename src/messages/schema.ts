import {
  exactObject,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../http/answer-schema.ts";
import {
  emailField,
  idParams,
  nameLine,
  orderQuery,
  pageQuery,
  periodQuery,
  phoneField,
  wordList,
  type OrderedPageQuery,
} from "../http/request-schema.ts";
import type { JsonSchema } from "../http/route.ts";
import { messageStatuses } from "./message.ts";
import { maxSmsLength } from "./segments.ts";

const status = { type: "string", enum: messageStatuses };

/** What SMS and mails have in common, in the order of the answer. */
const common = {
  id: integer,
  status,
  to: text,
  sender: text,
};

const rest = {
  error: nullableText,
  ticketId: nullableInteger,
  conferenceId: nullableInteger,
  created: timestamp,
  modified: timestamp,
  sent: nullableTimestamp,
};

export const smsSchema = exactObject("Sms", { ...common, text, segments: integer, ...rest });

export const smsListSchema = listOf("SmsList", smsSchema);

export const emailSchema = exactObject("Email", {
  ...common,
  subject: text,
  text,
  html: nullableText,
  ...rest,
});

export const emailListSchema = listOf("EmailList", emailSchema);

export const ticketMessageListSchema = listOf(
  "TicketMessageList",
  exactObject("TicketMessage", {
    channel: { type: "string", enum: ["sms", "email"] },
    id: integer,
    status,
    to: text,
    error: nullableText,
    created: timestamp,
    modified: timestamp,
    sent: nullableTimestamp,
  }),
);

export const ticketParams = idParams("ticketId");

export type TicketParams = { ticketId: number };

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
      description: "A template for SMS, instead of a text",
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
