/**
 * What has become of a session by now, whoever looks and however late: the rules of silence,
 * emptiness and the longest duration as one pure function. A call that comes before the sweeper or
 * a timer thus finds the same room as one that comes after it.
 */
import type { EndCause, ParticipantRole } from "../contracts/rooms.ts";

/** Signalling tells every 5 s that a participant is there. */
export const goneAfterMs = 20_000;

export const emptyAfterMs = 5 * 60_000;

export const sessionLimitMs = 4 * 3_600_000;

export type PresentParticipation = Readonly<{
  id: number;
  participant: string;
  joinedAt: Date;
  lastSeenAt: Date;
}>;

export type RoomAction =
  | Readonly<{ kind: "look" }>
  | Readonly<{ kind: "leave"; participant: string }>
  | Readonly<{ kind: "end" }>;

export type SessionCase<Stay extends PresentParticipation> = Readonly<{
  startedAt: Date;
  /** Since when nobody is in the room; null while somebody is. */
  emptySince: Date | null;
  present: readonly Stay[];
  now: Date;
  ask: RoomAction;
}>;

export type SessionVerdict<Stay extends PresentParticipation> = Readonly<{
  /** Stays that end, in the order of their ends. */
  leaves: readonly Readonly<{ stay: Stay; at: Date }>[];
  emptySince: Date | null;
  /** Why the session is over; undefined while it goes on. */
  over: EndCause | undefined;
}>;

export function evaluateSession<Stay extends PresentParticipation>(
  session: SessionCase<Stay>,
): SessionVerdict<Stay> {
  const limitAt = session.startedAt.getTime() + sessionLimitMs;
  // Nobody stays longer than a session can be, however late its end is noticed.
  const within = (stay: Stay, at: Date): Date =>
    new Date(Math.max(stay.joinedAt.getTime(), Math.min(at.getTime(), limitAt)));
  const ends = session.present.map((stay) => ({ stay, at: endOf(stay, session) }));
  const lastLeave = latest(
    ends.flatMap(({ stay, at }) => (at === undefined ? [] : [within(stay, at)])),
  );
  const emptySince = ends.some(({ at }) => at === undefined)
    ? null
    : (lastLeave ?? session.emptySince ?? session.startedAt);
  const over = causeOf(session, emptySince, limitAt);
  const leaves = ends
    .map(({ stay, at }) => ({ stay, at: at ?? (over === undefined ? undefined : session.now) }))
    .flatMap(({ stay, at }) => (at === undefined ? [] : [{ stay, at: within(stay, at) }]))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.stay.id - b.stay.id);
  return { leaves, emptySince, over };
}

/** A stay ends when its participant was last seen, when they leave, or not at all yet. */
function endOf<Stay extends PresentParticipation>(
  stay: Stay,
  { now, ask }: SessionCase<Stay>,
): Date | undefined {
  if (isSilent(stay, now)) {
    return stay.lastSeenAt;
  }
  return ask.kind === "end" || (ask.kind === "leave" && ask.participant === stay.participant)
    ? now
    : undefined;
}

export function isSilent(stay: PresentParticipation, now: Date): boolean {
  return silentMs(stay, now) >= goneAfterMs;
}

function latest(times: readonly Date[]): Date | undefined {
  return times.reduce<Date | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
}

/** Nobody told anything for so long: the platform was down, and nobody is waiting to come back. */
const crashAfterMs = 60_000;

function causeOf<Stay extends PresentParticipation>(
  session: SessionCase<Stay>,
  emptySince: Date | null,
  limitAt: number,
): EndCause | undefined {
  const { ask, present, now } = session;
  if (ask.kind === "end") {
    return "ended";
  }
  if (present.length > 0 && present.every((stay) => silentMs(stay, now) > crashAfterMs)) {
    return "crash";
  }
  if (emptySince !== null && now.getTime() >= emptySince.getTime() + emptyAfterMs) {
    return "empty";
  }
  return now.getTime() >= limitAt ? "limit" : undefined;
}

function silentMs(stay: PresentParticipation, now: Date): number {
  return now.getTime() - stay.lastSeenAt.getTime();
}

/** What a session was, once it is over: interval arithmetic over its stays. */
export type EndedParticipation = Readonly<{
  participant: string;
  role: ParticipantRole;
  joinedAt: Date;
  leftAt: Date;
}>;

export type SessionTotals = Readonly<{
  finishedAt: Date;
  /** Time with anybody present, in begun minutes; 0 where only one person ever came. */
  billingSeconds: number;
  /** Whole seconds with both sides of a ticket present. */
  bothSeconds: number;
  participantCount: number;
}>;

type Interval = readonly [from: number, to: number];

/** In: every stay of a session, each with its end; at least one. */
export function computeTotals(stays: readonly EndedParticipation[]): SessionTotals {
  const participantCount = new Set(stays.map(({ participant }) => participant)).size;
  const inRole = (role: ParticipantRole) => stays.filter((stay) => stay.role === role);
  return {
    finishedAt: new Date(Math.max(...stays.map(({ leftAt }) => leftAt.getTime()))),
    billingSeconds: participantCount < 2 ? 0 : Math.ceil(presentMs(stays) / 60_000) * 60,
    bothSeconds: Math.floor(overlapMs(inRole("agent"), inRole("requestor")) / 1_000),
    participantCount,
  };
}

/** Milliseconds that anybody of them was present. */
export function presentMs(stays: readonly EndedParticipation[]): number {
  return length(union(stays));
}

/** |A ∩ B| = |A| + |B| − |A ∪ B|. */
function overlapMs(a: readonly EndedParticipation[], b: readonly EndedParticipation[]): number {
  return length(union(a)) + length(union(b)) - length(union([...a, ...b]));
}

function length(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, [from, to]) => sum + to - from, 0);
}

/** The same time, without overlaps, in order. */
function union(stays: readonly EndedParticipation[]): Interval[] {
  const intervals = stays
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
