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

const listOfItems = (items: object) => ({ type: "array", items });

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

const presentGap = ({ event, subscriptionId, reason }: Gap) => ({
  webhook: subscriptionId,
  ...presentEventFacts(event),
  reason,
});

export const presentReckoning = (proven: Proven) => ({
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
});

const presentEntry = (row: ManifestRow) => ({
  sequence: row.sequence,
  webhook_id: row.messageId,
  state: row.state,
  object: row.object,
  object_id: row.objectId === null ? null : presentObjectId(row.objectId),
  event: row.event,
  time: toTimestamp(row.at),
  replay: row.isReplay,
});

export const presentManifest = (manifest: Manifest) => ({
  from: manifest.from,
  to: manifest.to,
  last_sequence: manifest.lastSequence,
  kept_from: manifest.keptFrom,
  data: manifest.rows.map(presentEntry),
  missing: manifest.missing,
  next: manifest.next,
});
