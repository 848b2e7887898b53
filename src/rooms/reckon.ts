/** What a session was, once it is over: interval arithmetic over its stays. */
import type { StayRole } from "./ports.ts";

export type EndedStay = Readonly<{
  participant: string;
  role: StayRole;
  joinedAt: Date;
  leftAt: Date;
}>;

export type Reckoning = Readonly<{
  finishedAt: Date;
  /** Time with anybody present, in begun minutes; 0 where only one person ever came. */
  billingSeconds: number;
  /** Whole seconds with both sides of a ticket present. */
  bothSeconds: number;
  participantCount: number;
}>;

type Interval = readonly [from: number, to: number];

/** In: every stay of a session, each with its end; at least one. */
export function reckon(stays: readonly EndedStay[]): Reckoning {
  const participantCount = new Set(stays.map(({ participant }) => participant)).size;
  const side = (role: StayRole) => stays.filter((stay) => stay.role === role);
  return {
    finishedAt: new Date(Math.max(...stays.map(({ leftAt }) => leftAt.getTime()))),
    billingSeconds: participantCount < 2 ? 0 : Math.ceil(presentMs(stays) / 60_000) * 60,
    bothSeconds: Math.floor(overlapMs(side("agent"), side("requestor")) / 1_000),
    participantCount,
  };
}

/** Milliseconds that anybody of them was present. */
export function presentMs(stays: readonly EndedStay[]): number {
  return length(union(stays));
}

/** |A ∩ B| = |A| + |B| − |A ∪ B|. */
function overlapMs(a: readonly EndedStay[], b: readonly EndedStay[]): number {
  return length(union(a)) + length(union(b)) - length(union([...a, ...b]));
}

function length(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, [from, to]) => sum + to - from, 0);
}

/** The same time, without overlaps, in order. */
function union(stays: readonly EndedStay[]): Interval[] {
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
