/** Dependencies on other features, injected by `compose`. */
import type { SsoTokens } from "../contracts/tickets.ts";
import type { TicketInvitations } from "../contracts/invitations.ts";
import type { Scope } from "../contracts/permissions.ts";
import type {
  DirectoryUser,
  FindUser,
  TicketColleague,
  TicketService,
} from "../contracts/directory.ts";
import type { EndRoom, ConversationFactory, WakeRoom } from "../contracts/rooms.ts";
import type { OutboundEvent } from "../contracts/events.ts";
import type { TimelineEntry } from "../contracts/session-events.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Tasks } from "../platform/tasks/task.ts";

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
  /** Inserts the entries. Out: their events, in the same order. */
  write(trx: Trx, entries: readonly TimelineEntry[]): Promise<OutboundEvent[]>;
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
    invitations: TicketInvitations<Trx>;
    tasks: Pick<Tasks, "plan">;
    endRoom: EndRoom<Trx>;
    wakeRoom: WakeRoom;
    /** Public address without a slash at the end. */
    baseUrl: string;
  }>;
