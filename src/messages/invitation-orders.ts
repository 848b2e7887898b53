import type { Channel } from "./message.ts";

/** A customer who is asked to come, as tickets order it. */
export type TicketOrder = Readonly<{
  enterpriseId: number;
  serviceId: number;
  ticketId: number;
  channels: readonly Channel[];
  email: string | null;
  phone: string | null;
  languages: Readonly<{ asked: string | null; requestor: string | null }>;
  templateId: number | null;
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
    /** False: the customer is expected now, so neither day nor hour is told. */
    isPlanned: boolean;
  }>;
  createdBy: number | null;
  at: Date;
}>;

export type OrderGuest = Readonly<{
  email: string | null;
  phone: string | null;
  name: string | null;
}>;

/** Guests who are told about a conference. */
export type ConferenceOrder = Readonly<{
  enterpriseId: number;
  serviceId: number;
  conferenceId: number;
  guests: readonly OrderGuest[];
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

export type TicketInvitation = Readonly<{
  invitationId: number;
  channel: Channel;
  isFirst: boolean;
}>;

export type ConferenceInvitation = Readonly<{
  invitationId: number;
  channel: Channel;
  recipient: string;
}>;

export type Notice = Readonly<{ messageId: number; channel: Channel; recipient: string }>;
