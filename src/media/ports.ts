/** Dependencies on other features, injected by `compose`. */
import type { RoomRef } from "../contracts/rooms.ts";
import type { RecordCustomerInput, TicketRef } from "../contracts/tickets.ts";
import type { Scope } from "../contracts/permissions.ts";
import type { TimelineEvent } from "../contracts/session-events.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { BlobStore } from "../platform/blobs/store.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import type { FaultPoint } from "../contracts/fault-points.ts";
import type { Ids } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import type { Tasks } from "../platform/tasks/task.ts";

type LockedTicket = Readonly<{ id: number; enterpriseId: number; conversationId: number }>;

/** The ticket that a file belongs to, inside the transaction that completes the file. */
export type MediaTickets = {
  /** Locks the ticket until the end of the transaction; undefined if it does not exist. */
  lock(trx: Trx, ref: TicketRef): Promise<LockedTicket | undefined>;
  /** Writes timeline entries and appends their events. */
  writeTimeline(trx: Trx, ticket: LockedTicket, entries: readonly TimelineEvent[]): Promise<void>;
  recordCustomerInput: RecordCustomerInput<Trx>;
};

export type MediaParent = Readonly<{ conversationId: number }>;

/** Throws 404 if the enterprise has no such object, 403 if it is out of reach. */
export type MediaParents = {
  requireTicket(scope: Scope, ticketId: number): Promise<MediaParent>;
  requireConference(scope: Scope, conferenceId: number): Promise<MediaParent>;
};

/** Whether people are in the room of the conversation. */
export type HasOpenSession = (db: Queryable, room: RoomRef) => Promise<boolean>;

/** Whether those who are in the room have agreed to a recording. */
export type RecordingConsent = Readonly<{
  mayStart(db: Queryable, room: RoomRef & Readonly<{ ticketId: number | null }>): Promise<boolean>;
  mayContinue(db: Queryable, room: RoomRef): Promise<boolean>;
}>;

export type MediaDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  blobs: BlobStore;
  outbox: Outbox;
  tasks: Tasks;
  tickets: MediaTickets;
  parents: MediaParents;
  hasOpenSession: HasOpenSession;
  recordingConsent: RecordingConsent;
  faultPoint: FaultPoint;
  log: Pick<Logger, "error">;
}>;
