/**
 * Room changes: lock the subject, then the session and its participations, then apply due
 * expirations and timeouts before the action.
 */
import type { SubjectRef, LockedSubject, EndCause, RoomRef } from "../contracts/rooms.ts";
import type { ConversationProps, OutboundEvent } from "../contracts/events.ts";
import type { Trx } from "../platform/db/pool.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import {
  computeTotals,
  emptyAfterMs,
  evaluateSession,
  type RoomAction,
  type RoomsDeps,
  type SessionVerdict,
} from "./model.ts";
import {
  endParticipations,
  listEndedParticipations,
  lockPresentParticipations,
  type Participation,
} from "./participations-store.ts";
import {
  closeSession,
  findConversationNames,
  lockOpenSession,
  markSession,
  type OpenSession,
} from "./store.ts";
import type { Guest } from "../http/route.ts";

export type LockedRoom = Readonly<{
  trx: Trx;
  ref: SubjectRef;
  conversationId: number;
  now: Date;
  /** Undefined if the subject is deleted; then only outbox events are written. */
  subject: LockedSubject | undefined;
  session: OpenSession | undefined;
  present: readonly Participation[];
}>;

export type RoomEntry = Readonly<{ ref: SubjectRef; conversationId: number }>;

/** Applies expired heartbeats, timeouts and the action. Out: the room afterwards. */
export async function settleRoom(
  deps: RoomsDeps,
  room: LockedRoom,
  action: RoomAction,
): Promise<LockedRoom> {
  const { session, present, now } = room;
  if (session === undefined) {
    return room;
  }
  const { startedAt, emptySince: knownEmptySince } = session;
  const verdict = evaluateSession({
    startedAt,
    emptySince: knownEmptySince,
    present,
    now,
    action,
  });
  const { leaves, emptySince, over } = verdict;
  await recordLeaves(deps, room, leaves);
  if (over !== undefined) {
    await closeRoomSession(deps, room, session, over);
    return { ...room, session: undefined, present: [] };
  }
  await recordEmptiness(deps, room, session, emptySince);
  const left = new Set(leaves.map(({ participation }) => participation.id));
  return {
    ...room,
    session: { ...session, emptySince },
    present: present.filter((participation) => !left.has(participation.id)),
  };
}

async function recordLeaves(
  deps: RoomsDeps,
  { trx, ref, subject }: LockedRoom,
  leaves: SessionVerdict<Participation>["leaves"],
): Promise<void> {
  if (leaves.length === 0) {
    return;
  }
  await endParticipations(trx, leaves);
  if (subject === undefined) {
    return;
  }
  for (const { participation, at } of leaves) {
    await deps.subjects[ref.kind].participantLeft(trx, ref, {
      role: participation.role,
      userId: participation.userId,
      at,
    });
  }
}

/** Updates the session, timers and subject, then the outbox, in one transaction. */
async function closeRoomSession(
  deps: RoomsDeps,
  room: LockedRoom,
  session: OpenSession,
  cause: EndCause,
): Promise<void> {
  const { trx, ref, now } = room;
  const totals = computeTotals(await listEndedParticipations(trx, session.id));
  const { finishedAt } = totals;
  await closeSession(trx, session.id, { ...totals, cause, at: now });
  await deps.tasks.cancel(trx, { kind: "session.empty", key: taskKey(session.id) });
  await deps.tasks.cancel(trx, { kind: "session.limit", key: taskKey(session.id) });
  if (room.subject !== undefined) {
    const wasEstablished = session.establishedAt !== null;
    await deps.subjects[ref.kind].sessionEnded(trx, ref, { cause, wasEstablished, at: finishedAt });
  }
  const names = await findConversationNames(trx, roomId(room));
  await deps.outbox.append(trx, [conversationEnded(room, { ...names, finishedAt })]);
}

export function roomId({
  ref,
  conversationId,
}: Pick<LockedRoom, "ref" | "conversationId">): RoomRef {
  return {
    enterpriseId: ref.enterpriseId,
    conversationId,
  };
}

function conversationEnded(
  room: LockedRoom,
  { uid, roomName, finishedAt }: { uid: string; roomName: string; finishedAt: Date },
): OutboundEvent {
  return {
    enterpriseId: room.ref.enterpriseId,
    key: `conversation:${room.conversationId}`,
    event: "update",
    object: "conversation",
    objectId: uid,
    props: {
      eventType: "conversationEnded",
      name: roomName,
      finishedAt: toTimestamp(finishedAt),
    } satisfies ConversationProps,
  };
}

/** Stores since when the room is empty and schedules the check, or cancels both. */
export async function recordEmptiness(
  { tasks }: RoomsDeps,
  room: LockedRoom,
  session: OpenSession,
  emptySince: Date | null,
): Promise<void> {
  const { trx, ref } = room;
  if (isSameTime(emptySince, session.emptySince)) {
    return;
  }
  await markSession(trx, session.id, "empty_since", emptySince);
  const task = { kind: "session.empty", key: taskKey(session.id) } as const;
  if (emptySince === null) {
    await tasks.cancel(trx, task);
    return;
  }
  const dueAt = new Date(emptySince.getTime() + emptyAfterMs);
  await tasks.plan(trx, [{ ...task, enterpriseId: ref.enterpriseId, dueAt, data: taskData(room) }]);
}

function isSameTime(a: Date | null, b: Date | null): boolean {
  return a?.getTime() === b?.getTime();
}

export function taskKey(sessionId: string): string {
  return `session:${sessionId}`;
}

export function taskData({ ref, conversationId }: Pick<LockedRoom, "ref" | "conversationId">) {
  return {
    kind: ref.kind,
    subjectId: ref.id,
    conversationId,
  };
}

export async function lockRoom(
  deps: RoomsDeps,
  trx: Trx,
  { ref, conversationId }: RoomEntry,
): Promise<LockedRoom> {
  const subject = await deps.subjects[ref.kind].lock(trx, ref);
  const session = await lockOpenSession(trx, { enterpriseId: ref.enterpriseId, conversationId });
  const present =
    session === undefined ? [] : await lockPresentParticipations(trx, ref.enterpriseId, session.id);
  // Read after the locks, so that times follow the order of the changes.
  const now = deps.clock.now();
  return { trx, ref, conversationId, now, subject, session, present };
}

/** The room of a room token; undefined if the token has neither a ticket nor a conference. */
export function roomEntryOf({
  enterpriseId,
  conversationId,
  ticketId,
  conferenceId,
}: Pick<Guest, "enterpriseId" | "conversationId" | "ticketId" | "conferenceId">):
  | RoomEntry
  | undefined {
  if (ticketId !== null) {
    return { ref: { kind: "ticket", enterpriseId, id: ticketId }, conversationId };
  }
  return conferenceId === null
    ? undefined
    : { ref: { kind: "conference", enterpriseId, id: conferenceId }, conversationId };
}
