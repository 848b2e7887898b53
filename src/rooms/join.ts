import { inTransaction } from "../platform/db/pool.ts";
import type { Guest } from "../http/route.ts";
import { findAdmission } from "./admissions-store.ts";
import { sessionLimitMs } from "./judge.ts";
import { stayRoles, type RoomsDeps, type StayRole } from "./ports.ts";
import { holdRoom, roomId, settle, taskData, taskKey, writeEmptiness, type Room } from "./room.ts";
import { insertStay, touchStay, wasInSession, type Stay } from "./stays-store.ts";
import { insertSession, markSession, type OpenSession } from "./store.ts";
import { entryOf } from "./guest.ts";

export type Refusal =
  /** Closed, cancelled, ended, or never there. */
  | "over"
  /** The customer has not consented, in this use of the link and to this session. */
  | "consent"
  /** Not let in yet. */
  | "waiting"
  | "denied"
  /** They waited for too long. */
  | "expired"
  /** Nobody new comes in. */
  | "locked";

export type Joined =
  | Readonly<{
      outcome: "joined";
      sessionId: string;
      role: StayRole;
      /** They were there already: another tab, or a connection that came back in time. */
      wasPresent: boolean;
    }>
  | Readonly<{ outcome: "refused"; reason: Refusal }>;

export type JoinOrder = Readonly<{ guest: Guest; userAgent: string | null }>;

/** Lets somebody in, or says why not. Whoever is there already keeps the one stay they have. */
export function createJoin(deps: RoomsDeps) {
  return (order: JoinOrder): Promise<Joined> =>
    inTransaction(deps.db, async (trx) => {
      const { guest } = order;
      const entry = entryOf(guest);
      if (entry === undefined) {
        return { outcome: "refused", reason: "over" };
      }
      const room = await settle(deps, await holdRoom(deps, trx, entry), { kind: "look" });
      const reason = await refuse(deps, room, guest);
      if (reason !== undefined) {
        return { outcome: "refused", reason };
      }
      const stay = room.present.find(({ participant }) => participant === guest.participant);
      if (room.session !== undefined && stay !== undefined) {
        return comeBack(room, room.session.id, stay);
      }
      // Who waited and was let in takes part like everybody else.
      return enter(deps, room, order, isStayRole(guest.role) ? guest.role : "participant");
    });
}

async function refuse(deps: RoomsDeps, room: Room, guest: Guest): Promise<Refusal | undefined> {
  const { subject, conversationId } = room;
  if (subject === undefined || subject.isOver || subject.conversationId !== conversationId) {
    return "over";
  }
  if (await isLockedOut(room, guest)) {
    return "locked";
  }
  if (guest.role === "requestor") {
    const order = { ticketId: room.ref.id, visit: guest.visit };
    return (await deps.hasConsent(room.trx, order)) ? undefined : "consent";
  }
  return guest.role === "waiting" ? refuseWaiting(room, guest) : undefined;
}

async function isLockedOut({ trx, subject, session }: Room, guest: Guest): Promise<boolean> {
  if (subject?.isLocked !== true || leads(guest.role)) {
    return false;
  }
  return session === undefined || !(await wasInSession(trx, session.id, guest.participant));
}

function leads(role: Guest["role"]): boolean {
  return role === "agent" || role === "organizer" || role === "moderator";
}

async function refuseWaiting(room: Room, guest: Guest): Promise<Refusal | undefined> {
  const state = await findAdmission(room.trx, roomId(room), guest.participant, room.now);
  if (state === "admitted") {
    return undefined;
  }
  return state === "none" ? "waiting" : state;
}

async function comeBack({ trx, now }: Room, sessionId: string, stay: Stay): Promise<Joined> {
  await touchStay(trx, stay.id, now);
  return { outcome: "joined", sessionId, role: stay.role, wasPresent: true };
}

/** A new stay, and what follows from it: the session, the meeting, an end of the emptiness. */
async function enter(
  deps: RoomsDeps,
  room: Room,
  { guest, userAgent }: JoinOrder,
  role: StayRole,
): Promise<Joined> {
  const { trx, ref, now } = room;
  const session = room.session ?? (await start(deps, room));
  await writeEmptiness(deps, room, session, null);
  await insertStay(trx, {
    enterpriseId: ref.enterpriseId,
    sessionId: session.id,
    participant: guest.participant,
    role,
    userId: guest.userId,
    name: guest.name,
    userAgent: userAgent === null ? null : userAgent.slice(0, 512),
    at: now,
  });
  await writeMeeting(deps, room, session, [role, ...room.present.map((stay) => stay.role)]);
  return { outcome: "joined", sessionId: session.id, role, wasPresent: false };
}

async function start(deps: RoomsDeps, room: Room): Promise<OpenSession> {
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

async function writeMeeting(
  deps: RoomsDeps,
  { trx, ref, now }: Room,
  session: OpenSession,
  roles: readonly StayRole[],
): Promise<void> {
  const areBothThere = roles.includes("agent") && roles.includes("requestor");
  if (ref.kind === "ticket" && areBothThere && session.metAt === null) {
    await markSession(trx, session.id, "met_at", now);
    await deps.subjects.ticket.met(trx, ref, now);
  }
}

function isStayRole(role: Guest["role"]): role is StayRole {
  return (stayRoles as readonly string[]).includes(role);
}
