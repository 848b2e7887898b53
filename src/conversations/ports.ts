/** Dependencies on other slices, injected by `compose`. */
import type { TicketRef } from "../contracts/tickets.ts";
import type { LatestSession, RoomRef } from "../contracts/rooms.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";

export type MessagesDeps = Readonly<{
  db: Db;
  clock: Clock;
  /** The newest session of the room: one that goes on has not ended. */
  findLatestSession(
    db: Queryable,
    room: RoomRef,
  ): Promise<Pick<LatestSession, "id" | "endedAt"> | undefined>;
  /**
   * The customer of a ticket wrote outside a session: the ticket may need attention now. Locks the
   * ticket's row.
   */
  recordCustomerInput(trx: Trx, ref: TicketRef, at: Date, entries: readonly []): Promise<unknown>;
  /** Called once a message is committed. Never throws, never waits. */
  notifyWritten(written: Readonly<{ enterpriseId: number; messageId: number }>): void;
  /** An active user of the enterprise. */
  findUser(
    db: Queryable,
    enterpriseId: number,
    userId: number,
  ): Promise<Readonly<{ displayName: string }> | undefined>;
}>;

/** One page of a ticket's timeline as `GET /tickets/{id}/events` shows it, and its length. */
export type ListTicketEvents = (
  owner: TicketRef,
  page: Readonly<{ order: "asc" | "desc"; limit: number; offset: number }>,
) => Promise<Readonly<{ total: number; events: readonly Record<string, unknown>[] }>>;

/** A room's lasting side: sessions come and go, what was written in it stays. */
export type Conversation = Readonly<{
  id: number;
  /** What webhooks name. */
  uid: string;
  roomName: string;
  createdAt: Date;
  ticketId: number | null;
  conferenceId: number | null;
  /** Whether people are in the room. */
  isOngoing: boolean;
  /** The last leave of the last session; null before that and while one goes on. */
  finishedAt: Date | null;
  /** Its ticket or conference is closed, cancelled or ended: nothing more is written. */
  isOver: boolean;
}>;
