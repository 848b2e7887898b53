/**
 * Rules for heartbeat expiry, empty rooms and maximum duration. Pure, so that every caller gets the
 * same result, however late it runs.
 */
import type {
  EndCause,
  ParticipantRole,
  RoomRef,
  RoomSubject,
  SubjectRef,
} from "../contracts/rooms.ts";
import type { Outbox } from "../pipeline/outbox/append.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import type { Tasks } from "../platform/tasks/task.ts";

/** Signalling sends heartbeats every 5 s. */
export const goneAfterMs = 20_000;

export const emptyAfterMs = 5 * 60_000;

export const sessionLimitMs = 4 * 3_600_000;

export type PresentParticipation = Readonly<{
  id: number;
  participant: string;
  role: ParticipantRole;
  joinedAt: Date;
  lastSeenAt: Date;
}>;

export type RoomAction =
  | Readonly<{ kind: "check" }>
  | Readonly<{ kind: "leave"; participant: string }>
  | Readonly<{ kind: "end" }>;

export type SessionCase<Entry extends PresentParticipation> = Readonly<{
  startedAt: Date;
  /** Null while somebody other than an expert is present. */
  emptySince: Date | null;
  present: readonly Entry[];
  now: Date;
  action: RoomAction;
}>;

export type SessionVerdict<Entry extends PresentParticipation> = Readonly<{
  /** Participations that end, by end time. */
  leaves: readonly Readonly<{ participation: Entry; at: Date }>[];
  emptySince: Date | null;
  /** Why the session ended; undefined while it is running. */
  over: EndCause | undefined;
}>;

export function evaluateSession<Entry extends PresentParticipation>(
  session: SessionCase<Entry>,
): SessionVerdict<Entry> {
  const limitAt = session.startedAt.getTime() + sessionLimitMs;
  // A late check must not make a participation longer than the session limit.
  const clampToSession = (participation: Entry, at: Date): Date =>
    new Date(Math.max(participation.joinedAt.getTime(), Math.min(at.getTime(), limitAt)));
  const endings = session.present.map((participation) => ({
    participation,
    at: endOf(participation, session),
  }));
  // An expert alone does not keep the session running: it is about the agent and the customer.
  const parties = endings.filter(({ participation }) => participation.role !== "expert");
  const lastLeave = latest(
    parties.flatMap(({ participation, at }) =>
      at === undefined ? [] : [clampToSession(participation, at)],
    ),
  );
  const emptySince = parties.some(({ at }) => at === undefined)
    ? null
    : (lastLeave ?? session.emptySince ?? session.startedAt);
  const over = causeOf(session, emptySince, limitAt);
  const leaves = endings
    .map(({ participation, at }) => ({
      participation,
      at: at ?? (over === undefined ? undefined : session.now),
    }))
    .flatMap(({ participation, at }) =>
      at === undefined ? [] : [{ participation, at: clampToSession(participation, at) }],
    )
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.participation.id - b.participation.id);
  return { leaves, emptySince, over };
}

/** The last heartbeat if the lease expired, now if they leave, undefined otherwise. */
function endOf<Entry extends PresentParticipation>(
  participation: Entry,
  { now, action }: SessionCase<Entry>,
): Date | undefined {
  if (isSilent(participation, now)) {
    return participation.lastSeenAt;
  }
  return action.kind === "end" ||
    (action.kind === "leave" && action.participant === participation.participant)
    ? now
    : undefined;
}

export function isSilent(participation: PresentParticipation, now: Date): boolean {
  return silentMs(participation, now) >= goneAfterMs;
}

function latest(times: readonly Date[]): Date | undefined {
  return times.reduce<Date | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
}

/** No heartbeat of any participant for this long means that the platform was down. */
const crashAfterMs = 60_000;

function causeOf<Entry extends PresentParticipation>(
  session: SessionCase<Entry>,
  emptySince: Date | null,
  limitAt: number,
): EndCause | undefined {
  const { action, present, now } = session;
  if (action.kind === "end") {
    return "ended";
  }
  if (
    present.length > 0 &&
    present.every((participation) => silentMs(participation, now) > crashAfterMs)
  ) {
    return "crash";
  }
  if (emptySince !== null && now.getTime() >= emptySince.getTime() + emptyAfterMs) {
    return "empty";
  }
  return now.getTime() >= limitAt ? "limit" : undefined;
}

function silentMs(participation: PresentParticipation, now: Date): number {
  return now.getTime() - participation.lastSeenAt.getTime();
}

export type EndedParticipation = Readonly<{
  participant: string;
  role: ParticipantRole;
  joinedAt: Date;
  leftAt: Date;
}>;

export type SessionTotals = Readonly<{
  finishedAt: Date;
  /**
   * Time with at least one participant present, rounded up to whole minutes; 0 if only one person
   * ever joined.
   */
  billingSeconds: number;
  /** Whole seconds with both sides of a ticket present. */
  bothSeconds: number;
  participantCount: number;
}>;

type Interval = readonly [from: number, to: number];

/** In: all participations of an ended session; at least one. */
export function computeTotals(participations: readonly EndedParticipation[]): SessionTotals {
  const participantCount = new Set(participations.map(({ participant }) => participant)).size;
  const inRole = (role: ParticipantRole) =>
    participations.filter((participation) => participation.role === role);
  return {
    finishedAt: lastEndOf(participations),
    billingSeconds: participantCount < 2 ? 0 : Math.ceil(presentMs(participations) / 60_000) * 60,
    bothSeconds: Math.floor(overlapMs(inRole("agent"), inRole("requestor")) / 1_000),
    participantCount,
  };
}

/** A session may have more participations than a call can have arguments. At least one. */
export function lastEndOf(participations: readonly EndedParticipation[]): Date {
  const last = participations.reduce((most, { leftAt }) => Math.max(most, leftAt.getTime()), 0);
  return new Date(last);
}

/** Milliseconds with at least one participant present. */
export function presentMs(participations: readonly EndedParticipation[]): number {
  return length(union(participations));
}

/** Inclusion-exclusion: the overlap is A + B minus the union of A and B. */
function overlapMs(a: readonly EndedParticipation[], b: readonly EndedParticipation[]): number {
  return length(union(a)) + length(union(b)) - length(union([...a, ...b]));
}

function length(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, [from, to]) => sum + to - from, 0);
}

/** Merged intervals, in order. */
function union(participations: readonly EndedParticipation[]): Interval[] {
  const intervals = participations
    .map(({ joinedAt, leftAt }): Interval => [joinedAt.getTime(), leftAt.getTime()])
    .toSorted(([a], [b]) => a - b);
  const merged: Interval[] = [];
  for (const [from, to] of intervals) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) {
      merged[merged.length - 1] = [last[0], Math.max(last[1], to)];
    } else {
      merged.push([from, to]);
    }
  }
  return merged;
}

export type RoomsDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  tasks: Tasks;
  outbox: Outbox;
  log: Pick<Logger, "error">;
  /** Participant limit of the call; higher with a media server than in a mesh. */
  maxParticipants(trx: Trx, room: RoomRef): Promise<number>;
  subjects: Readonly<Record<SubjectRef["kind"], RoomSubject<Trx>>>;
  /**
   * Whether the ticket's customer accepted the terms in this use of the link. Consent covers one
   * session: it expires when a session ends.
   */
  hasConsent(trx: Trx, order: Readonly<{ ticketId: number; visit: string }>): Promise<boolean>;
}>;
