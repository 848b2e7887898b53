import { type Trx, rowsOf, type Queryable } from "../../platform/db/pool.ts";
import type { Health } from "./health.ts";
import { successResult, type AttemptResult } from "../../contracts/deliveries.ts";
import type { OwnedSubscription } from "./queries/pull.ts";

/** Why the platform switched a subscription off. Shown as `disabled_reason`. */
export type SwitchOffReason = "gone" | "failing";

type SubscriptionRef = Readonly<{ enterpriseId: number; subscriptionId: number }>;

/** A notice to administrators about deliveries. */
export type OperationalNotice =
  /** It has only failed for a day. */
  | (SubscriptionRef & Readonly<{ kind: "subscription.warned"; failingSince: Date }>)
  | (SubscriptionRef &
      Readonly<{
        kind: "subscription.disabled";
        reason: SwitchOffReason;
        failingSince: Date | null;
      }>)
  /** It succeeded after a warning. */
  | (SubscriptionRef & Readonly<{ kind: "subscription.recovered"; failingSince: Date }>)
  /** The last attempt of its schedule failed. */
  | (SubscriptionRef &
      Readonly<{
        kind: "delivery.dead";
        deliveryId: number;
        sequence: number;
        /** The public event id. */
        eventId: string;
        object: string;
        objectId: string;
        attempts: number;
        /** How the last attempt ended: `5xx`, `timeout_response`. */
        lastResult: string;
      }>);

/** Writes the notices in the transaction of their cause: all or none. */
export type WriteNotices = (trx: Trx, notices: readonly OperationalNotice[]) => Promise<void>;

/** The health of a subscription before and after a batch. */
export type HealthChange = { before: Health; after: Health };

/** A delivery whose last attempt failed, as returned by the settlement. */
export type FinalFailure = Omit<
  Extract<OperationalNotice, { kind: "delivery.dead" }>,
  "kind" | "eventId" | "objectId"
> & {
  eventRowId: number;
  /** ISO 8601. */
  eventAt: string;
};

/** How the last failed attempt ended. `status` is null where there was no answer. */
export type LastFailure = Readonly<{ result: AttemptResult; status: number | null }>;

/** Writes the notices about changes of health and about dead deliveries, if there are any. */
export async function writeNoticesAbout(
  trx: Trx,
  writeNotices: WriteNotices,
  healthChanges: readonly HealthChange[],
  deaths: readonly FinalFailure[],
): Promise<void> {
  const notices = [
    ...(await describeRecoveries(trx, healthChanges)),
    ...(await describeDeadDeliveries(trx, deaths)),
  ];
  if (notices.length > 0) {
    await writeNotices(trx, notices);
  }
}

/**
 * Describes dead deliveries. Separate from the settlement, because few deliveries die and a
 * statement about events is planned for every daily partition.
 */
async function describeDeadDeliveries(
  trx: Trx,
  deaths: readonly FinalFailure[],
): Promise<OperationalNotice[]> {
  if (deaths.length === 0) {
    return [];
  }
  const events = await readEvents(trx, deaths);
  return deaths.map(({ eventRowId, eventAt: _eventAt, ...death }) => ({
    ...death,
    kind: "delivery.dead" as const,
    eventId: events.get(eventRowId)?.event_id ?? "",
    objectId: events.get(eventRowId)?.object_id ?? "",
  }));
}

type NoticeEventRow = { id: number; event_id: string; object_id: string };

/** Ids and objects of events; deleted ones are left out. */
async function readEvents(
  trx: Trx,
  deaths: readonly FinalFailure[],
): Promise<Map<number, NoticeEventRow>> {
  const rows = await rowsOf<NoticeEventRow>(
    trx,
    // LATERAL with a limit always probes the index; a join may read a whole day's partition.
    `SELECT e.id, e.event_id, e.object_id
     FROM unnest(?::bigint[], ?::timestamptz[]) AS event(id, occurred_at)
     CROSS JOIN LATERAL (
       SELECT id, event_id, object_id FROM events
       WHERE id = event.id AND occurred_at = event.occurred_at LIMIT 1) AS e`,
    [deaths.map(({ eventRowId }) => eventRowId), deaths.map(({ eventAt }) => eventAt)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether a subscription that had a warning has recovered. */
export function isRecovery({ before, after }: HealthChange): boolean {
  return before.warnedAt !== null && after.warnedAt === null;
}

/** Describes the recovery of subscriptions that had a warning. */
async function describeRecoveries(
  trx: Trx,
  changes: readonly HealthChange[],
): Promise<OperationalNotice[]> {
  const since = new Map(
    changes.filter(isRecovery).map(({ before }) => [before.subscriptionId, before.failingSince]),
  );
  if (since.size === 0) {
    return [];
  }
  const rows = await rowsOf<{ id: number; enterprise_id: number }>(
    trx,
    "SELECT id, enterprise_id FROM subscriptions WHERE id = ANY(?::bigint[])",
    [[...since.keys()]],
  );
  return rows.flatMap(({ id, enterprise_id: enterpriseId }) => {
    const failingSince = since.get(id) ?? null;
    const kind = "subscription.recovered" as const;
    return failingSince === null ? [] : [{ kind, enterpriseId, subscriptionId: id, failingSince }];
  });
}

/**
 * One index probe per result class finds its newest delivery; of those, the one attempted last
 * counts. `interrupted` says nothing about a receiver.
 */
export async function findLastFailure(
  db: Queryable,
  { enterpriseId, subscriptionId }: OwnedSubscription,
): Promise<LastFailure | null> {
  const newest = (and: string): string => `
    SELECT d.id, d.created_at, d.last_result FROM deliveries d
    WHERE d.enterprise_id = ? AND d.subscription_id = ? AND d.last_result <> '${successResult}' ${and}
    ORDER BY d.last_result DESC, d.sequence DESC LIMIT 1`;
  const of = [enterpriseId, subscriptionId];
  const [row] = await rowsOf<{ last_result: AttemptResult; status: number | null }>(
    db,
    `WITH RECURSIVE failed AS (
       (${newest("")})
       UNION ALL
       SELECT next.* FROM failed
       CROSS JOIN LATERAL (${newest("AND d.last_result < failed.last_result")}) AS next
     )
     SELECT failed.last_result, tried.status FROM failed
     LEFT JOIN LATERAL (
       -- The minute allows for the clock of the worker, which sets the times of attempts.
       SELECT a.status, a.started_at FROM attempts a
       WHERE a.delivery_id = failed.id AND a.is_counted
         AND a.started_at >= failed.created_at - interval '1 minute'
       ORDER BY a.started_at DESC LIMIT 1
     ) AS tried ON true
     WHERE failed.last_result <> 'interrupted'
     ORDER BY tried.started_at DESC NULLS LAST LIMIT 1`,
    [...of, ...of],
  );
  return row === undefined ? null : { result: row.last_result, status: row.status };
}
