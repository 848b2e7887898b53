/** What rooms need of other slices. `compose` hands the real ones over. */
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import type { Tasks } from "../platform/tasks/task.ts";

/** What a room is for. */
export type SubjectRef = Readonly<{
  kind: "ticket" | "conference";
  enterpriseId: number;
  id: number;
}>;

export type LockedSubject = Readonly<{
  conversationId: number;
  /** Nobody comes in any more: closed, cancelled, ended. */
  isOver: boolean;
  /** Only who was in this session already comes back, and who leads it. */
  isLocked?: boolean;
}>;

export type EndCause = "empty" | "ended" | "limit" | "crash";

/**
 * The ticket or conference of a room. Every call runs in the transaction of the room's own change
 * and writes what follows from it: the state, the timeline, the events that tell both.
 *
 * Lock order: the subject's row first, then the session and its stays. All changes of one room thus
 * happen one after the other.
 */
export type RoomSubject = {
  /** Locks the row until the end of the transaction; undefined where it is gone. */
  lock(trx: Trx, ref: SubjectRef): Promise<LockedSubject | undefined>;
  /** Somebody who was let in started a session. Waiting people do not. */
  sessionStarted(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  /** The customer reached the waiting step: the agent is rung. */
  agentContacted(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  /** Agent and customer are both there, for the first time in this session. */
  met(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  /** Their media are connected, for the first time in this session. */
  established(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  /** A stay ended: by leaving, or by silence. */
  left(
    trx: Trx,
    ref: SubjectRef,
    leave: Readonly<{ role: ParticipantRole; userId: number | null; at: Date }>,
  ): Promise<void>;
  /** The session is over; `at` is the last leave. */
  sessionOver(
    trx: Trx,
    ref: SubjectRef,
    end: Readonly<{ cause: EndCause; wasEstablished: boolean; at: Date }>,
  ): Promise<void>;
};

export const participantRoles = [
  "agent",
  "requestor",
  "organizer",
  "moderator",
  "participant",
] as const;
export type ParticipantRole = (typeof participantRoles)[number];

export type RoomsDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  tasks: Tasks;
  outbox: Outbox;
  log: Pick<Logger, "error">;
  subjects: Readonly<Record<SubjectRef["kind"], RoomSubject>>;
  /**
   * Whether the customer of a ticket agreed to the terms in this use of the link, and no session
   * ended since: consent is for one session.
   */
  hasConsent(trx: Trx, order: Readonly<{ ticketId: number; visit: string }>): Promise<boolean>;
}>;
