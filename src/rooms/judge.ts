/**
 * What has become of a session by now, whoever looks and however late: the rules of silence,
 * emptiness and the longest duration as one pure function. A call that comes before the sweeper or
 * a timer thus finds the same room as one that comes after it.
 */
import type { EndCause } from "./ports.ts";

/** Signalling tells every 5 s that a participant is there. */
export const goneAfterMs = 20_000;

export const emptyAfterMs = 5 * 60_000;

export const sessionLimitMs = 4 * 3_600_000;

export type PresentStay = Readonly<{
  id: number;
  participant: string;
  joinedAt: Date;
  lastSeenAt: Date;
}>;

export type Ask =
  | Readonly<{ kind: "look" }>
  | Readonly<{ kind: "leave"; participant: string }>
  | Readonly<{ kind: "end" }>;

export type Case<Stay extends PresentStay> = Readonly<{
  startedAt: Date;
  /** Since when nobody is in the room; null while somebody is. */
  emptySince: Date | null;
  present: readonly Stay[];
  now: Date;
  ask: Ask;
}>;

export type Verdict<Stay extends PresentStay> = Readonly<{
  /** Stays that end, in the order of their ends. */
  leaves: readonly Readonly<{ stay: Stay; at: Date }>[];
  emptySince: Date | null;
  /** Why the session is over; undefined while it goes on. */
  over: EndCause | undefined;
}>;

export function judge<Stay extends PresentStay>(given: Case<Stay>): Verdict<Stay> {
  const limitAt = given.startedAt.getTime() + sessionLimitMs;
  // Nobody stays longer than a session can be, however late its end is noticed.
  const within = (stay: Stay, at: Date): Date =>
    new Date(Math.max(stay.joinedAt.getTime(), Math.min(at.getTime(), limitAt)));
  const ends = given.present.map((stay) => ({ stay, at: endOf(stay, given) }));
  const lastLeave = latest(
    ends.flatMap(({ stay, at }) => (at === undefined ? [] : [within(stay, at)])),
  );
  const emptySince = ends.some(({ at }) => at === undefined)
    ? null
    : (lastLeave ?? given.emptySince ?? given.startedAt);
  const over = causeOf(given, emptySince, limitAt);
  const leaves = ends
    .map(({ stay, at }) => ({ stay, at: at ?? (over === undefined ? undefined : given.now) }))
    .flatMap(({ stay, at }) => (at === undefined ? [] : [{ stay, at: within(stay, at) }]))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.stay.id - b.stay.id);
  return { leaves, emptySince, over };
}

/** A stay ends when its participant was last seen, when they leave, or not at all yet. */
function endOf<Stay extends PresentStay>(stay: Stay, { now, ask }: Case<Stay>): Date | undefined {
  if (isSilent(stay, now)) {
    return stay.lastSeenAt;
  }
  return ask.kind === "end" || (ask.kind === "leave" && ask.participant === stay.participant)
    ? now
    : undefined;
}

export function isSilent(stay: PresentStay, now: Date): boolean {
  return silentMs(stay, now) >= goneAfterMs;
}

function latest(times: readonly Date[]): Date | undefined {
  return times.reduce<Date | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
}

/** Nobody told anything for so long: the platform was down, and nobody is waiting to come back. */
const crashAfterMs = 60_000;

function causeOf<Stay extends PresentStay>(
  given: Case<Stay>,
  emptySince: Date | null,
  limitAt: number,
): EndCause | undefined {
  const { ask, present, now } = given;
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

function silentMs(stay: PresentStay, now: Date): number {
  return now.getTime() - stay.lastSeenAt.getTime();
}
