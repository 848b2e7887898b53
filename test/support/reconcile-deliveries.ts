/**
 * The oracle of the fault tests: compares the accepted tickets, the ledger and the receiver's
 * requests, and lists all mismatches.
 */
import { expect } from "chai";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import type { Watching } from "./customer.ts";
import { eventually } from "./eventually.ts";
import type { ReceivedRequest, Receiver } from "./receiver.ts";
import { isSignedWith } from "./signatures.ts";

export type ReconcileInput = {
  db: Db;
  enterpriseId: number;
  receiver: Receiver;
  watching: readonly Watching[];
  /** Tickets whose creation was answered with 2xx. */
  accepted: readonly number[];
  /** Time limit for the last delivery. */
  timeoutMs?: number;
};

export type DeliveryCounts = {
  events: number;
  deliveries: number;
  requests: number;
  /** `webhook-id` of every delivery that arrived more than once, with its subscription's path. */
  twice: string[];
  /** Attempts whose worker died before it could store the result. */
  interrupted: number;
};

type EventRow = { event_id: string; object: string; body: string };
type DeliveryRow = {
  subscription_id: number;
  sequence: number;
  state: string;
  attempts: number;
  interrupted: number;
  key: string;
  event_id: string;
};

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

function listEvents(db: Db, enterpriseId: number): Promise<EventRow[]> {
  return rowsOf(db, "SELECT event_id, object, body FROM events WHERE enterprise_id = ?", [
    enterpriseId,
  ]);
}

function listDeliveries(db: Db, subscriptionIds: readonly number[]): Promise<DeliveryRow[]> {
  return rowsOf(
    db,
    `SELECT d.subscription_id, d.sequence, d.state, d.attempts, d.key, e.event_id,
       (SELECT count(*) FROM attempts a WHERE a.delivery_id = d.id AND NOT a.is_counted)
         AS interrupted
     FROM deliveries d JOIN events e ON e.id = d.event_row_id AND e.occurred_at = d.event_at
     WHERE d.subscription_id = ANY(?::bigint[]) ORDER BY d.subscription_id, d.sequence`,
    [subscriptionIds],
  );
}

/**
 * The `webhook-id`s of claimed but unsettled deliveries. If their worker died, they may have been
 * sent.
 */
export async function listInFlight(db: Db): Promise<string[]> {
  const rows = await rowsOf<{ event_id: string }>(
    db,
    `SELECT e.event_id FROM deliveries d
     JOIN events e ON e.id = d.event_row_id AND e.occurred_at = d.event_at
     WHERE d.state = 'sending' OR (d.state = 'queued' AND d.lease_until IS NOT NULL)`,
  );
  return rows.map((row) => row.event_id);
}

/** Waits until the outbox is empty and every delivery has ended. */
async function waitUntilDrained(
  { db, watching }: Pick<ReconcileInput, "db" | "watching">,
  timeoutMs: number,
): Promise<void> {
  await eventually(
    async () => {
      const left = await rowsOf<{ what: string; count: number }>(
        db,
        `SELECT 'outbox' AS what, count(*) AS count FROM outbox HAVING count(*) > 0
         UNION ALL SELECT 'dead letters', count(*) FROM outbox_dead HAVING count(*) > 0
         UNION ALL SELECT state, count(*) FROM deliveries
         WHERE subscription_id = ANY(?::bigint[]) AND state <> 'delivered' GROUP BY state`,
        [watching.map(({ id }) => id)],
      );
      expect(left).to.deep.equal([]);
    },
    { timeoutMs, everyMs: 100 },
  );
}

type Facts = {
  events: readonly EventRow[];
  deliveries: readonly DeliveryRow[];
  requests: readonly ReceivedRequest[];
};

/**
 * Accepted tickets that lack an event in the ledger: the creation, or one of the first two timeline
 * entries.
 */
function missingEvents(accepted: readonly number[], { events }: Facts): string[] {
  const known = new Set(
    events.map(({ body }) => {
      const { object, event, objectId, props } = JSON.parse(body) as {
        object: string;
        event: string;
        objectId: number;
        props: { ticketId?: number; eventType?: string };
      };
      return object === "ticket" ? `${objectId} ${event}` : `${props.ticketId} ${props.eventType}`;
    }),
  );
  return accepted.flatMap((ticket) =>
    ["create", "ticket.new", "ticket.assigned"]
      .filter((what) => !known.has(`${ticket} ${what}`))
      .map((what) => `ticket ${ticket} was accepted, but there is no event ${what}`),
  );
}

/** Events that do not have exactly one delivery in the ledger for each matching subscription. */
function wrongFanOut(watching: readonly Watching[], { events, deliveries }: Facts): string[] {
  return watching.flatMap(({ id, path, asksFor }) => {
    const wanted = events.filter(asksFor).map((event) => event.event_id);
    const found = deliveries.filter((one) => one.subscription_id === id);
    const ids = new Set(found.map((one) => one.event_id));
    const gaps = found.flatMap(({ sequence }, index) =>
      sequence === index + 1 ? [] : [`${path}: sequence ${sequence} at place ${index + 1}`],
    );
    return [
      ...wanted.filter((one) => !ids.has(one)).map((one) => `${path}: no delivery of ${one}`),
      ...(found.length > wanted.length ? [`${path}: ${found.length} of ${wanted.length}`] : []),
      ...gaps.slice(0, 3),
    ];
  });
}

/** Mismatches of one delivery between the receiver's requests and the ledger. */
function disagreements(
  delivery: DeliveryRow,
  body: string | undefined,
  got: readonly ReceivedRequest[],
): string[] {
  const { attempts, interrupted, sequence } = delivery;
  const faults: string[] = [];
  if (got.length < Math.max(1, attempts) || got.length > attempts + interrupted) {
    faults.push(`arrived ${got.length} times, ${attempts} attempts, ${interrupted} interrupted`);
  }
  if (got.some((one) => one.headers["webhook-sequence"] !== String(sequence))) {
    faults.push(`does not carry its sequence ${sequence}`);
  }
  if (got.some((one) => one.text !== body)) {
    faults.push("has another body than the event");
  }
  return faults;
}

function wrongArrivals(watching: readonly Watching[], facts: Facts): string[] {
  const bodies = new Map(facts.events.map((event) => [event.event_id, event.body]));
  return watching.flatMap(({ id, path, secret }) => {
    const requests = facts.requests.filter((request) => request.path === path);
    const byId = groupBy(requests, (request) => request.id);
    const deliveries = facts.deliveries.filter((one) => one.subscription_id === id);
    const known = new Set(deliveries.map((one) => one.event_id));
    const faults = deliveries.flatMap((one) =>
      disagreements(one, bodies.get(one.event_id), byId.get(one.event_id) ?? []).map(
        (fault) => `${path} ${one.event_id} ${fault}`,
      ),
    );
    return [
      ...faults,
      ...requests.filter((one) => !known.has(one.id)).map((one) => `${path}: stranger ${one.id}`),
      ...requests.filter((one) => !isSignedWith(secret, one)).map((one) => `unsigned ${one.id}`),
    ];
  });
}

/**
 * Violations of the guaranteed order: first requests of an object's events that are not in sequence
 * order.
 */
function wrongOrder(watching: readonly Watching[], facts: Facts): string[] {
  return watching
    .filter(({ isOrdered }) => isOrdered)
    .flatMap(({ id, path }) => {
      const arrivals = [...new Set(facts.requests.filter((r) => r.path === path).map((r) => r.id))];
      const place = new Map(arrivals.map((one, index) => [one, index]));
      const deliveries = facts.deliveries.filter((one) => one.subscription_id === id);
      return [...groupBy(deliveries, (one) => one.key)].flatMap(([key, ofKey]) => {
        const places = ofKey.map((one) => place.get(one.event_id) ?? Infinity);
        const isSorted = places.every(
          (one, index) => index === 0 || one > (places[index - 1] ?? 0),
        );
        return isSorted ? [] : [`${path}: the events of ${key} came out of order`];
      });
    });
}

function listTwice({ requests }: Facts): string[] {
  return [...groupBy(requests, ({ path, id }) => `${path} ${id}`)]
    .filter(([, same]) => same.length > 1)
    .map(([name]) => name);
}

/**
 * Waits until everything is delivered, then throws unless: every accepted ticket has its events;
 * every event has reached all matching subscriptions, signed and with the stored body; sequences
 * are contiguous; the receiver has no request that the ledger does not know; and each delivery
 * arrived as often as the ledger has attempts, with or without those interrupted by a lost worker.
 */
export async function reconcileDeliveries(input: ReconcileInput): Promise<DeliveryCounts> {
  const { db, enterpriseId, receiver, watching, accepted } = input;
  await waitUntilDrained(input, input.timeoutMs ?? 20_000);
  const ids = watching.map(({ id }) => id);
  const facts: Facts = {
    events: await listEvents(db, enterpriseId),
    deliveries: await listDeliveries(db, ids),
    requests: receiver.requests,
  };
  const faults = [
    ...missingEvents(accepted, facts),
    ...wrongFanOut(watching, facts),
    ...wrongArrivals(watching, facts),
    ...wrongOrder(watching, facts),
  ];
  expect(faults.slice(0, 20), `${faults.length} faults`).to.deep.equal([]);
  return {
    events: facts.events.length,
    deliveries: facts.deliveries.length,
    requests: facts.requests.length,
    twice: listTwice(facts),
    interrupted: facts.deliveries.reduce((sum, one) => sum + one.interrupted, 0),
  };
}
