/** What a client wrote → what is stored, or the 400 that names the field. Pure. */
import { invalidParameter, problem } from "../contracts/problems.ts";
import { parseTimestamp } from "../platform/timestamps.ts";
import { parseEmail, parsePhone } from "../platform/contact.ts";
import type { ChangeTicketBody, CreateTicketBody } from "./schema.ts";
import type { Requestor, Ticket } from "./ticket.ts";

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
  wantsSso: boolean;
  fields: TicketFields;
}>;

/** A form sends an empty text for what was left open. */
const orNull = (text: string | null | undefined): string | null =>
  text === undefined || text === "" ? null : text;

const parseSwitch = (field: string, value: boolean | number | string | undefined): boolean => {
  const word = String(value ?? false).toLowerCase();
  if (word === "1" || word === "true") {
    return true;
  }
  if (word === "0" || word === "false" || word === "") {
    return false;
  }
  throw invalidParameter(field, "format");
};

const parseScope = (scope: string | undefined): { wantsSso: boolean } => {
  const words = (scope ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  if (words.some((word) => word !== "sso")) {
    throw invalidParameter("scope", "unknown");
  }
  return { wantsSso: words.length > 0 };
};

const contactOf = (
  field: "email" | "phone",
  text: string | null,
  parse: (given: string) => string | undefined,
): string | null => {
  const parsed = text === null ? null : parse(text);
  if (parsed === undefined) {
    throw invalidParameter(field, "format");
  }
  return parsed;
};

const requireContact = (requestor: Requestor): Requestor => {
  if (requestor.email === null && requestor.phone === null) {
    throw problem("missing_parameter", "The email field is required when phone is absent.", {
      details: "Parameter email",
      errors: [
        { field: "email", reason: "required" },
        { field: "phone", reason: "required" },
      ],
    });
  }
  return requestor;
};

const emailOf = (text: string | null | undefined): string | null =>
  contactOf("email", orNull(text), parseEmail);
const phoneOf = (text: string | null | undefined): string | null =>
  contactOf("phone", orNull(text), parsePhone);

const requestorOf = (body: CreateTicketBody): Requestor =>
  requireContact({
    email: emailOf(body.email),
    phone: phoneOf(body.phone),
    firstname: orNull(body.firstname),
    lastname: orNull(body.lastname),
    company: orNull(body.company),
  });

/** Years that timestamps show with four digits, whatever the duration adds. */
const isShowable = (date: Date): boolean =>
  date.getUTCFullYear() >= 1970 && date.getUTCFullYear() < 9_999;

const startOf = (text: string): Date => {
  const start = parseTimestamp(text);
  if (start === undefined || !isShowable(start)) {
    throw invalidParameter("startTime", "format");
  }
  return start;
};

const minutesAfter = (start: Date, minutes: number): Date =>
  new Date(start.getTime() + minutes * 60_000);

const planOf = (body: CreateTicketBody, now: Date): Pick<Ticket, "startTime" | "endTime"> => {
  const startTime = orNull(body.startTime) === null ? now : startOf(String(body.startTime));
  return { startTime, endTime: minutesAfter(startTime, body.duration ?? 30) };
};

/** The body of a create, checked and with its defaults. `now` is the start where none is given. */
export const parseNewTicket = (body: CreateTicketBody, now: Date): NewTicketInput => ({
  agentLogin: body.agent,
  serviceKey: body.service_key,
  group: body.group === undefined || body.group === "" ? undefined : String(body.group),
  templateId: body.templateId ?? null,
  isInvited: parseSwitch("invite", body.invite),
  ...parseScope(body.scope),
  fields: {
    reference: body.reference ?? "",
    subject: orNull(body.subject),
    type: body.type ?? "",
    description: orNull(body.description),
    name: orNull(body.name),
    priority: body.priority ?? 2,
    language: body.language ?? null,
    requestor: requestorOf(body),
    ...planOf(body, now),
  },
});

/** What the change says where it says something, else what was there. */
const changed = <T>(
  now: T,
  given: string | null | undefined,
  parse: (text: typeof given) => T,
): T => (given === undefined ? now : parse(given));

const changedRequestor = (requestor: Requestor, body: ChangeTicketBody): Requestor =>
  requireContact({
    email: changed(requestor.email, body.email, emailOf),
    phone: changed(requestor.phone, body.phone, phoneOf),
    firstname: changed(requestor.firstname, body.firstname, orNull),
    lastname: changed(requestor.lastname, body.lastname, orNull),
    company: changed(requestor.company, body.company, orNull),
  });

const changedPlan = (ticket: Ticket, body: ChangeTicketBody) => {
  const startTime = body.startTime === undefined ? ticket.startTime : startOf(body.startTime);
  const planned = ticket.endTime.getTime() - ticket.startTime.getTime();
  return { startTime, endTime: minutesAfter(startTime, body.duration ?? planned / 60_000) };
};

/** The ticket's fields after the change: what the body does not name stays. */
export const parseTicketChange = (ticket: Ticket, body: ChangeTicketBody): TicketFields => ({
  reference: body.reference ?? ticket.reference,
  subject: changed(ticket.subject, body.subject, orNull),
  type: body.type ?? ticket.type,
  description: changed(ticket.description, body.description, orNull),
  name: changed(ticket.name, body.name, orNull),
  priority: body.priority ?? ticket.priority,
  language: changed(ticket.language, body.language, orNull),
  requestor: changedRequestor(ticket.requestor, body),
  ...changedPlan(ticket, body),
});
