/** What tickets need of other slices. `compose` hands the real ones over. */
import type { OutboundEvent } from "../contracts/events.ts";
import type { Person, SessionEventSource, SessionEventType } from "../contracts/session-events.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Tasks } from "../platform/tasks/task.ts";

/** A user who can be responsible for tickets. */
export type DirectoryUser = Readonly<{
  id: number;
  login: string;
  isAgent: boolean;
  groupIds: readonly number[];
  person: Person;
}>;

/** A service that handles tickets, with its first entry point. */
export type DirectoryService = Readonly<{
  id: number;
  serviceKey: string;
  buttonId: number;
  /** Empty: any type is fine. */
  ticketTypes: readonly string[];
  /** How long before its planned start a ticket is reminded of. Null: not at all. */
  reminderMinutes: number | null;
  /** Groups whose agents may work for it. Empty: everybody's. */
  groupIds: readonly number[];
}>;

/** Look-ups bound to one enterprise: what another one owns is not found. */
export type Directory = {
  /** An active user with the agent flag. Logins are compared without case. */
  findAgentByLogin(
    db: Queryable,
    enterpriseId: number,
    login: string,
  ): Promise<DirectoryUser | undefined>;
  /** An active user. */
  findUser(db: Queryable, enterpriseId: number, userId: number): Promise<DirectoryUser | undefined>;
  /** An active ticket service: by its key, or the oldest one where no key is given. */
  findServiceForTickets(
    db: Queryable,
    enterpriseId: number,
    serviceKey: string | undefined,
  ): Promise<DirectoryService | undefined>;
  /** Whether the user may work for the service: it has no groups, or they are in one of them. */
  mayServe(
    db: Queryable,
    enterpriseId: number,
    serviceId: number,
    userId: number,
  ): Promise<boolean>;
  /** A group by its name or its id. */
  findGroup(
    db: Queryable,
    enterpriseId: number,
    nameOrId: string,
  ): Promise<Readonly<{ id: number }> | undefined>;
};

export type TimelineEntry = Readonly<{
  enterpriseId: number;
  ticketId: number;
  conversationId: number;
  eventType: SessionEventType;
  source: SessionEventSource;
  at: Date;
  attributes: Readonly<Record<string, unknown>>;
}>;

type Timeline = {
  /** Inserts the entries in the order given; returns the events that tell them, same order. */
  write(trx: Trx, entries: readonly TimelineEntry[]): Promise<OutboundEvent[]>;
};

type Conversations = {
  create(trx: Trx, order: { enterpriseId: number; at: Date }): Promise<{ id: number }>;
};

type SsoTokens = {
  /** A token for this ticket and this user only. */
  issueSsoToken(
    trx: Trx,
    grant: { enterpriseId: number; userId: number; ticketId: number; expiresAt: Date },
  ): Promise<string>;
  /** Ends every such token of the ticket. */
  revokeSsoTokens(trx: Trx, ticket: { enterpriseId: number; ticketId: number }): Promise<void>;
};

export const channels = ["email", "sms"] as const;
export type Channel = (typeof channels)[number];

/** Messages that ask the customer of a ticket to come. */
export type TicketMessage = Readonly<{
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
    isPlanned: boolean;
  }>;
  createdBy: number | null;
  at: Date;
}>;

/** Writes messages down, in the transaction of the ticket whose row is locked already. */
export type Invitations = {
  /** Mail first, then SMS. `isFirst`: the ticket's first invitation on that channel. */
  inviteToTicket(
    trx: Trx,
    message: TicketMessage,
  ): Promise<readonly Readonly<{ invitationId: number; channel: Channel; isFirst: boolean }>[]>;
  remindTicket(trx: Trx, message: TicketMessage): Promise<unknown>;
  /** Undefined where it was clicked meanwhile, or marked before. */
  markNotClicked(
    trx: Trx,
    invitation: Readonly<{ enterpriseId: number; invitationId: number; at: Date }>,
  ): Promise<Readonly<{ ticketId: number }> | undefined>;
};

/**
 * Ends the session that is going on in the room, if there is one. Who leaves is told to the ticket
 * through its `RoomSubject`, in the same transaction; the ticket's state is the caller's matter.
 */
export type EndRoom = (
  trx: Trx,
  room: Readonly<{ enterpriseId: number; conversationId: number }>,
) => Promise<unknown>;

/** What it takes to write a ticket's changes and tell them. */
export type WriterDeps = Readonly<{ clock: Clock; timeline: Timeline; outbox: Outbox }>;

export type TicketDeps = WriterDeps &
  Readonly<{
    db: Db;
    ids: Pick<Ids, "base62">;
    directory: Directory;
    conversations: Conversations;
    ssoTokens: SsoTokens;
    invitations: Invitations;
    tasks: Pick<Tasks, "plan">;
    endRoom: EndRoom;
    /** Public address without a slash at the end. */
    baseUrl: string;
  }>;
