/** Emails and SMS, and the invitations, reminders and cancellations of tickets and conferences. */
export const channels = ["email", "sms"] as const;

export type Channel = (typeof channels)[number];

/**
 * The statuses of emails and SMS: `queued` → `sent` (accepted by a provider) → one of the last
 * three, which are final.
 */
export const messageStatuses = ["queued", "sent", "delivered", "undelivered", "failed"] as const;

export type MessageStatus = (typeof messageStatuses)[number];

/** The errors of messages that are not about the provider. */
export const messageErrors = [
  "opted_out",
  "quota_reached",
  "invalid_recipient",
  "outdated",
] as const;

/** Messages that invite the customer of a ticket. */
export type TicketInvitationOrder = Readonly<{
  enterpriseId: number;
  serviceId: number;
  ticketId: number;
  channels: readonly Channel[];
  email: string | null;
  phone: string | null;
  languages: Readonly<{ asked: string | null; requestor: string | null }>;
  templateId: number | null;
  /** The template may be gone, because it was chosen earlier; then it is ignored. */
  isTemplateOptional: boolean;
  variables: Readonly<{
    link: string;
    informationLink: string;
    firstname: string | null;
    lastname: string | null;
    name: string | null;
    agentName: string;
    subject: string | null;
    reference: string;
    startTime: Date;
    endTime: Date;
    /** False: the customer is expected now, so the text contains no date. */
    isPlanned: boolean;
  }>;
  createdBy: number | null;
  at: Date;
}>;

/** An invited guest: an email address or a phone number. */
export type GuestContact = Readonly<{
  email: string | null;
  phone: string | null;
  name: string | null;
}>;

/** Messages to the guests of a conference. */
export type ConferenceInvitationOrder = Readonly<{
  enterpriseId: number;
  serviceId: number;
  conferenceId: number;
  guests: readonly GuestContact[];
  language: string | null;
  variables: Readonly<{
    link: string;
    name: string;
    organizerName: string;
    message: string | null;
    startTime: Date;
    endTime: Date;
    dialIn: Readonly<{ number: string; code: string }> | null;
  }>;
  createdBy: number | null;
  at: Date;
}>;

/** Messages to an expert whom the agent of a ticket invites into its call. */
export type ExpertInvitationOrder = Readonly<{
  enterpriseId: number;
  serviceId: number;
  ticketId: number;
  email: string | null;
  phone: string | null;
  language: string | null;
  variables: Readonly<{ link: string; name: string; agentName: string; subject: string }>;
  createdBy: number;
  at: Date;
}>;

export type TicketInvitation = Readonly<{
  invitationId: number;
  channel: Channel;
  /** The ticket's first invitation on this channel. */
  isFirst: boolean;
}>;

export type ConferenceInvitation = Readonly<{
  invitationId: number;
  channel: Channel;
  recipient: string;
}>;

/** A sent message other than an invitation. */
export type SentNotice = Readonly<{ messageId: number; channel: Channel; recipient: string }>;

/** Stores messages in the transaction of the ticket, whose row is locked. */
export type TicketInvitations<Queryable, Trx> = Readonly<{
  /**
   * Email first, then SMS. Channels whose number opted out of SMS are skipped. Throws if none is
   * left.
   */
  inviteToTicket(trx: Trx, order: TicketInvitationOrder): Promise<readonly TicketInvitation[]>;
  /** Throws a 400 if the enterprise has no such template for invitations to tickets. */
  requireTicketTemplate(db: Queryable, enterpriseId: number, templateId: number): Promise<unknown>;
  remindTicket(trx: Trx, order: TicketInvitationOrder): Promise<readonly SentNotice[]>;
  /** Undefined if the invitation was clicked or is already marked. */
  markNotClicked(
    trx: Trx,
    invitation: Readonly<{ enterpriseId: number; invitationId: number; at: Date }>,
  ): Promise<Readonly<{ ticketId: number }> | undefined>;
}>;

export type ExpertInvitations<Trx> = Readonly<{
  /** Throws if the number opted out of SMS and there is no email. */
  inviteExpert(trx: Trx, order: ExpertInvitationOrder): Promise<readonly SentNotice[]>;
}>;

/**
 * Invitations that may not be sent, because the recipient opted out of SMS or the SMS quota is used
 * up. `refuse` throws if all recipients opted out, or if one SMS exceeds the quota. `fail` stores
 * these messages as failed, for use cases that must not depend on a message.
 */
export type UnsendableRule = Readonly<{ unsendable: "refuse" | "fail" }>;

export type ConferenceInvitations<Trx> = Readonly<{
  /** Returns the invitations that will be sent. */
  inviteToConference(
    trx: Trx,
    order: ConferenceInvitationOrder,
    rule: UnsendableRule,
  ): Promise<readonly ConferenceInvitation[]>;
  remindConference(trx: Trx, order: ConferenceInvitationOrder): Promise<readonly SentNotice[]>;
  /** Includes a calendar object that removes the meeting from the guest's calendar. */
  cancelConference(trx: Trx, order: ConferenceInvitationOrder): Promise<readonly SentNotice[]>;
}>;

/** The first click on an invitation; without an id, on the latest one of the ticket. */
export type InvitationClick = Readonly<{
  enterpriseId: number;
  ticketId: number;
  invitationId: number | undefined;
  at: Date;
}>;

/** A mail with a secret, such as a one-time link. The API never shows it. */
export type PrivateMail = Readonly<{
  enterpriseId: number;
  to: string;
  subject: string;
  text: string;
  /** The user who caused it; null for the platform itself. */
  createdBy: number | null;
}>;

/** Stores a mail in the transaction; it is sent after the commit. */
export type QueuePrivateMail<Trx> = (trx: Trx, mail: PrivateMail) => Promise<void>;
