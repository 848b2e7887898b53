/** How secrets and keys follow each other: for a while the old ones sign beside the new. Pure. */
import { problem } from "../../contracts/problems.ts";

export const maxOverlapHours = 168;

export const defaultOverlapHours = 24;

/** Something that signs for good, or until then (ISO 8601). */
type Expiring = { until: string | null };

/** More would make headers that receivers refuse. */
const maxAtOnce = 5;

/**
 * What is held once `next` took over: the others end when the overlap does, at the latest, and
 * those that have ended are gone. Throws the problem of too many that would sign at once.
 */
export function rotated<T extends Expiring>(
  held: readonly T[],
  next: T,
  { now, overlapHours }: { now: Date; overlapHours: number },
): T[] {
  const end = new Date(now.getTime() + overlapHours * 3_600_000);
  const old = held.map((one) => ({ ...one, until: earlier(one.until, end) }));
  const signing = [next, ...signingAt(old, now)];
  if (signing.length > maxAtOnce) {
    const detail = `At most ${maxAtOnce} sign at once: wait for the end of one, or choose overlapHours 0.`;
    throw problem("conflict", detail);
  }
  return signing;
}

function earlier(until: string | null, end: Date): string {
  return until !== null && new Date(until) < end ? until : end.toISOString();
}

/** Those that still sign. */
export function signingAt<T extends Expiring>(held: readonly T[], now: Date): T[] {
  return held.filter(({ until }) => until === null || new Date(until) > now);
}
