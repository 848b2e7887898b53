import { toTimestamp } from "../../platform/timestamps.ts";
import {
  exactObject,
  flag,
  integer,
  nullableEventIdMembers,
  nullableText,
  presentEventId,
  presentObjectId,
  text,
  timestamp,
} from "../../http/schema.ts";
import type { PulledEvent, EventPage } from "../../pipeline/ledger/queries/pull.ts";
import { invalidParameter } from "../../contracts/problems.ts";

/** Sequences whose deliveries are deleted, both ends included. */
export type Skipped = { from: number; to: number };

/** A page of events and where the next one starts. */
export type PulledPage = {
  events: PulledEvent[];
  skipped: Skipped[];
  /** Everything up to this sequence is in this page or an earlier one. */
  next: number;
  hasMore: boolean;
};

/** The answer schemas of the pull operations. */
const pulledEventAnswer = exactObject("PulledEvent", {
  sequence: integer,
  cursor: text,
  ...nullableEventIdMembers,
  object: text,
  event: nullableText,
  event_type: nullableText,
  object_id: { type: ["integer", "string", "null"] },
  time: timestamp,
  body: nullableText,
  expunged: flag,
  replay: flag,
  state: text,
  attempt_count: integer,
});

export const eventPageAnswer = exactObject("PulledEventPage", {
  data: { type: "array", items: pulledEventAnswer },
  next: text,
  has_more: flag,
  skipped: {
    type: "array",
    items: exactObject("SkippedSequences", { from: integer, to: integer }),
  },
});

export function presentPage(subscriptionId: number, page: PulledPage) {
  return {
    data: page.events.map((event) => presentEvent(subscriptionId, event)),
    next: toCursor(subscriptionId, page.next),
    has_more: page.hasMore,
    skipped: page.skipped,
  };
}

/** An event in pages and streams. `body` is text, because its exact bytes are signed. */
export function presentEvent(subscriptionId: number, pulled: PulledEvent) {
  return {
    sequence: pulled.sequence,
    cursor: toCursor(subscriptionId, pulled.sequence),
    ...presentEventId(pulled.eventId),
    object: pulled.object,
    event: pulled.event,
    event_type: pulled.eventType,
    object_id: pulled.objectId === null ? null : presentObjectId(pulled.objectId),
    time: toTimestamp(pulled.occurredAt),
    body: pulled.body,
    expunged: pulled.body === null,
    replay: pulled.isReplay,
    state: pulled.state,
    attempt_count: pulled.attempts,
  };
}

/**
 * A position in the events of one subscription, opaque to clients. It contains the subscription id,
 * so that a cursor of another subscription is refused instead of skipping events.
 */
export function toCursor(subscriptionId: number, sequence: number): string {
  return Buffer.from(`${subscriptionId}.${sequence}`).toString("base64url");
}

const form = /^(?<subscription>\d{1,15})\.(?<sequence>\d{1,15})$/u;

/** Decodes a cursor. Throws if it belongs to another webhook. */
export function parseCursor(subscriptionId: number, cursor: string): number {
  const { groups } = form.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? {};
  if (groups === undefined || cursor.length > 64) {
    throw invalidParameter(
      "after",
      "format",
      "The cursor is invalid: use one that this API returned.",
    );
  }
  if (Number(groups["subscription"]) !== subscriptionId) {
    throw invalidParameter("after", "unknown", "The cursor belongs to another webhook.");
  }
  return Number(groups["sequence"]);
}

/**
 * Gaps between the contiguous sequences of a page. `isFirst`: without a cursor nothing before the
 * first event counts as a gap.
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
