/**
 * The schemas of ticket requests, and their parsing into stored values. Parsing throws a 400 that
 * names the field. Pure.
 */
import { languages } from "../contracts/languages.ts";
import { inputsOf, parseFields, type TicketFields } from "./fields.ts";
import { channels, type Channel } from "../contracts/invitations.ts";
import { ticketStates } from "../contracts/events.ts";
import type { PageRule } from "../http/paging.ts";
import {
  orderings,
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
  exactObject,
  flag,
  integer,
  listOf,
  text,
} from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";
import { fieldProblem } from "../contracts/problems.ts";
import {
  splitCommaList,
  minutesAfter,
  orNull,
  parseScope,
  parseStart,
  parseSwitch,
} from "../http/values.ts";
import type { Ticket } from "./model.ts";

const duration = { type: "integer", minimum: 1, maximum: 1_440 } as const;

/** A ticket needs an email address or a phone number for its invitations. */
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

export const colleagueListAnswer: JsonSchema = listOf(
  "TicketColleagueList",
  exactObject("TicketColleague", { id: integer, login: text, name: text, may_take: flag }),
);

/** Without a limit, up to 1,000 matches: clients rely on one call for all tickets. */
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

export type NewTicketInput = Readonly<{
  agentLogin: string;
  serviceKey: string | undefined;
  group: string | undefined;
  templateId: number | null;
  isInvited: boolean;
  /** Absent: every channel with a contact. */
  channels?: readonly Channel[];
  wantsSso: boolean;
  fields: TicketFields;
}>;

/** Options of an invitation. */
export type InvitationChoice = Readonly<{
  channels?: readonly Channel[];
  templateId?: number;
  language?: string;
}>;

/** `now` is the default of the start. */
export function parseNewTicket(body: CreateTicketBody, now: Date): NewTicketInput {
  return {
    agentLogin: body.agent,
    serviceKey: body.service_key,
    group: body.group === undefined || body.group === "" ? undefined : String(body.group),
    templateId: body.templateId ?? null,
    isInvited: parseSwitch("invite", body.invite),
    ...parseChannels(body.channels),
    ...parseScope(body.scope),
    fields: parseNewFields(body, now),
  };
}

/** Parses the fields of a new ticket, created by staff or by a customer. */
export function parseNewFields(body: Omit<CreateTicketBody, "agent">, now: Date): TicketFields {
  const fields = requireContact(parseFields(body));
  const startTime = orNull(body.startTime) === null ? now : parseStart(String(body.startTime));
  return { startTime, endTime: minutesAfter(startTime, body.duration ?? 30), ...fields };
}

/** The ticket's fields after the change; absent ones keep their value. */
export function parseTicketChange(ticket: Ticket, body: ChangeTicketBody): TicketFields {
  const fields = requireContact(parseFields(body, ticket));
  const startTime =
    body.startTime === undefined ? ticket.startTime : changedStart(ticket, body.startTime);
  return { startTime, endTime: changedEnd(ticket, startTime, body.duration), ...fields };
}

/** Answers show whole seconds. A client that sends back what it was shown changes nothing. */
function changedStart({ startTime: before }: Ticket, input: string): Date {
  const start = parseStart(input);
  return start.getTime() === Math.floor(before.getTime() / 1_000) * 1_000 ? before : start;
}

/** Without a new duration, a ticket keeps its own. */
function changedEnd(ticket: Ticket, startTime: Date, minutes: number | undefined): Date {
  const planned = ticket.endTime.getTime() - ticket.startTime.getTime();
  return minutes === undefined
    ? new Date(startTime.getTime() + planned)
    : minutesAfter(startTime, minutes);
}

function requireContact<Fields extends Pick<TicketFields, "requestor">>(fields: Fields): Fields {
  if (fields.requestor.email === null && fields.requestor.phone === null) {
    throw fieldProblem(
      [
        { field: "email", reason: "required" },
        { field: "phone", reason: "required" },
      ],
      ["The email field is required when phone is absent."],
    );
  }
  return fields;
}

/** Absent channels mean every channel with a contact. */
export function parseInvitation(body: InviteTicketBody): InvitationChoice {
  const { channels: list, templateId, language } = body;
  return {
    ...parseChannels(list),
    ...(templateId === undefined ? {} : { templateId }),
    ...(language === undefined ? {} : { language }),
  };
}

/** A comma-separated list, validated by the schema. An empty one counts as absent. */
function parseChannels(list = ""): { channels?: readonly Channel[] } {
  const words = splitCommaList(list);
  return words.length === 0 ? {} : { channels: words as Channel[] };
}
