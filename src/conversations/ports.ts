/** Dependencies on other features, injected by `compose`. */
import type { FindUser } from "../contracts/directory.ts";
import type { FindLatestSession } from "../contracts/rooms.ts";
import type { RecordCustomerInput, TicketRef } from "../contracts/tickets.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";

export type MessagesDeps = Readonly<{
  db: Db;
  clock: Clock;
  findLatestSession: FindLatestSession<Queryable>;
  recordCustomerInput: RecordCustomerInput<Trx>;
  /** Called after the commit. Never throws or waits. */
  notifyWritten(written: Readonly<{ enterpriseId: number; messageId: number }>): void;
  findUser: FindUser<Queryable, number>;
}>;

/** One page of a ticket's timeline in the format of `GET /tickets/{id}/events`, and the total. */
export type ListTicketEvents = (
  owner: TicketRef,
  page: Readonly<{ order: "asc" | "desc"; limit: number; offset: number }>,
) => Promise<Readonly<{ total: number; events: readonly Record<string, unknown>[] }>>;

/** The persistent part of a room: it outlives the sessions. */
export type Conversation = Readonly<{
  id: number;
  /** The public id used in webhooks. */
  uid: string;
  roomName: string;
  createdAt: Date;
  ticketId: number | null;
  conferenceId: number | null;
  /** Whether people are in the room. */
  isOngoing: boolean;
  /** When the last participant left the last session; null before that and during a session. */
  finishedAt: Date | null;
  /** Its ticket or conference is closed, cancelled or ended: no more messages. */
  isOver: boolean;
}>;
