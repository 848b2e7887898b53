import type { CallQuality, JoinRefusal } from "./room-messages.ts";
import { type participantRoles, type MessageWindow } from "./signalling.ts";

/** Rooms as other features see them: their subject, their sessions and their chat. */
export type RoomRef = Readonly<{ enterpriseId: number; conversationId: number }>;

/** The ticket or conference that a room belongs to. */
export type SubjectRef = Readonly<{
  kind: "ticket" | "conference";
  enterpriseId: number;
  id: number;
}>;

export type LockedSubject = Readonly<{
  conversationId: number;
  /** Nobody can join any more: the ticket or conference is closed, cancelled or ended. */
  isOver: boolean;
  /** Only moderators and earlier participants of this session can join. */
  isLocked?: boolean;
}>;

export type ParticipantRole = (typeof participantRoles)[number];

/** The participant of an invited expert: one per invitation. */
export function expertId(invitationId: string): string {
  return `expert-${invitationId}`;
}

/** The `participant` of a user who takes part in the call of a ticket as its agent. */
export function agentParticipant(userId: number): string {
  return `agent:${userId}`;
}

/** The `participant` of a user in a meeting. */
export function userParticipant(userId: number): string {
  return `user-${userId}`;
}

/** Only experts have such a participant. */
export function isExpertId(participant: string): boolean {
  return participant.startsWith("expert-");
}

/**
 * How a service wants the media of its calls to travel. `auto`: a mesh for up to three people, then
 * LiveKit where it is configured.
 */
export const roomBackends = ["auto", "mesh", "livekit"] as const;

export type RoomBackend = (typeof roomBackends)[number];

/** `fallback`: a mesh until the end of the session, because LiveKit could not be reached. */
export type StoredRoute = "mesh" | "livekit" | "fallback";

/**
 * Whether a supervisor can watch a session, which needs LiveKit, and otherwise why not: it is not
 * configured, the service uses direct connections only, or LiveKit could not be reached.
 */
export const supervisionStates = ["available", "no_livekit", "mesh_only", "unreachable"] as const;

export type SupervisionState = (typeof supervisionStates)[number];

export function supervisionOf(
  { route, backend }: Readonly<{ route: StoredRoute; backend: RoomBackend }>,
  hasLivekit: boolean,
): SupervisionState {
  if (!hasLivekit) {
    return "no_livekit";
  }
  if (route === "fallback") {
    return "unreachable";
  }
  return route === "mesh" && backend === "mesh" ? "mesh_only" : "available";
}

export type ParticipantLeave = Readonly<{
  role: ParticipantRole;
  userId: number | null;
  at: Date;
}>;

export type EndCause = "empty" | "ended" | "limit" | "crash";

/** `at` is the last leave. */
export type SessionEnd = Readonly<{ cause: EndCause; wasEstablished: boolean; at: Date }>;

/**
 * The ticket or conference of a room. Every call runs in the transaction that changes the room, and
 * writes the state, the timeline and the events of the subject.
 *
 * Lock order: the subject's row first, then the session and its participations. This serializes all
 * changes of one room.
 */
export type RoomSubject<Trx> = {
  /** Locks the row until the end of the transaction; undefined if it does not exist. */
  lock(trx: Trx, ref: SubjectRef): Promise<LockedSubject | undefined>;
  /** The first participant joined. People in the waiting step are not participants. */
  sessionStarted(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  /** The customer reached the waiting step: the agent's console rings. */
  agentContacted(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  /** Agent and customer are both present, for the first time in this session. */
  bothPresent(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  /** Agent and customer have a media connection, for the first time in this session. */
  established(trx: Trx, ref: SubjectRef, at: Date): Promise<void>;
  /** A participation ended: the person left or timed out. */
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

/** Finds the newest session of a room; undefined if it never had one. */
export type FindLatestSession<Queryable> = (
  db: Queryable,
  room: RoomRef,
) => Promise<LatestSession | undefined>;

/**
 * Ends the room's running session. Leaves reach the subject through its `RoomSubject` in the same
 * transaction; the caller sets the subject's state.
 */
export type EndRoom<Trx> = (trx: Trx, room: RoomRef) => Promise<unknown>;

/**
 * After a commit that ended the session of a room, or closed the room: the pages in it hear of it at
 * once, and not only at their next check. Never throws or waits.
 */
export type WakeRoom = (conversationId: number) => void;

export type ConversationFactory<Trx> = {
  /** The conversation of a new ticket or conference, in the transaction that creates it. */
  create(
    trx: Trx,
    order: Readonly<{
      enterpriseId: number;
      at: Date;
      /** Its id, if it was reserved beforehand. */
      id?: number | undefined;
      /** The room name in the links of a conference. By default the database generates one. */
      roomName?: string;
    }>,
  ): Promise<{ id: number; uid: string }>;
};

/** Chat messages of a conversation, as conversations store them and signalling sends them. */
export const chatAuthors = ["agent", "guest", "system"] as const;

export type ChatAuthor = (typeof chatAuthors)[number];

export type ChatMessage = Readonly<{
  id: number;
  conversationId: number;
  /** Null: sent while no session was running. */
  sessionId: string | null;
  author: ChatAuthor;
  userId: number | null;
  /** Who wrote it, see `RoomPeer`. Null: written before this was stored. */
  participant: string | null;
  name: string;
  text: string;
  at: Date;
  /** Idempotency key, generated by the page that sent the message. */
  clientKey: string | null;
}>;

export type ChatInput = Readonly<{ text: string; clientKey: string | null }>;

/** Messages before or after one; the newest if neither is given. Oldest first. */
export type ChatWindow = MessageWindow & Readonly<{ limit: number }>;

/** The chat of rooms, for the holders of room tokens. */
export type RoomChat<Guest> = {
  /** Messages before or after a known one, or the newest; 410 if the room is over. */
  readForGuest(guest: Guest, window: ChatWindow): Promise<ChatMessage[]>;
  /** Writes a message of somebody in the room; 410 if it is over. */
  writeAsGuest(guest: Guest, message: ChatInput): Promise<ChatMessage>;
  /** Conversation ids of the rooms that are still open. */
  findOpen(rooms: readonly RoomRef[]): Promise<ReadonlySet<number>>;
};

/** Sent by signalling every 5 s for everybody who takes part in a session. */
export type Heartbeat = Readonly<{
  enterpriseId: number;
  sessionId: string;
  participant: string;
  /** As the person's page reports it; absent while nobody else is in the call. */
  quality?: CallQuality;
}>;

export type JoinOrder<Guest> = Readonly<{ guest: Guest; userAgent: string | null }>;

export type JoinResult =
  | Readonly<{
      outcome: "joined";
      sessionId: string;
      role: ParticipantRole;
      /** Present already: another page, or a reconnection in time. */
      wasPresent: boolean;
    }>
  | Readonly<{ outcome: "refused"; reason: JoinRefusal }>;

/** `expired`: they waited for too long, and nobody can let them in any more. */
export type AdmissionState = "none" | "waiting" | "admitted" | "denied" | "expired";

export type AdmissionKey = RoomRef & Readonly<{ participant: string }>;

export type WaitingParticipant = Readonly<{ participant: string; name: string; askedAt: Date }>;

export type Admissions<Guest> = {
  /** Requests admission to a moderated meeting. Idempotent. Out: the current state. */
  requestAdmission(guest: Guest): Promise<Exclude<AdmissionState, "none"> | "over">;
  /** Waiting participants, for hosts who may admit them. */
  listWaiting(by: Guest): Promise<WaitingParticipant[]>;
  /** Admits waiting participants, named or all. Out: the admitted ones. */
  admit(by: Guest, participants: readonly string[] | "all"): Promise<string[]>;
  /** Denies participants who wait or were admitted. Out: the denied ones. */
  deny(by: Guest, participants: readonly string[]): Promise<string[]>;
  /** Waiting participants by conversation, to push lists to hosts. */
  listWaitingIn(
    rooms: readonly RoomRef[],
  ): Promise<ReadonlyMap<number, readonly WaitingParticipant[]>>;
  /** States of waiting guests, in the order of the input. */
  findAdmissions(guests: readonly AdmissionKey[]): Promise<AdmissionState[]>;
};

/** The calls of rooms, which signalling drives. All are idempotent. */
export type RoomCalls<Guest, Queryable> = Admissions<Guest> & {
  join(order: JoinOrder<Guest>): Promise<JoinResult>;
  /** The last connection of a participant closed. False if they were not present. */
  leave(guest: Guest): Promise<boolean>;
  /**
   * Called every 5 s with all participants. Out: heartbeats whose participation has ended, because
   * none arrived for 20 s or the session ended; these participants must join again.
   */
  heartbeat(heartbeats: readonly Heartbeat[]): Promise<Heartbeat[]>;
  /** The session's media are connected. False if already recorded or not applicable. */
  established(guest: Guest): Promise<boolean>;
  /**
   * A host removes a participant from a meeting, or the agent an expert from the call of a ticket:
   * the participation ends, and the token is not valid any more. Experts and guests without an
   * account may be removed while they are not in the call. False: no permission, a host or the
   * customer, or a user who is absent.
   */
  remove(by: Guest, participant: string): Promise<boolean>;
  /** Stores a recording consent or refusal. False if the person is not present. */
  answerRecording(guest: Guest, isAccepted: boolean): Promise<boolean>;
  /** An agent, organizer or moderator ends the session for all. False if none is running. */
  end(guest: Guest): Promise<boolean>;
  findLatestSession: FindLatestSession<Queryable>;
};
