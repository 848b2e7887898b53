/** What tickets need of other slices. `compose` hands the real ones over. */
import type { OutboundEvent } from "../contracts/events.ts";
import type { Person, SessionEventSource, SessionEventType } from "../contracts/session-events.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";

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

export type TicketDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "base62">;
  directory: Directory;
  conversations: Conversations;
  timeline: Timeline;
  ssoTokens: SsoTokens;
  outbox: Outbox;
}>;
