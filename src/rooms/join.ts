import type { JoinRefusal } from "../contracts/room-messages.ts";
import type { JoinOrder, JoinResult, ParticipantRole } from "../contracts/rooms.ts";
import { isHost, participantRoles } from "../contracts/signalling.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { Guest } from "../http/route.ts";
import { findAdmission, insertAdmissionRequest } from "./admissions.ts";
import { type RoomsDeps, sessionLimitMs } from "./model.ts";
import {
  lockRoom,
  roomId,
  settleRoom,
  taskData,
  taskKey,
  recordEmptiness,
  type LockedRoom,
  roomEntryOf,
} from "./room.ts";
import {
  insertParticipation,
  touchParticipation,
  wasInSession,
  type Participation,
} from "./participations-store.ts";
import { insertSession, markSession, type OpenSession } from "./store.ts";

/**
 * Joins a participant, or returns the reason for the refusal. A present participant keeps the
 * existing participation.
 */
export function createJoin(deps: RoomsDeps) {
  return (order: JoinOrder<Guest>): Promise<JoinResult> =>
    inTransaction(deps.db, async (trx) => {
      const { guest } = order;
      const entry = roomEntryOf(guest);
      if (entry === undefined) {
        return { outcome: "refused", reason: "over" };
      }
      if (guest.role === "supervisor") {
        return { outcome: "refused", reason: "denied" }; // watches, and is never a participant
      }
      const room = await settleRoom(deps, await lockRoom(deps, trx, entry), { kind: "check" });
      const reason = await refuse(deps, room, guest);
      if (reason !== undefined) {
        return { outcome: "refused", reason };
      }
      const participation = room.present.find(
        ({ participant }) => participant === guest.participant,
      );
      if (room.session !== undefined && participation !== undefined) {
        return rejoin(room, room.session.id, participation);
      }
      // An admitted guest becomes a participant.
      return createParticipation(
        deps,
        room,
        order,
        isParticipantRole(guest.role) ? guest.role : "participant",
      );
    });
}

async function refuse(
  deps: RoomsDeps,
  room: LockedRoom,
  guest: Guest,
): Promise<JoinRefusal | undefined> {
  const { subject, conversationId } = room;
  if (subject === undefined || subject.isOver || subject.conversationId !== conversationId) {
    return "over";
  }
  return (await isLockedOut(room, guest)) ? "locked" : refuseByRole(deps, room, guest);
}

async function refuseByRole(
  deps: RoomsDeps,
  room: LockedRoom,
  guest: Guest,
): Promise<JoinRefusal | undefined> {
  switch (guest.role) {
    case "requestor": {
      const order = { ticketId: room.ref.id, visit: guest.visit };
      return (await deps.hasConsent(room.trx, order)) ? undefined : "consent";
    }
    case "expert":
      return (await refuseExpert(room, guest)) ?? refuseIfFull(deps, room, guest);
    case "participant":
    case "waiting":
      return (await refuseByAdmission(room, guest)) ?? refuseIfFull(deps, room, guest);
    default:
      return undefined;
  }
}

/**
 * Participant limit. Hosts, agents and customers are exempt: `refuse` does not call this for them.
 */
async function refuseIfFull(
  { maxParticipants }: RoomsDeps,
  room: LockedRoom,
  guest: Guest,
): Promise<JoinRefusal | undefined> {
  const { trx, present } = room;
  if (present.some(({ participant }) => participant === guest.participant)) {
    return undefined;
  }
  return present.length >= (await maxParticipants(trx, roomId(room))) ? "full" : undefined;
}

async function isLockedOut({ trx, subject, session }: LockedRoom, guest: Guest): Promise<boolean> {
  if (subject?.isLocked !== true || isHost(guest.role)) {
    return false;
  }
  return session === undefined || !(await wasInSession(trx, session.id, guest.participant));
}

/** An expert takes part in the session of the token, and begins none. */
async function refuseExpert(room: LockedRoom, guest: Guest): Promise<JoinRefusal | undefined> {
  if (room.session?.id !== guest.visit) {
    return "over";
  }
  const state = await findAdmission(room.trx, roomId(room), guest.participant, room.now);
  return state === "denied" ? "denied" : undefined;
}

/** Waiting guests need an admission; participants may have been removed. */
async function refuseByAdmission(room: LockedRoom, guest: Guest): Promise<JoinRefusal | undefined> {
  const state = await findAdmission(room.trx, roomId(room), guest.participant, room.now);
  if (guest.role === "participant") {
    return state === "denied" ? "denied" : undefined;
  }
  if (state === "admitted") {
    return undefined;
  }
  return state === "none" ? "waiting" : state;
}

async function rejoin(
  { trx, now }: LockedRoom,
  sessionId: string,
  participation: Participation,
): Promise<JoinResult> {
  await touchParticipation(trx, participation.id, now);
  return { outcome: "joined", sessionId, role: participation.role, wasPresent: true };
}

/**
 * Creates a participation. Starts the session if needed, cancels the check for an empty room (which
 * an expert alone leaves empty), and records when both sides are present.
 */
async function createParticipation(
  deps: RoomsDeps,
  room: LockedRoom,
  { guest, userAgent }: JoinOrder<Guest>,
  role: ParticipantRole,
): Promise<JoinResult> {
  const { trx, ref, now } = room;
  const session = room.session ?? (await startSession(deps, room));
  if (role !== "expert") {
    await recordEmptiness(deps, room, session, null);
  }
  await ringAgent(deps, room, guest);
  await insertParticipation(trx, {
    enterpriseId: ref.enterpriseId,
    sessionId: session.id,
    participant: guest.participant,
    role,
    userId: guest.userId,
    name: guest.name,
    userAgent: userAgent === null ? null : userAgent.slice(0, 512),
    at: now,
  });
  await recordMeeting(deps, room, session, [
    role,
    ...room.present.map((participation) => participation.role),
  ]);
  return { outcome: "joined", sessionId: session.id, role, wasPresent: false };
}

/** Notifies the agent of the customer's visit, once per use of the link. */
async function ringAgent(deps: RoomsDeps, room: LockedRoom, guest: Guest): Promise<void> {
  const { trx, ref, now } = room;
  if (ref.kind === "ticket" && guest.role === "requestor") {
    if (await insertAdmissionRequest(trx, roomId(room), guest, now)) {
      await deps.subjects.ticket.agentContacted(trx, ref, now);
    }
  }
}

async function startSession(deps: RoomsDeps, room: LockedRoom): Promise<OpenSession> {
  const { trx, ref, now } = room;
  const id = deps.ids.uuid();
  await insertSession(trx, roomId(room), { id, startedAt: now });
  const dueAt = new Date(now.getTime() + sessionLimitMs);
  const { enterpriseId } = ref;
  await deps.tasks.plan(trx, [
    { kind: "session.limit", key: taskKey(id), enterpriseId, dueAt, data: taskData(room) },
  ]);
  await deps.subjects[ref.kind].sessionStarted(trx, ref, now);
  return { id, startedAt: now, metAt: null, establishedAt: null, emptySince: null };
}

async function recordMeeting(
  deps: RoomsDeps,
  { trx, ref, now }: LockedRoom,
  session: OpenSession,
  roles: readonly ParticipantRole[],
): Promise<void> {
  const areBothThere = roles.includes("agent") && roles.includes("requestor");
  if (ref.kind === "ticket" && areBothThere && session.metAt === null) {
    await markSession(trx, session.id, "met_at", now);
    await deps.subjects.ticket.bothPresent(trx, ref, now);
  }
}

function isParticipantRole(role: Guest["role"]): role is ParticipantRole {
  return (participantRoles as readonly string[]).includes(role);
}
