/** Rooms as their neighbours see them: what a room is for, who is in it, and how it ends. */
export type RoomRef = Readonly<{ enterpriseId: number; conversationId: number }>;

/** What a room is for. */
export type SubjectRef = Readonly<{
  kind: "ticket" | "conference";
  enterpriseId: number;
  id: number;
}>;

export type LockedSubject = Readonly<{
  conversationId: number;
  /** Nobody can join any more: closed, cancelled, ended. */
  isOver: boolean;
  /** Only moderators and earlier participants of this session can join. */
  isLocked?: boolean;
}>;

export const participantRoles = [
  "agent",
  "requestor",
  "organizer",
  "moderator",
  "participant",
] as const;

export type ParticipantRole = (typeof participantRoles)[number];

export type ParticipantLeave = Readonly<{
  role: ParticipantRole;
  userId: number | null;
  at: Date;
}>;

export type EndCause = "empty" | "ended" | "limit" | "crash";

/** `at` is the last leave. */
export type SessionEnd = Readonly<{ cause: EndCause; wasEstablished: boolean; at: Date }>;

/**
 * The ticket or conference of a room. Every call runs in the transaction of the room's own change
 * and writes its consequences: the state, the timeline, the events of both.
 *
 * Lock order: the subject's row first, then the session and its participations. This serializes
 * all changes of one room.
 */
export type RoomSubject<Trx> = {
  /** Locks the row until the end of the transaction; undefined if it does not exist. */
  lock(trx: Trx, ref: SubjectRef): Promise<LockedSubject | undefined>;
  /** The first participant joined. People who wait are no participants. */
  sessionStarted(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  /** The customer reached the waiting step: the agent's console rings. */
  agentContacted(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  /** Agent and customer are both present, for the first time in this session. */
  bothPresent(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  /** Their media are connected, for the first time in this session. */
  established(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  /** A participation ended: by leaving, or by silence. */
  participantLeft(trx: Trx, ref: SubjectRef, leave: ParticipantLeave): Promise<void>;
  sessionEnded(trx: Trx, ref: SubjectRef, end: SessionEnd): Promise<void>;
};

/** A room's newest session. */
export type LatestSession = Readonly<{
  id: string;
  startedAt: Date;
  /** Null while it is running. */
  endedAt: Date | null;
  /** The last leave. */
  finishedAt: Date | null;
}>;

/**
 * Ends the room's running session. Leaves reach the subject through its `RoomSubject` in the same
 * transaction; the caller sets the subject's state.
 */
export type EndRoom<Trx> = (trx: Trx, room: RoomRef) => Promise<unknown>;

export type ConversationFactory<Trx> = {
  /** The conversation of a new ticket or conference, in the transaction that creates it. */
  create(
    trx: Trx,
    order: Readonly<{
      enterpriseId: number;
      at: Date;
      /** Of a conference, whose links contain it. Otherwise the database picks one. */
      roomName?: string;
    }>,
  ): Promise<{ id: number; uid: string }>;
};
