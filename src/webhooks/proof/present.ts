import {
  exactObject,
  flag,
  integer,
  nullableInteger,
  nullableText,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { eventMembers, presentEventFacts } from "../event-facts.ts";
import { presentObjectId } from "../object-id.ts";
import type { Gap } from "./reconcile.ts";
import type { Manifest, Proven } from "./service.ts";
import type { ManifestRow } from "./store.ts";

export const reconcileAnswer = exactObject("Reconciliation", {
  since: timestamp,
  until: timestamp,
  kept_since: timestamp,
  clamped: flag,
  events: integer,
  expected: integer,
  found: integer,
  waiting: integer,
  unjudged: integer,
  gaps: listOfItems(
    exactObject("DeliveryGap", {
      webhook: integer,
      ...eventMembers,
      reason: { type: "string", enum: ["no_delivery", "set_aside"] },
    }),
  ),
  next_cursor: nullableText,
});

export const manifestAnswer = exactObject("Manifest", {
  from: integer,
  to: integer,
  last_sequence: integer,
  kept_from: nullableInteger,
  data: listOfItems(
    exactObject("ManifestEntry", {
      sequence: integer,
      webhook_id: nullableText,
      state: text,
      object: text,
      object_id: { type: ["integer", "string", "null"] },
      event: nullableText,
      time: timestamp,
      replay: flag,
    }),
  ),
  missing: listOfItems(exactObject("MissingSequences", { from: integer, to: integer })),
  next: nullableInteger,
});

export function presentReckoning(proven: Proven) {
  return {
    since: toTimestamp(proven.since),
    until: toTimestamp(proven.until),
    kept_since: toTimestamp(proven.keptSince),
    clamped: proven.isClamped,
    events: proven.events,
    expected: proven.expected,
    found: proven.found,
    waiting: proven.waiting,
    unjudged: proven.unjudged,
    gaps: proven.gaps.map(presentGap),
    next_cursor:
      proven.next === null
        ? null
        : `${proven.since.getTime()}-${proven.until.getTime()}-${proven.next}`,
  };
}

function presentGap({ event, subscriptionId, reason }: Gap) {
  return {
    webhook: subscriptionId,
    ...presentEventFacts(event),
    reason,
  };
}

export function presentManifest(manifest: Manifest) {
  return {
    from: manifest.from,
    to: manifest.to,
    last_sequence: manifest.lastSequence,
    kept_from: manifest.keptFrom,
    data: manifest.rows.map(presentEntry),
    missing: manifest.missing,
    next: manifest.next,
  };
}

function presentEntry(row: ManifestRow) {
  return {
    sequence: row.sequence,
    webhook_id: row.messageId,
    state: row.state,
    object: row.object,
    object_id: row.objectId === null ? null : presentObjectId(row.objectId),
    event: row.event,
    time: toTimestamp(row.at),
    replay: row.isReplay,
  };
}

function listOfItems(items: object) {
  return { type: "array", items };
}
