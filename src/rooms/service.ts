import {
  isExpertId,
  type Heartbeat,
  type ParticipantRole,
  type RoomCalls,
  type RoomRef,
  type SubjectRef,
} from "../contracts/rooms.ts";
import { isHost } from "../contracts/signalling.ts";
import type { Guest } from "../http/route.ts";
import type { Queryable, Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { createAdmissions, insertDenial } from "./admissions.ts";
import { roomEntryOf, roomId, lockRoom, settleRoom, type LockedRoom } from "./room.ts";
import { isSilent, type RoomAction, type RoomsDeps } from "./model.ts";
import { createJoin } from "./join.ts";
import { recordHeartbeats } from "./participations-store.ts";
import { findLatestSession, findSubject, markSession } from "./store.ts";
import {
  hasCustomerAccepted,
  haveAllAgreed,
  insertRecordingConsent,
} from "./recording-consents.ts";
import { createSweep, sessionTaskHandlers } from "./session-timers.ts";
import type { TaskHandlers } from "../platform/tasks/task.ts";

/** The life of rooms: what signalling drives, and what other features ask. */
export type Rooms = RoomCalls<Guest, Queryable> & {
  /**
   * Whether a recording may start: everybody present has agreed, and in a ticket the customer has,
   * even if they left the call.
   */
  mayStartRecording(db: Queryable, room: RoomRef & Pick<Guest, "ticketId">): Promise<boolean>;
  /** Whether a recording may grow: everybody who is still present has agreed. */
  mayContinueRecording(db: Queryable, room: RoomRef): Promise<boolean>;
  /**
   * Ends the running session in the caller's transaction, which holds the subject's row lock. The
   * subject is notified as for any other end. False if no session was running.
   */
  endRoom(trx: Trx, room: RoomRef): Promise<boolean>;
  hasOpenSession(db: Queryable, room: RoomRef): Promise<boolean>;
  /** Ends expired participations. Out: the number of changed rooms. */
  sweep(signal?: AbortSignal): Promise<number>;
  /** Tasks that end empty or overlong sessions. */
  taskHandlers: TaskHandlers;
};

export function createRooms(deps: RoomsDeps): Rooms {
  const { db, clock } = deps;
  const act = createRoomAction(deps);
  const admissions = createAdmissions(deps);
  const remove = createRemove(deps);
  return {
    ...admissions,
    join: createJoin(deps),
    leave: async (guest) => {
      const { participant } = guest;
      const before = await act(guest, { kind: "leave", participant });
      const participation = before?.present.find((present) => present.participant === participant);
      return (
        before !== undefined && participation !== undefined && !isSilent(participation, before.now)
      );
    },
    heartbeat: async (heartbeats) => {
      if (heartbeats.length === 0) {
        return [];
      }
      const there = new Set(
        (await recordHeartbeats(db, heartbeats, clock.now())).map(heartbeatKey),
      );
      return heartbeats.filter((heartbeat) => !there.has(heartbeatKey(heartbeat)));
    },
    established: createEstablished(deps),
    remove,
    deny: async (by, participants) => {
      const denied = await admissions.deny(by, participants);
      for (const participant of denied) {
        await remove(by, participant);
      }
      return denied;
    },
    answerRecording: (guest, isAccepted) =>
      insertRecordingConsent(db, guest, { isAccepted, at: clock.now() }),
    mayStartRecording: async (queryable, room) =>
      (await haveAllAgreed(queryable, room)) &&
      (room.ticketId === null || hasCustomerAccepted(queryable, room)),
    mayContinueRecording: haveAllAgreed,
    end: async (guest) => {
      const before = isHost(guest.role) ? await act(guest, { kind: "end" }) : undefined;
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

/** Applies the action under the room's lock. Out: the room before the action. */
function createRoomAction(deps: RoomsDeps) {
  return (guest: Guest, action: RoomAction): Promise<LockedRoom | undefined> =>
    inTransaction(deps.db, async (trx) => {
      const entry = roomEntryOf(guest);
      if (entry === undefined) {
        return undefined;
      }
      const before = await lockRoom(deps, trx, entry);
      await settleRoom(deps, before, action);
      return before;
    });
}

function createRemove(deps: RoomsDeps): Rooms["remove"] {
  return (by, participant) =>
    inTransaction(deps.db, async (trx) => {
      const entry = roomEntryOf(by);
      if (entry === undefined || !isHost(by.role)) {
        return false;
      }
      const room = await lockRoom(deps, trx, entry);
      const target = room.present.find((one) => one.participant === participant);
      if (!isRemovable(entry.ref.kind, target?.role, participant)) {
        return false;
      }
      await settleRoom(deps, room, { kind: "leave", participant });
      await insertDenial(trx, { ...roomId(room), participant }, room.now);
      return true;
    });
}

/** `role`: of a person who takes part. Experts and guests may be removed before they do. */
function isRemovable(
  kind: SubjectRef["kind"],
  role: ParticipantRole | undefined,
  participant: string,
): boolean {
  if (kind === "ticket") {
    return isExpertId(participant);
  }
  return role === undefined ? participant.startsWith("guest-") : role === "participant";
}

function heartbeatKey({ sessionId, participant }: Omit<Heartbeat, "enterpriseId">): string {
  return `${sessionId} ${participant}`;
}

function createEstablished(deps: RoomsDeps): Rooms["established"] {
  return (guest) =>
    inTransaction(deps.db, async (trx) => {
      const entry = roomEntryOf(guest);
      if (entry === undefined || guest.role === "expert") {
        return false;
      }
      const locked = await lockRoom(deps, trx, entry);
      const { session, subject, now, ref } = await settleRoom(deps, locked, { kind: "check" });
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
