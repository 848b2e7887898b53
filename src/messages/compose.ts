/** Turns an order and a template into messages. Writes nothing. */
import type {
  Channel,
  TicketInvitationOrder,
  ConferenceInvitationOrder,
  ExpertInvitationOrder,
} from "../contracts/invitations.ts";
import type { Queryable } from "../platform/db/pool.ts";
import type { NewMessage } from "./model.ts";
import type { InvitationSubject } from "./invitation-store.ts";
import { findSendingRules, type SendingRules } from "./rules-store.ts";
import { formatDay, formatTime, type Variables, type Wording } from "./templates/store.ts";
import type { TemplateKind } from "../contracts/message-templates.ts";
import { render } from "./templates/render.ts";
import { chooseWording } from "./templates/service.ts";
import makeCalendar, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";

export type ComposeDeps = Readonly<{
  /** Value of the From header. */
  mailFrom: string;
  /** Public address, without a trailing slash. */
  baseUrl: string;
}>;

type DraftRecipient = Readonly<{ channel: Channel; recipient: string }>;

/** The calendar entry of a message: an invitation, its cancellation, or none. */
export type CalendarAction = "request" | "cancel" | "none";

type MessageDraft = Readonly<{
  kind: TemplateKind;
  to: readonly DraftRecipient[];
  subject: InvitationSubject;
  serviceId: number;
  languages: readonly (string | null)[];
  templateId: number | null;
  isTemplateOptional?: boolean;
  /** Null: the customer is expected now. */
  times: Readonly<{ startTime: Date; endTime: Date }> | null;
  variables: Variables;
  organizerName: string;
  calendar: CalendarAction;
  /** How many calendar entries each address has received before. */
  sequences: ReadonlyMap<string, number>;
  createdBy: number | null;
  at: Date;
}>;

type ConferenceDraftOptions = Readonly<{
  kind: "conference" | "reminder" | "cancel";
  sequences: MessageDraft["sequences"];
}>;

export type CalendarEntry = Readonly<{
  /** Constant for the lifetime of the meeting. */
  uid: string;
  /** Increases with each entry for a guest: calendars apply the highest (RFC 5545 SEQUENCE). */
  sequence: number;
  isCancelled: boolean;
  title: string;
  description: string;
  link: string;
  startTime: Date;
  endTime: Date;
  organizer: Readonly<{ name: string; email: string }>;
  attendee: string;
  at: Date;
}>;

/** The messages of a draft, each with the wording of its channel. */
export async function composeMessages(
  db: Queryable,
  deps: ComposeDeps,
  draft: MessageDraft,
): Promise<NewMessage[]> {
  const { kind, to, subject, serviceId, languages, templateId, createdBy, at } = draft;
  const { enterpriseId } = subject;
  const rules = await findSendingRules(db, enterpriseId);
  const templateScope = { enterpriseId, serviceId };
  const compose = async (channel: Channel): Promise<NewMessage[]> => {
    const recipients = to.filter((one) => one.channel === channel);
    if (recipients.length === 0) {
      return [];
    }
    const wording = await chooseWording(db, {
      scope: templateScope,
      kind,
      channel,
      languages,
      templateId,
      isTemplateOptional: draft.isTemplateOptional ?? false,
    });
    const { link: _link, ...unlinked } = draft.variables;
    const input = kind === "cancel" ? unlinked : draft.variables;
    const values = { enterprise: rules.name, ...input, ...timesOf(draft, wording, rules) };
    const rendered = render(wording, values);
    return recipients.map(({ recipient }) => {
      const title =
        values.name === undefined || values.name === "" ? (rendered.subject ?? "") : values.name;
      const calendar =
        channel === "sms" ? null : entryFor(deps, draft, { recipient, title, text: rendered.text });
      const { ticketId, conferenceId } = subject;
      return {
        enterpriseId,
        channel,
        recipient,
        ...rendered,
        calendar,
        ticketId,
        conferenceId,
        // The link of an expert is for one person; that of a ticket is part of the ticket.
        isPrivate: kind === "expert",
        endsWithSubject: kind !== "cancel",
        createdBy,
        at,
      };
    });
  };
  return [...(await compose("email")), ...(await compose("sms"))];
}

function timesOf({ times }: MessageDraft, wording: Wording, { timeZone }: SendingRules): Variables {
  const rules = { channel: wording.channel, language: wording.language, timeZone };
  return times === null
    ? {}
    : {
        startDate: formatDay(times.startTime, rules),
        startTime: formatTime(times.startTime, rules),
        endTime: formatTime(times.endTime, rules),
      };
}

function entryFor(
  { mailFrom, baseUrl }: ComposeDeps,
  draft: MessageDraft,
  { recipient, title, text }: Readonly<{ recipient: string; title: string; text: string }>,
): string | null {
  const { calendar, times, subject, organizerName, at } = draft;
  if (calendar === "none" || times === null) {
    return null;
  }
  return calendarOf({
    uid: uidOf(subject, baseUrl),
    sequence: draft.sequences.get(recipient) ?? 0,
    isCancelled: calendar === "cancel",
    title,
    description: text,
    link: draft.variables.link ?? "",
    ...times,
    organizer: { name: organizerName, email: addressIn(mailFrom) },
    attendee: recipient,
    at,
  });
}

/** An iCalendar object with one entry: a request or a cancellation. Times are in UTC. */
export function calendarOf(entry: CalendarEntry): string {
  const { isCancelled, organizer } = entry;
  const calendar = makeCalendar({
    prodId: "//Sightline//Sightline//EN",
    method: isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
  });
  calendar.createEvent({
    id: entry.uid,
    sequence: entry.sequence,
    stamp: entry.at,
    start: entry.startTime,
    end: entry.endTime,
    summary: entry.title,
    description: entry.description,
    ...(isCancelled ? {} : { location: entry.link, url: entry.link }),
    organizer: { name: plainName(organizer.name) || organizer.email, email: organizer.email },
    attendees: [{ email: entry.attendee, rsvp: !isCancelled }],
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  return `${calendar.toString()}\r\n`;
}

/** A quoted name cannot contain quotes. Out: empty for a single no-break space. */
function plainName(name: string): string {
  return name.replaceAll(/["\p{Cc}]/gu, " ").trim();
}

function uidOf({ ticketId, conferenceId }: InvitationSubject, baseUrl: string): string {
  return `${ticketId === null ? `conference-${conferenceId}` : `ticket-${ticketId}`}@${new URL(baseUrl).hostname}`;
}

function addressIn(from: string): string {
  return /<([^>]+)>/u.exec(from)?.[1] ?? from;
}

type TicketDraftOptions = Readonly<{
  kind: "ticket" | "reminder";
  sequences: MessageDraft["sequences"];
}>;

export function ticketDraft(
  order: TicketInvitationOrder,
  { kind, sequences }: TicketDraftOptions,
): MessageDraft {
  const { enterpriseId, ticketId, email, phone, variables, languages } = order;
  const { startTime, endTime, isPlanned, agentName } = variables;
  return {
    kind,
    to: recipientsOf({ email, phone }).filter(({ channel }) => order.channels.includes(channel)),
    subject: { enterpriseId, ticketId, conferenceId: null },
    serviceId: order.serviceId,
    languages: [languages.asked, languages.requestor],
    // Only invitations can have a chosen template.
    templateId: kind === "ticket" ? order.templateId : null,
    isTemplateOptional: order.isTemplateOptional,
    times: isPlanned || kind === "reminder" ? { startTime, endTime } : null,
    variables: {
      link: variables.link,
      informationLink: variables.informationLink,
      firstname: textOrEmpty(variables.firstname),
      lastname: textOrEmpty(variables.lastname),
      name: textOrEmpty(variables.name),
      agentName,
      organizerName: agentName,
      subject: textOrEmpty(variables.subject),
      reference: variables.reference,
    },
    organizerName: agentName,
    calendar: kind === "ticket" && isPlanned ? "request" : "none",
    sequences,
    createdBy: order.createdBy,
    at: order.at,
  };
}

const calendarActions = {
  conference: "request",
  reminder: "none",
  cancel: "cancel",
} as const satisfies Record<ConferenceDraftOptions["kind"], CalendarAction>;

export function conferenceDraft(
  order: ConferenceInvitationOrder,
  { kind, sequences }: ConferenceDraftOptions,
): MessageDraft {
  const { enterpriseId, conferenceId, variables } = order;
  const { link, name, organizerName, message, startTime, endTime, dialIn } = variables;
  return {
    kind,
    to: order.guests.flatMap(recipientsOf),
    subject: { enterpriseId, ticketId: null, conferenceId },
    serviceId: order.serviceId,
    languages: [order.language],
    templateId: null,
    times: { startTime, endTime },
    variables: {
      link,
      name,
      organizerName,
      message: textOrEmpty(message),
      dialInNumber: dialIn?.number ?? "",
      dialInCode: dialIn?.code ?? "",
    },
    organizerName,
    calendar: calendarActions[kind],
    sequences,
    createdBy: order.createdBy,
    at: order.at,
  };
}

/** The expert is expected now: the text has no date. */
export function expertDraft(order: ExpertInvitationOrder): MessageDraft {
  const { enterpriseId, ticketId, variables } = order;
  return {
    kind: "expert",
    to: recipientsOf(order),
    subject: { enterpriseId, ticketId, conferenceId: null },
    serviceId: order.serviceId,
    languages: [order.language],
    templateId: null,
    times: null,
    variables,
    organizerName: variables.agentName,
    calendar: "none",
    sequences: new Map(),
    createdBy: order.createdBy,
    at: order.at,
  };
}

function recipientsOf({
  email,
  phone,
}: Readonly<{ email: string | null; phone: string | null }>): DraftRecipient[] {
  return [
    ...(email === null ? [] : [{ channel: "email", recipient: email } as const]),
    ...(phone === null ? [] : [{ channel: "sms", recipient: phone } as const]),
  ];
}

function textOrEmpty(text: string | null): string {
  return text ?? "";
}
