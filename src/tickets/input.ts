/** What a client wrote → what is stored, or the 400 that names the field. Pure. */
import type { Channel } from "../contracts/invitations.ts";
import { fieldProblem, invalidParameter } from "../contracts/problems.ts";
import { textFormats } from "../http/fields/formats.ts";
import {
  splitCommaList,
  minutesAfter,
  orNull,
  parseScope,
  parseStart,
  parseSwitch,
} from "../http/values.ts";
import { parseEmail, parsePhone } from "../platform/contact.ts";
import type { ChangeTicketBody, CreateTicketBody, InviteTicketBody } from "./schema.ts";
import type { Requestor, Ticket } from "./model.ts";

/** What a client may set and change. */
export type TicketFields = Pick<
  Ticket,
  | "reference"
  | "subject"
  | "type"
  | "description"
  | "name"
  | "priority"
  | "language"
  | "requestor"
  | "startTime"
  | "endTime"
>;

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

/** What the caller of an invitation may choose. */
export type InvitationChoice = Readonly<{
  channels?: readonly Channel[];
  templateId?: number;
  language?: string;
}>;

/** The body of a create. `now` is the start where none is given. */
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

/** What stands in a create, by staff or by a customer: checked and with its defaults. */
export function parseNewFields(body: Omit<CreateTicketBody, "agent">, now: Date): TicketFields {
  return {
    reference: body.reference ?? "",
    subject: orNull(body.subject),
    type: body.type ?? "",
    description: orNull(body.description),
    name: orNull(body.name),
    priority: body.priority ?? 2,
    language: body.language ?? null,
    requestor: parseRequestor(body),
    ...parseSchedule(body, now),
  };
}

function parseRequestor(body: Omit<CreateTicketBody, "agent">): Requestor {
  return requireContact({
    email: emailOf(body.email),
    phone: phoneOf(body.phone),
    firstname: orNull(body.firstname),
    lastname: orNull(body.lastname),
    company: orNull(body.company),
  });
}

function parseSchedule(
  body: Omit<CreateTicketBody, "agent">,
  now: Date,
): Pick<Ticket, "startTime" | "endTime"> {
  const startTime = orNull(body.startTime) === null ? now : parseStart(String(body.startTime));
  return { startTime, endTime: minutesAfter(startTime, body.duration ?? 30) };
}

/** The ticket's fields after the change: what the body does not name stays. */
export function parseTicketChange(ticket: Ticket, body: ChangeTicketBody): TicketFields {
  return {
    reference: body.reference ?? ticket.reference,
    subject: changed(ticket.subject, body.subject, orNull),
    type: body.type ?? ticket.type,
    description: changed(ticket.description, body.description, orNull),
    name: changed(ticket.name, body.name, orNull),
    priority: body.priority ?? ticket.priority,
    language: changed(ticket.language, body.language, orNull),
    requestor: changedRequestor(ticket.requestor, body),
    ...changedSchedule(ticket, body),
  };
}

function changedRequestor(requestor: Requestor, body: ChangeTicketBody): Requestor {
  return requireContact({
    email: changed(requestor.email, body.email, emailOf),
    phone: changed(requestor.phone, body.phone, phoneOf),
    firstname: changed(requestor.firstname, body.firstname, orNull),
    lastname: changed(requestor.lastname, body.lastname, orNull),
    company: changed(requestor.company, body.company, orNull),
  });
}

function requireContact(requestor: Requestor): Requestor {
  if (requestor.email === null && requestor.phone === null) {
    throw fieldProblem(
      [
        { field: "email", reason: "required" },
        { field: "phone", reason: "required" },
      ],
      ["The email field is required when phone is absent."],
    );
  }
  return requestor;
}

/** What the change says where it says something, else what was there. */
function changed<T>(
  current: T,
  value: string | null | undefined,
  parse: (text: typeof value) => T,
): T {
  return value === undefined ? current : parse(value);
}

function emailOf(text: string | null | undefined): string | null {
  return contactOrNull(text, { field: "email", rule: textFormats.email.rule, parse: parseEmail });
}

function phoneOf(text: string | null | undefined): string | null {
  return contactOrNull(text, { field: "phone", rule: textFormats.phone.rule, parse: parsePhone });
}

type ContactRule = Readonly<{
  field: "email" | "phone";
  rule: string;
  parse: (input: string) => string | undefined;
}>;

/** Over HTTP the schema has refused this already; other callers have no schema in front. */
function contactOrNull(
  text: string | null | undefined,
  { field, rule, parse }: ContactRule,
): string | null {
  const input = orNull(text);
  if (input === null) {
    return null;
  }
  const parsed = parse(input);
  if (parsed === undefined) {
    throw invalidParameter(field, "format", `The ${field} field is invalid: it must be ${rule}.`);
  }
  return parsed;
}

function changedSchedule(ticket: Ticket, body: ChangeTicketBody) {
  const startTime = body.startTime === undefined ? ticket.startTime : parseStart(body.startTime);
  const planned = ticket.endTime.getTime() - ticket.startTime.getTime();
  return { startTime, endTime: minutesAfter(startTime, body.duration ?? planned / 60_000) };
}

/** What the caller of an invitation chooses. Nothing named: every channel with a contact. */
export function parseInvitation(body: InviteTicketBody): InvitationChoice {
  const { channels: list, templateId, language } = body;
  return {
    ...parseChannels(list),
    ...(templateId === undefined ? {} : { templateId }),
    ...(language === undefined ? {} : { language }),
  };
}

/** A comma list of channels, which the schema knows; one without any says nothing. */
function parseChannels(list = ""): { channels?: readonly Channel[] } {
  const words = splitCommaList(list);
  return words.length === 0 ? {} : { channels: words as Channel[] };
}
