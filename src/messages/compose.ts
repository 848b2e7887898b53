/** An order and a template → the messages of it. Nothing is written here. */
import type { Queryable } from "../platform/db/pool.ts";
import { calendarOf } from "./calendar.ts";
import type { ConferenceOrder, TicketOrder } from "./invitation-orders.ts";
import type { Subject } from "./invitation-store.ts";
import type { Channel, NewMessage } from "./message.ts";
import { findSendingRules, type SendingRules } from "./rules-store.ts";
import { dayOf, timeOf } from "./templates/moments.ts";
import type { TemplateKind, Variables } from "./templates/kinds.ts";
import { render } from "./templates/render.ts";
import type { Wording } from "./templates/wording.ts";
import { chooseWording } from "./templates/service.ts";

export type ComposeDeps = Readonly<{
  /** Sender of mails, as a header carries it. */
  mailFrom: string;
  /** Public address without a slash at the end. */
  baseUrl: string;
}>;

type To = Readonly<{ channel: Channel; recipient: string }>;

/** What is put into calendars: an invitation, or its end. */
export type CalendarPart = "request" | "cancel" | "none";

type Draft = Readonly<{
  kind: TemplateKind;
  to: readonly To[];
  subject: Subject;
  serviceId: number;
  languages: readonly (string | null)[];
  templateId: number | null;
  /** Null: the customer is expected now. */
  times: Readonly<{ startTime: Date; endTime: Date }> | null;
  variables: Variables;
  organizerName: string;
  calendar: CalendarPart;
  /** How many calendar entries an address has got before. */
  sequences: ReadonlyMap<string, number>;
  createdBy: number | null;
  at: Date;
}>;

type ConferencePart = Readonly<{
  kind: "conference" | "reminder" | "cancel";
  sequences: Draft["sequences"];
}>;

/** The messages of a draft, each in the words for its channel. */
export async function composeMessages(
  db: Queryable,
  deps: ComposeDeps,
  draft: Draft,
): Promise<NewMessage[]> {
  const { kind, to, subject, serviceId, languages, templateId, createdBy, at } = draft;
  const { enterpriseId } = subject;
  const rules = await findSendingRules(db, enterpriseId);
  const place = { enterpriseId, serviceId };
  const compose = async (channel: Channel): Promise<NewMessage[]> => {
    const recipients = to.filter((one) => one.channel === channel);
    if (recipients.length === 0) {
      return [];
    }
    const wording = await chooseWording(db, { place, kind, channel, languages, templateId });
    const { link: _link, ...unlinked } = draft.variables;
    const given = kind === "cancel" ? unlinked : draft.variables;
    const values = { enterprise: rules.name, ...given, ...timesOf(draft, wording, rules) };
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
        createdBy,
        at,
      };
    });
  };
  return [...(await compose("email")), ...(await compose("sms"))];
}

function timesOf({ times }: Draft, wording: Wording, { timeZone }: SendingRules): Variables {
  const rules = { channel: wording.channel, language: wording.language, timeZone };
  return times === null
    ? {}
    : {
        startDate: dayOf(times.startTime, rules),
        startTime: timeOf(times.startTime, rules),
        endTime: timeOf(times.endTime, rules),
      };
}

function entryFor(
  { mailFrom, baseUrl }: ComposeDeps,
  draft: Draft,
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

function uidOf({ ticketId, conferenceId }: Subject, baseUrl: string): string {
  return `${ticketId === null ? `conference-${conferenceId}` : `ticket-${ticketId}`}@${new URL(baseUrl).hostname}`;
}

function addressIn(from: string): string {
  return /<([^>]+)>/u.exec(from)?.[1] ?? from;
}

type TicketPart = Readonly<{ kind: "ticket" | "reminder"; sequences: Draft["sequences"] }>;

export function ticketDraft(order: TicketOrder, { kind, sequences }: TicketPart): Draft {
  const { enterpriseId, ticketId, email, phone, variables, languages } = order;
  const { startTime, endTime, isPlanned, agentName } = variables;
  const to = [
    ...(email === null ? [] : [{ channel: "email", recipient: email } as const]),
    ...(phone === null ? [] : [{ channel: "sms", recipient: phone } as const]),
  ];
  return {
    kind,
    to: to.filter(({ channel }) => order.channels.includes(channel)),
    subject: { enterpriseId, ticketId, conferenceId: null },
    serviceId: order.serviceId,
    languages: [languages.asked, languages.requestor],
    // A template that was asked for is one of invitations.
    templateId: kind === "ticket" ? order.templateId : null,
    times: isPlanned || kind === "reminder" ? { startTime, endTime } : null,
    variables: {
      link: variables.link,
      informationLink: variables.informationLink,
      firstname: known(variables.firstname),
      lastname: known(variables.lastname),
      name: known(variables.name),
      agentName,
      organizerName: agentName,
      subject: known(variables.subject),
      reference: variables.reference,
    },
    organizerName: agentName,
    calendar: kind === "ticket" && isPlanned ? "request" : "none",
    sequences,
    createdBy: order.createdBy,
    at: order.at,
  };
}

const calendarParts = {
  conference: "request",
  reminder: "none",
  cancel: "cancel",
} as const satisfies Record<ConferencePart["kind"], CalendarPart>;

export function conferenceDraft(
  order: ConferenceOrder,
  { kind, sequences }: ConferencePart,
): Draft {
  const { enterpriseId, conferenceId, variables } = order;
  const { link, name, organizerName, message, startTime, endTime, dialIn } = variables;
  return {
    kind,
    to: order.guests.flatMap(({ email, phone }): To[] => [
      ...(email === null ? [] : [{ channel: "email", recipient: email } as const]),
      ...(phone === null ? [] : [{ channel: "sms", recipient: phone } as const]),
    ]),
    subject: { enterpriseId, ticketId: null, conferenceId },
    serviceId: order.serviceId,
    languages: [order.language],
    templateId: null,
    times: { startTime, endTime },
    variables: {
      link,
      name,
      organizerName,
      message: known(message),
      dialInNumber: dialIn?.number ?? "",
      dialInCode: dialIn?.code ?? "",
    },
    organizerName,
    calendar: calendarParts[kind],
    sequences,
    createdBy: order.createdBy,
    at: order.at,
  };
}

function known(text: string | null): string {
  return text ?? "";
}
