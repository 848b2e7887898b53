import { channels } from "../contracts/invitations.ts";
import { ticketStates } from "../contracts/events.ts";
import type { PageRule } from "../http/paging.ts";
import {
  changedTimestampField,
  emailField,
  idParams,
  oneLine,
  orderQuery,
  pageQueryOf,
  periodQuery,
  phoneField,
  serviceKeyField,
  switchField,
  timestampField,
  wordList,
  type OrderedPageQuery,
} from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";

const languages = ["fr", "en", "es", "de", "it", "nl", "pt"] as const;

const reference = line(255);

const type = line(64);

const subject = nullableLine(255);

const description = { type: ["string", "null"], maxLength: 5_000 };

const name = nullableLine(128);

const person = {
  firstname: nullableLine(128),
  lastname: nullableLine(128),
  company: nullableLine(128),
};

const priority = { type: "integer", minimum: 1, maximum: 4 };

const duration = { type: "integer", minimum: 1, maximum: 1_440 };

const contact = {
  email: { ...emailField, type: ["string", "null"] },
  phone: { ...phoneField, type: ["string", "null"] },
};

/** A ticket without an address could invite nobody. */
const requiresOneContact = { anyOf: [{ required: ["email"] }, { required: ["phone"] }] };

const invitationChannels = wordList(channels, 32);

const login = { ...line(255), minLength: 1 };

export const createTicketSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["agent"],
  ...requiresOneContact,
  properties: {
    agent: login,
    ...contact,
    invite: switchField,
    reference,
    scope: wordList(["sso"]),
    service_key: serviceKeyField,
    name,
    ...person,
    language: { type: "string", enum: languages },
    subject,
    type,
    description,
    priority,
    group: { type: ["string", "integer"], maxLength: 255, description: "Its name or its id" },
    startTime: timestampField,
    duration,
    templateId: { type: "integer", minimum: 1 },
    channels: invitationChannels,
  },
};

export type CreateTicketBody = {
  agent: string;
  email?: string | null;
  phone?: string | null;
  invite?: boolean | number | string;
  reference?: string;
  scope?: string;
  service_key?: string;
  name?: string | null;
  firstname?: string | null;
  lastname?: string | null;
  company?: string | null;
  language?: string;
  subject?: string | null;
  type?: string;
  description?: string | null;
  priority?: number;
  group?: string | number;
  startTime?: string;
  duration?: number;
  templateId?: number;
  channels?: string;
};

export const changeTicketSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    ...contact,
    reference,
    name,
    ...person,
    language: { type: ["string", "null"], enum: [...languages, null] },
    subject,
    type,
    description,
    priority,
    startTime: changedTimestampField,
    duration,
  },
};

export type ChangeTicketBody = Partial<
  Pick<
    CreateTicketBody,
    | "email"
    | "phone"
    | "reference"
    | "name"
    | "firstname"
    | "lastname"
    | "company"
    | "subject"
    | "type"
    | "description"
    | "priority"
    | "startTime"
    | "duration"
  >
> & { language?: string | null };

/** What a customer fills in at an entry point. */
export const ticketRequestSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  ...requiresOneContact,
  properties: {
    ...contact,
    name,
    ...person,
    language: { type: "string", enum: languages },
    subject,
    description,
  },
};

export type TicketRequestBody = Pick<
  CreateTicketBody,
  | "email"
  | "phone"
  | "name"
  | "firstname"
  | "lastname"
  | "company"
  | "language"
  | "subject"
  | "description"
>;

export const inviteTicketSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    channels: invitationChannels,
    templateId: { type: "integer", minimum: 1 },
    language: { type: "string", enum: languages },
  },
};

export type InviteTicketBody = { channels?: string; templateId?: number; language?: string };

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

export const listTicketsSchema: JsonSchema = {
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
};

export type ListTicketsQuery = OrderedPageQuery & {
  orderby?: TicketOrdering;
  reference?: string;
  search?: string;
  state?: string;
  agent?: string;
  service_key?: string;
  since?: string;
  until?: string;
};

function nullableLine(maxLength: number) {
  return { ...line(maxLength), type: ["string", "null"] };
}

/** One line of text: it may end in the subject of a mail, so no control characters. */
function line(maxLength: number) {
  return {
    type: "string",
    maxLength,
    ...oneLine,
  };
}
