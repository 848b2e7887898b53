/** A ticket, when its state ends by itself, and what the feature needs from others. */
import type {
  DirectoryUser,
  FindUser,
  TicketColleague,
  TicketService,
  ServiceRules,
} from "../contracts/directory.ts";
import type { OutboundEvent, TicketState } from "../contracts/events.ts";
import type { TicketInvitations } from "../contracts/invitations.ts";
import type { Scope } from "../contracts/permissions.ts";
import type { ConversationFactory, EndRoom, WakeRoom } from "../contracts/rooms.ts";
import type { EntryAgent, Geoloc, Person, TimelineEntry } from "../contracts/session-events.ts";
import { canMeet, daysUntilExpiry, type LinkEnd, type SsoTokens } from "../contracts/tickets.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import { type Clock, dayMs } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Tasks } from "../platform/tasks/task.ts";
import type { TicketFields } from "./fields.ts";

/** Fields that decide when a state expires. */
type ExpiryFields = Readonly<{
  state: TicketState;
  endTime: Date;
  modifiedAt: Date;
  lastInvitedAt: Date | null;
}>;

export type Ticket = TicketFields &
  Readonly<{
    id: number;
    enterpriseId: number;
    conversationId: number;
    serviceId: number;
    serviceKey: string;
    buttonId: number;
    agent: Agent | null;
    state: TicketState;
    requestorSecret: string;
    informationCode: string;
    geoloc: Geoloc | null;
    /** The message template of invitations; null: the service's. */
    templateId: number | null;
    lastInvitedAt: Date | null;
    /** How a closed ticket was closed. */
    closeReason: CloseReason | null;
    createdAt: Date;
    modifiedAt: Date;
    /** The version of a row that was read without a lock: an update fails if it has changed. */
    version?: string | undefined;
  }>;

export type CloseReason = "closed" | "cancelled";

export type Agent = Readonly<{ id: number; login: string; person: Person }>;

/** Customers can no longer join: the ticket is over or needs a new invitation. */
export function isOver(ticket: LinkEndFields, at: Date): boolean {
  return linkEndOf(ticket, at) !== undefined;
}

type LinkEndFields = ExpiryFields & Pick<Ticket, "closeReason">;

/** Why customers can no longer join; undefined while they can. */
export function linkEndOf(ticket: LinkEndFields, at: Date): LinkEnd | undefined {
  const { state, closeReason } = ticket;
  // Until the timer runs, an expired invitation still has the state `invited`.
  const validUntil = state === "invited" ? expiresAt(ticket) : null;
  if (canMeet(state)) {
    return validUntil !== null && validUntil <= at ? "expired" : undefined;
  }
  if (state === "rejected" || closeReason === "cancelled") {
    return "cancelled";
  }
  return state === "expired" || state === "declined" ? state : "closed";
}

/**
 * When the state expires or closes by itself; null if never. An invitation is valid until the
 * planned end, for at least a day.
 */
export function expiresAt({
  state,
  endTime,
  modifiedAt,
  lastInvitedAt,
}: ExpiryFields): Date | null {
  if (state === "invited") {
    const dayLater = daysAfter(1, lastInvitedAt ?? modifiedAt);
    return dayLater > endTime ? dayLater : endTime;
  }
  const days = daysUntilExpiry[state];
  return days === null ? null : daysAfter(days, modifiedAt);
}

function daysAfter(days: number, from: Date): Date {
  return new Date(from.getTime() + days * dayMs);
}

/** The customer in timeline entries: strings only. */
export function requestorPerson({ requestor }: Ticket): Person {
  return {
    email: requestor.email ?? "",
    phone: requestor.phone ?? "",
    firstname: requestor.firstname ?? "",
    lastname: requestor.lastname ?? "",
  };
}

/** The agent in timeline entries; empty without an agent. */
export function entryAgentOf({ agent }: Ticket): EntryAgent {
  return agent ?? { id: null, person: { email: "", phone: "", firstname: "", lastname: "" } };
}

/** Look-ups within one enterprise. */
export type TicketDirectory = {
  /** Finds users with the agent flag only. */
  findAgentByLogin: FindUser<Queryable, string>;
  findUser: FindUser<Queryable, number>;
  /** An active ticket service: by its key, else the oldest one. */
  findServiceForTickets(
    db: Queryable,
    enterpriseId: number,
    serviceKey: string | undefined,
  ): Promise<TicketService | undefined>;
  /** The rules of a ticket's service, which may be disabled or deleted. */
  findServiceRules(
    db: Queryable,
    ticket: Pick<Ticket, "enterpriseId" | "serviceId">,
  ): Promise<ServiceRules>;
  /** Whether the user may work for the service: it has no groups, or the user is in one of them. */
  mayServe(
    db: Queryable,
    enterpriseId: number,
    serviceId: number,
    userId: number,
  ): Promise<boolean>;
  /** Colleagues whom the caller sees in the directory, by name. */
  listColleagues(
    db: Queryable,
    scope: Scope,
    serviceId: number,
  ): Promise<readonly TicketColleague[]>;
  /** An active colleague whom the caller sees in the directory. */
  findColleague(db: Queryable, scope: Scope, userId: number): Promise<DirectoryUser | undefined>;
  /** A group by its name or its id. */
  findGroup(
    db: Queryable,
    enterpriseId: number,
    nameOrId: string,
  ): Promise<Readonly<{ id: number }> | undefined>;
};

type Timeline = {
  /** Inserts the entries. Out: their events, in the same order. `ids`: reserved ones, of a new ticket. */
  write(
    trx: Trx,
    entries: readonly TimelineEntry[],
    ids?: readonly number[],
  ): Promise<OutboundEvent[]>;
};

/** Dependencies for writing a ticket and its events. */
export type WriterDeps = Readonly<{ clock: Clock; timeline: Timeline; outbox: Outbox }>;

export type TicketDeps = WriterDeps &
  Readonly<{
    db: Db;
    ids: Pick<Ids, "base62">;
    directory: TicketDirectory;
    conversations: ConversationFactory<Trx>;
    ssoTokens: SsoTokens<Trx>;
    invitations: TicketInvitations<Queryable, Trx>;
    tasks: Pick<Tasks, "plan">;
    endRoom: EndRoom<Trx>;
    wakeRoom: WakeRoom;
    /** Public address without a slash at the end. */
    baseUrl: string;
  }>;
