import type { EventPage, PulledEvent } from "./store.ts";

/** Sequences, both ends included, whose deliveries are not kept any more. */
export type Skipped = { from: number; to: number };

/** What a reader gets at once, and where it goes on. */
export type PulledPage = {
  events: PulledEvent[];
  skipped: Skipped[];
  /** Everything up to here is in this page, or was before it. */
  next: number;
  hasMore: boolean;
};

/**
 * What is missing between the sequences of a page, which are given without a gap. `isFirst`: the
 * reader has no cursor yet, so what is no longer kept before the first event was never its own.
 */
export function toPage(
  { events, lastSequence, isLast }: EventPage,
  { after, isFirst }: { after: number; isFirst: boolean },
): PulledPage {
  const skipped: Skipped[] = [];
  let reached = isFirst ? (events[0]?.sequence ?? lastSequence + 1) - 1 : after;
  for (const { sequence } of events) {
    if (sequence > reached + 1) {
      skipped.push({ from: reached + 1, to: sequence - 1 });
    }
    reached = sequence;
  }
  if (isLast && lastSequence > reached) {
    skipped.push({ from: reached + 1, to: lastSequence });
    reached = lastSequence;
  }
  return { events, skipped, next: reached, hasMore: lastSequence > reached };
}
