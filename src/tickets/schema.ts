import { languages } from "../contracts/languages.ts";
import { inputsOf } from "./fields.ts";
import { channels } from "../contracts/invitations.ts";
import { ticketStates } from "../contracts/events.ts";
import type { PageRule } from "../http/paging.ts";
import {
  changedTimestampField,
  idParams,
  oneLine,
  orderQuery,
  pageQueryOf,
  periodQuery,
  serviceKeyField,
  switchField,
  timestampField,
  wordList,
  type BodyOf,
} from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";

const duration = { type: "integer", minimum: 1, maximum: 1_440 } as const;

/** A ticket without an address could invite nobody. */
const requiresOneContact = {
  anyOf: [{ required: ["email"] }, { required: ["phone"] }],
} as const;

const invitationChannels = wordList(channels, 32);

const login = { type: "string", maxLength: 255, ...oneLine, minLength: 1 } as const;

const { email, phone, reference, ...otherInputs } = inputsOf("create");

export const createTicketSchema = {
  type: "object",
  additionalProperties: false,
  required: ["agent"],
  ...requiresOneContact,
  properties: {
    agent: login,
    email,
    phone,
    invite: switchField,
    reference,
    scope: wordList(["sso"]),
    service_key: serviceKeyField,
    ...otherInputs,
    group: { type: ["string", "integer"], maxLength: 255, description: "Name or id of the group" },
    startTime: timestampField,
    duration,
    templateId: { type: "integer", minimum: 1 },
    channels: invitationChannels,
  },
} as const satisfies JsonSchema;

export type CreateTicketBody = BodyOf<typeof createTicketSchema>;

export const changeTicketSchema = {
  type: "object",
  additionalProperties: false,
  properties: { ...inputsOf("change"), startTime: changedTimestampField, duration },
} as const satisfies JsonSchema;

export type ChangeTicketBody = BodyOf<typeof changeTicketSchema>;

/** The customer's form at an entry point. */
export const ticketRequestSchema = {
  type: "object",
  additionalProperties: false,
  ...requiresOneContact,
  properties: inputsOf("request"),
} as const satisfies JsonSchema;

export type TicketRequestBody = BodyOf<typeof ticketRequestSchema>;

export const inviteTicketSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    channels: invitationChannels,
    templateId: { type: "integer", minimum: 1 },
    language: { type: "string", enum: languages },
  },
} as const satisfies JsonSchema;

export type InviteTicketBody = BodyOf<typeof inviteTicketSchema>;

export const buttonParams = idParams("buttonId");

export const assignTicketSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["agent"],
  properties: { agent: login },
};

export const ticketParams = idParams("ticketId");

export type TicketParams = { ticketId: number };

const orderings = ["date", "modified", "start_time", "id"] as const;

export type TicketOrdering = (typeof orderings)[number];

/** Every match up to 1,000 where no limit is given: clients rely on one call for all of them. */
export const ticketPage: PageRule = { defaultLimit: 1_000, maxLimit: 1_000 };

export const listTicketsSchema = {
  type: "object",
  properties: {
    ...pageQueryOf(ticketPage),
    orderby: { type: "string", enum: orderings },
    ...orderQuery,
    reference: { type: "string", maxLength: 255 },
    search: { type: "string", maxLength: 100 },
    state: wordList(ticketStates),
    agent: { type: "string", maxLength: 255 },
    service_key: { type: "string", maxLength: 64 },
    ...periodQuery,
  },
} as const satisfies JsonSchema;

export type ListTicketsQuery = BodyOf<typeof listTicketsSchema>;
