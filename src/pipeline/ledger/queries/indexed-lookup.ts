/** Reads all deliveries of a selective index at once. */
import { objectKinds } from "../../../contracts/events.ts";
import type { SqlCondition } from "../../../platform/db/where.ts";
import { rowsOf, type Queryable } from "../../../platform/db/pool.ts";
import type { DeliveryFilter, LookupKind } from "./delivery-filter.ts";
import { eventSql } from "./delivery-streams.ts";
import { liveStatesSql } from "../state-sql.ts";

/** The number of examined deliveries, and the ids of the matches. */
export type LookupResult = { examined: number; found: number[] };

export type LookupSearch = {
  enterpriseId: number;
  subscriptionIds: readonly number[];
  filter: DeliveryFilter;
  condition: SqlCondition;
  needsEvent: boolean;
};

const columns = `d.id, d.state, d.object, d.event_row_id, d.event_at, d.created_at, d.last_result,
  d.replay_id`;

/** Each lookup uses one index; the bindings are its parameters. */
type LookupSource = SqlCondition;

/** Above this number the streams are cheaper. */
const maxLookup = 10_000;

/** All matches of the index; undefined if there are too many. */
export async function findIndexed(
  db: Queryable,
  kind: LookupKind,
  search: LookupSearch,
): Promise<LookupResult | undefined> {
  const source = await sourceOf(db, kind, search);
  if (source === undefined) {
    return undefined;
  }
  const { condition } = search;
  const [row] = await rowsOf<{ examined: number; found: number[] | null }>(
    db,
    `SELECT count(*) AS examined, json_agg(d.id) FILTER (WHERE ${condition.sql}) AS found
     FROM (SELECT * FROM (${source.sql}) AS source LIMIT ?) AS d
     ${search.needsEvent ? eventSql : ""}`,
    [...condition.bindings, ...source.bindings, maxLookup + 1],
  );
  const { examined = 0, found = null } = row ?? {};
  return examined > maxLookup ? undefined : { examined, found: found ?? [] };
}

async function sourceOf(
  db: Queryable,
  kind: LookupKind,
  search: LookupSearch,
): Promise<LookupSource | undefined> {
  if (kind === "event") {
    const eventRowIds = await findEventRowIds(db, search.enterpriseId, search.filter);
    return eventRowIds && ofEvents(eventRowIds, search);
  }
  return kind === "replay" ? ofReplay(search) : live(search);
}

const mostEvents = 1_000;

async function findEventRowIds(
  db: Queryable,
  enterpriseId: number,
  filter: DeliveryFilter,
): Promise<number[] | undefined> {
  const { eventId, object, objectId } = filter;
  const byId = eventId === undefined ? "" : "AND event_id = ?";
  const byObject = objectId === undefined ? "" : "AND object = ANY(?::text[]) AND object_id = ?";
  const objects = object === undefined ? [...objectKinds] : [object];
  const rows = await rowsOf<{ id: number }>(
    db,
    `SELECT id FROM events WHERE enterprise_id = ? ${byId} ${byObject} LIMIT ?`,
    [
      enterpriseId,
      ...(eventId === undefined ? [] : [eventId]),
      ...(objectId === undefined ? [] : [objects, objectId]),
      mostEvents + 1,
    ],
  );
  return rows.length > mostEvents ? undefined : rows.map(({ id }) => id);
}

function ofEvents(eventRowIds: readonly number[], { subscriptionIds }: LookupSearch): LookupSource {
  return {
    sql: `
    SELECT ${columns} FROM deliveries d
    WHERE d.event_row_id = ANY(?::bigint[]) AND d.subscription_id = ANY(?::bigint[])
      AND d.replay_id IS NULL
    UNION ALL
    SELECT ${columns} FROM deliveries d
    WHERE d.event_row_id = ANY(?::bigint[]) AND d.subscription_id = ANY(?::bigint[])
      AND d.replay_id IS NOT NULL`,
    bindings: [[...eventRowIds], [...subscriptionIds], [...eventRowIds], [...subscriptionIds]],
  };
}

function ofReplay({ filter, subscriptionIds }: LookupSearch): LookupSource {
  return {
    sql: `
    SELECT ${columns} FROM deliveries d
    WHERE d.replay_id = ? AND d.subscription_id = ANY(?::bigint[])`,
    bindings: [filter.replayId, [...subscriptionIds]],
  };
}

function live({ subscriptionIds }: LookupSearch): LookupSource {
  return {
    sql: `
    SELECT ${columns} FROM deliveries d
    WHERE d.subscription_id = ANY(?::bigint[])
      AND d.state IN ${liveStatesSql}`,
    bindings: [[...subscriptionIds]],
  };
}
