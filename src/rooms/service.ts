import type { RoomRef, LatestSession } from "../contracts/rooms.ts";
import type { Guest } from "../http/route.ts";
import { inTransaction, type Queryable, type Trx } from "../platform/db/pool.ts";
import { createAdmissions, type Admissions } from "./admissions.ts";
import { roomEntryOf, lockRoom, settleRoom, type LockedRoom } from "./room.ts";
import { isSilent, type RoomAction } from "./model.ts";
import { createJoin, type JoinResult, type JoinOrder } from "./join.ts";
import type { RoomsDeps } from "./ports.ts";
import { recordHeartbeats, type Heartbeat } from "./participations-store.ts";
import { findLatestSession, findSubject, markSession } from "./store.ts";
import { createSweep, sessionTaskHandlers } from "./session-timers.ts";
import type { TaskHandlers } from "../platform/tasks/task.ts";

/**
 * The life of rooms, for the signalling of them. Every call is a transaction of its own, unless it
 * takes one, and may come twice: the second changes nothing and tells nobody.
 */
export type Rooms = Admissions & {
  join(order: JoinOrder): Promise<JoinResult>;
  /** The last connection of a participant is gone. False where they were not there. */
  leave(guest: Guest): Promise<boolean>;
  /**
   * These participants are there; to be told every 5 s, all in one call. Out: those whose stay is
   * over, since they were silent for 20 s or the session ended: they have to join again.
   */
  heartbeat(beats: readonly Heartbeat[]): Promise<Heartbeat[]>;
  /** The media of a session are connected. False where that was known, or means nothing. */
  established(guest: Guest): Promise<boolean>;
  /** An agent, organizer or moderator ends the session for all. False where none goes on. */
  end(guest: Guest): Promise<boolean>;
  /**
   * Ends what goes on in a room whose subject is ended, in the subject's own transaction, which
   * holds its row. What follows for the subject reaches it as with every other end. False where no
   * session went on.
   */
  endRoom(trx: Trx, room: RoomRef): Promise<boolean>;
  findLatestSession(db: Queryable, room: RoomRef): Promise<LatestSession | undefined>;
  hasOpenSession(db: Queryable, room: RoomRef): Promise<boolean>;
  /** Writes down who is gone without a word. Out: how many rooms that changed. */
  sweep(signal?: AbortSignal): Promise<number>;
  /** Ends sessions that are empty or last for too long. */
  taskHandlers: TaskHandlers;
};

export function createRooms(deps: RoomsDeps): Rooms {
  const { db, clock } = deps;
  const act = createRoomAction(deps);
  return {
    ...createAdmissions(deps),
    join: createJoin(deps),
    leave: async (guest) => {
      const { participant } = guest;
      const before = await act(guest, { kind: "leave", participant });
      const stay = before?.present.find((present) => present.participant === participant);
      return before !== undefined && stay !== undefined && !isSilent(stay, before.now);
    },
    heartbeat: async (beats) => {
      if (beats.length === 0) {
        return [];
      }
      const there = new Set((await recordHeartbeats(db, beats, clock.now())).map(heartbeatKey));
      return beats.filter((beat) => !there.has(heartbeatKey(beat)));
    },
    established: createEstablished(deps),
    end: async (guest) => {
      const before = mayEnd(guest) ? await act(guest, { kind: "end" }) : undefined;
      return before?.session !== undefined;
    },
    endRoom: async (trx, room) => {
      const ref = await findSubject(trx, room);
      if (ref === undefined) {
        return false;
      }
      const { conversationId } = room;
      const before = await lockRoom(deps, trx, { ref, conversationId });
      await settleRoom(deps, before, { kind: "end" });
      return before.session !== undefined;
    },
    findLatestSession,
    hasOpenSession: async (queryable, room) =>
      (await findLatestSession(queryable, room))?.endedAt === null,
    sweep: createSweep(deps),
    taskHandlers: sessionTaskHandlers(deps),
  };
}

/** Ends what is asked for. Out: the room as it was before. */
function createRoomAction(deps: RoomsDeps) {
  return (guest: Guest, ask: RoomAction): Promise<LockedRoom | undefined> =>
    inTransaction(deps.db, async (trx) => {
      const entry = roomEntryOf(guest);
      if (entry === undefined) {
        return undefined;
      }
      const before = await lockRoom(deps, trx, entry);
      await settleRoom(deps, before, ask);
      return before;
    });
}

function heartbeatKey({ sessionId, participant }: Omit<Heartbeat, "enterpriseId">): string {
  return `${sessionId} ${participant}`;
}

function createEstablished(deps: RoomsDeps): Rooms["established"] {
  return (guest) =>
    inTransaction(deps.db, async (trx) => {
      const entry = roomEntryOf(guest);
      if (entry === undefined) {
        return false;
      }
      const locked = await lockRoom(deps, trx, entry);
      const { session, subject, now, ref } = await settleRoom(deps, locked, { kind: "look" });
      if (session === undefined || subject === undefined || session.establishedAt !== null) {
        return false;
      }
      if (ref.kind === "ticket" && session.metAt === null) {
        return false;
      }
      await markSession(trx, session.id, "established_at", now);
      await deps.subjects[ref.kind].established(trx, ref, now);
      return true;
    });
}

function mayEnd({ role }: Guest): boolean {
  return role === "agent" || role === "organizer" || role === "moderator";
}
