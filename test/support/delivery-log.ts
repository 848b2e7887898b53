import {
  deliveryStates,
  type AttemptResult,
  type DeliveryState,
} from "../../src/contracts/deliveries.ts";
import { actionsOfObject, type ObjectKind } from "../../src/contracts/events.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import type { DeliveryFilter } from "../../src/pipeline/ledger/queries/delivery-filter.ts";
import type { Chance } from "./chance.ts";

/** A delivery with its event, as expected by a test. */
export type LogRow = {
  id: number;
  subscriptionId: number;
  sequence: number;
  state: DeliveryState;
  lastResult: AttemptResult | null;
  object: ObjectKind;
  event: string;
  eventType: string | null;
  objectId: string;
  eventId: string;
  body: string;
  replayId: number | null;
  createdAt: Date;
};

const results: readonly (AttemptResult | null)[] = [
  ...(["2xx", "2xx", "2xx", "4xx", "5xx", "dns"] as const),
  ...(["timeout_response", "interrupted", null] as const),
];
const objects: readonly ObjectKind[] = ["ticket", "ticket", "media", "conversationevent"];
const eventTypes = ["ticket.new", "media.OCRDone", "ticket.closed"] as const;
const words = ["Boiler", "PUMP 50%", 'a "quoted" word', "under_score", "back\\slash"] as const;

export function pick<T>(chance: Chance, items: readonly T[]): T {
  return items[chance.between(0, items.length - 1)] as T;
}

/**
 * Deliveries with random values of every kind. Their times are out of order by up to ten seconds.
 */
export function makeRows(
  chance: Chance,
  {
    count,
    subscriptionIds,
    replayId,
  }: { count: number; subscriptionIds: number[]; replayId: number },
): LogRow[] {
  const sequences = new Map<number, number>();
  const first = Date.parse("2026-10-01T00:00:00Z");
  return Array.from({ length: count }, (_, n) => {
    const subscriptionId = pick(chance, subscriptionIds);
    const sequence = (sequences.get(subscriptionId) ?? 0) + 1;
    sequences.set(subscriptionId, sequence);
    const object = pick(chance, objects);
    const objectId = String(chance.between(1, 40));
    const isReplay = subscriptionId === subscriptionIds[0] && chance.between(0, 9) === 0;
    const createdAt = new Date(first + n * 60_000 + chance.between(0, 70_000));
    return {
      id: n + 1,
      ...{ subscriptionId, sequence, object, objectId, createdAt },
      state: pick(chance, deliveryStates),
      lastResult: pick(chance, results),
      event: pick(chance, actionsOfObject[object]),
      eventType: object === "conversationevent" ? pick(chance, eventTypes) : null,
      eventId: `evt_${n}`,
      body: JSON.stringify({ object, objectId, props: { text: pick(chance, words), n } }),
      replayId: isReplay ? replayId : null,
    };
  });
}

/** Inserts the deliveries, each with a separate event. */
export async function writeRows(
  db: Db,
  enterpriseId: number,
  rows: readonly LogRow[],
): Promise<void> {
  const input = JSON.stringify(rows.map((row) => ({ ...row, enterpriseId })));
  const columns = `"id" bigint, "enterpriseId" bigint, "subscriptionId" bigint, "sequence" bigint,
    "state" text, "lastResult" text, "object" text, "event" text, "eventType" text,
    "objectId" text, "eventId" text, "body" text, "replayId" bigint, "createdAt" timestamptz`;
  const from = `json_to_recordset(CAST(? AS json)) AS r(${columns})`;
  await rowsOf(
    db,
    `INSERT INTO events (id, occurred_at, event_id, enterprise_id, object, event, event_type,
       object_id, key, body)
     SELECT "id", "createdAt", "eventId", "enterpriseId", "object", "event", "eventType",
       "objectId", "object" || ':' || "objectId", "body" FROM ${from}`,
    [input],
  );
  await rowsOf(
    db,
    `INSERT INTO deliveries (id, enterprise_id, subscription_id, sequence, event_row_id, event_at,
       object, key, state, due_at, created_at, last_result, replay_id)
     SELECT "id", "enterpriseId", "subscriptionId", "sequence", "id", "createdAt", "object",
       "object" || ':' || "objectId", "state", "createdAt", "createdAt", "lastResult", "replayId"
     FROM ${from}`,
    [input],
  );
}

function isAmong<T>(wanted: readonly T[], value: T | null): boolean {
  return wanted.length === 0 || (value !== null && wanted.includes(value));
}

function isSame<T>(wanted: T | undefined, value: T): boolean {
  return wanted === undefined || wanted === value;
}

/** An independent implementation of the filter, without a database. */
export function isMatch(filter: DeliveryFilter, row: LogRow): boolean {
  return [
    isAmong(filter.subscriptionIds, row.subscriptionId),
    isAmong(filter.states, row.state),
    isAmong(filter.results, row.lastResult),
    isSame(filter.object, row.object),
    isSame<string>(filter.event, row.event),
    isSame<string | null>(filter.eventType, row.eventType),
    isSame(filter.objectId, row.objectId),
    isSame(filter.eventId, row.eventId),
    isSame<number | null>(filter.replayId, row.replayId),
    row.createdAt >= (filter.since ?? row.createdAt),
    row.createdAt.getTime() < (filter.until?.getTime() ?? Number.POSITIVE_INFINITY),
    row.body.toLowerCase().includes((filter.text ?? "").toLowerCase()),
  ].every(Boolean);
}
