/** Request bodies → stored values, or a 400 that names the field. Pure. */
import { parseFields, type TicketFields } from "./fields.ts";
import type { Channel } from "../contracts/invitations.ts";
import { fieldProblem } from "../contracts/problems.ts";
import {
  splitCommaList,
  minutesAfter,
  orNull,
  parseScope,
  parseStart,
  parseSwitch,
} from "../http/values.ts";
import type { ChangeTicketBody, CreateTicketBody, InviteTicketBody } from "./schema.ts";
import type { Ticket } from "./model.ts";

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

/** A create, by staff or by a customer: checked and with its defaults. */
export function parseNewFields(body: Omit<CreateTicketBody, "agent">, now: Date): TicketFields {
  return { ...requireContact(parseFields(body)), ...parseSchedule(body, now) };
}

function parseSchedule(
  body: Omit<CreateTicketBody, "agent">,
  now: Date,
): Pick<Ticket, "startTime" | "endTime"> {
  const startTime = orNull(body.startTime) === null ? now : parseStart(String(body.startTime));
  return { startTime, endTime: minutesAfter(startTime, body.duration ?? 30) };
}

/** The ticket's fields after the change: absent ones stay. */
export function parseTicketChange(ticket: Ticket, body: ChangeTicketBody): TicketFields {
  return { ...requireContact(parseFields(body, ticket)), ...changedSchedule(ticket, body) };
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

function changedSchedule(ticket: Ticket, body: ChangeTicketBody) {
  const startTime = body.startTime === undefined ? ticket.startTime : parseStart(body.startTime);
  const planned = ticket.endTime.getTime() - ticket.startTime.getTime();
  return { startTime, endTime: minutesAfter(startTime, body.duration ?? planned / 60_000) };
}

/** Absent channels: every channel with a contact. */
export function parseInvitation(body: InviteTicketBody): InvitationChoice {
  const { channels: list, templateId, language } = body;
  return {
    ...parseChannels(list),
    ...(templateId === undefined ? {} : { templateId }),
    ...(language === undefined ? {} : { language }),
  };
}

/** A comma list, checked by the schema. An empty one counts as absent. */
function parseChannels(list = ""): { channels?: readonly Channel[] } {
  const words = splitCommaList(list);
  return words.length === 0 ? {} : { channels: words as Channel[] };
}
