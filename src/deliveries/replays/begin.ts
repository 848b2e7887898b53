/** Starts replays. Those of individually selected deliveries end at once, without a task. */
import type { AuditChanges, AuditEntry, AuditLog } from "../../contracts/audit.ts";
import { problem, Problem } from "../../contracts/problems.ts";
import { type Actor, auditEntryOf } from "../../http/authorize.ts";
import {
  findRepeatables,
  groupBySubscription,
  type Repeatable,
} from "../../pipeline/ledger/queries/event-deliveries.ts";
import {
  createReplayDeliveries,
  type DeliveryTarget,
  type ReplayDelivery,
} from "../../pipeline/ledger/replay-deliveries.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Queryable, Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { lockPushTarget } from "../delivery-target.ts";
import { criteriaOfOne, criteriaOfSelection, type ReplayCriteria } from "./criteria.ts";
import { defaultRate, type Replay } from "./model.ts";
import {
  findLastEventRowId,
  insertReplay,
  readLogSince,
  readMatching,
  type ReplayWithProgress,
} from "./store.ts";
import type { ReplayScope } from "./walk-chunks.ts";
import { afterCommit } from "../../platform/db/open-transaction.ts";

type NewReplay = Pick<Replay, "criteria" | "matching" | "rate" | "state" | "total" | "made"> & {
  position: Replay["position"];
  lastEventRowId: number;
};

/** Writes the replay and its entry of the audit log, in the caller's transaction. */
export async function beginReplay(
  trx: Trx,
  { audit, clock }: { audit: AuditLog<Trx>; clock: Clock },
  { actor, target }: { actor: Actor; target: DeliveryTarget },
  fields: NewReplay,
): Promise<Replay> {
  const now = clock.now();
  const isOver = fields.state === "done";
  const row: Omit<Replay, "id"> = {
    ...fields,
    enterpriseId: target.enterpriseId,
    subscriptionId: target.subscriptionId,
    lastSequence: target.lastSequence,
    error: null,
    createdBy: actor.userId,
    created: now,
    started: isOver ? now : null,
    ended: isOver ? now : null,
  };
  const replay = { ...row, id: await insertReplay(trx, row) };
  const to = { id: replay.id, ...auditedRequest(replay) };
  await audit.write(trx, replayEntry(actor, target.subscriptionId, { replay: { to } }));
  return replay;
}

/** The requested criteria, without those that were left open. */
function auditedRequest({ criteria, rate }: Replay): Record<string, unknown> {
  const { statuses, since, until, deliveryId, deliveryIds, isUndelivered, ...plain } = criteria;
  const isNamed = deliveryId !== null || deliveryIds.length > 0;
  const all = {
    ...(isNamed ? { delivery: deliveryId } : { status: statuses, rate }),
    ...(deliveryIds.length > 0 ? { deliveries: deliveryIds } : {}),
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    ...(isUndelivered ? { undelivered: true } : {}),
    ...plain,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** In the audit log a replay is a change of its webhook. */
export function replayEntry(
  actor: Actor,
  subscriptionId: number,
  changes: AuditChanges,
): AuditEntry {
  return auditEntryOf(actor, subscriptionId, { action: "update", changes });
}

/** The scope of a replay that is requested now. */
export async function currentScope(
  db: Queryable,
  { enterpriseId, subscriptionId, lastSequence }: DeliveryTarget,
  input: { criteria: ReplayCriteria; retentionDays: number; now: Date },
): Promise<ReplayScope> {
  return {
    ...{ enterpriseId, subscriptionId, lastSequence },
    criteria: input.criteria,
    matching: await readMatching(db, subscriptionId),
    lastEventRowId: await findLastEventRowId(db, enterpriseId),
    created: input.now,
    logSince: await readLogSince(db, enterpriseId, input),
  };
}

type RepeatDeps = Readonly<{ db: Db; clock: Clock; audit: AuditLog<Trx>; onDue: () => void }>;

/** `deliveryId`: the new delivery, shared by two selected deliveries of the same event. */
type RepeatedDelivery = Readonly<{ id: number; deliveryId: number }>;

type RefusedDelivery = Readonly<{ id: number; detail: string }>;

export type ReplayedSelection = Readonly<{
  made: RepeatedDelivery[];
  refused: RefusedDelivery[];
  /** One per webhook. */
  replayIds: number[];
}>;

const emptySelection: ReplayedSelection = { made: [], refused: [], replayIds: [] };

type FindReplay = (trx: Trx, enterpriseId: number, replayId: number) => Promise<ReplayWithProgress>;

/** Replays one delivery. Throws a conflict if it cannot be replayed. */
export function createRepeat(deps: RepeatDeps, find: FindReplay) {
  return async (
    actor: Actor,
    subscriptionId: number,
    deliveryId: number,
  ): Promise<ReplayWithProgress & { deliveryId: number }> =>
    inTransaction(deps.db, async (trx) => {
      const target = await lockPushTarget(trx, actor.enterpriseId, subscriptionId);
      const found = await requireRepeatable(trx, subscriptionId, deliveryId);
      const criteria = criteriaOfOne(deliveryId);
      const { replayId, made } = await makeReplay(trx, deps, { actor, target, criteria }, [found]);
      const replay = await find(trx, actor.enterpriseId, replayId);
      return { ...replay, deliveryId: made[0]?.id ?? 0 };
    });
}

async function requireRepeatable(
  trx: Trx,
  subscriptionId: number,
  deliveryId: number,
): Promise<Repeatable> {
  const [found] = await findRepeatables(trx, subscriptionId, [deliveryId]);
  if (found === undefined) {
    throw problem("not_found", `Delivery ${deliveryId} was not found.`);
  }
  const refusal = repeatRefusalOf(found);
  if (refusal !== undefined) {
    throw problem("conflict", refusal);
  }
  return found;
}

/**
 * Replays many, one transaction per webhook. Deliveries that cannot be replayed are reported and
 * stop no others.
 */
export function createRepeatSelection(deps: RepeatDeps) {
  return async (actor: Actor, deliveryIds: readonly number[]): Promise<ReplayedSelection> => {
    const groups = await groupBySubscription(deps.db, actor.enterpriseId, deliveryIds);
    const known = new Set([...groups.values()].flat());
    const unknown = deliveryIds
      .filter((id) => !known.has(id))
      .map((id) => ({ id, detail: `Delivery ${id} was not found.` }));
    let result: ReplayedSelection = { ...emptySelection, refused: unknown };
    for (const group of groups) {
      const part = await inTransaction(deps.db, (trx) =>
        repeatOfOneWebhook(trx, deps, actor, group),
      ).catch((thrown: unknown): ReplayedSelection => {
        if (!(thrown instanceof Problem)) {
          throw thrown;
        }
        const { message: detail } = thrown;
        return { ...emptySelection, refused: group[1].map((id) => ({ id, detail })) };
      });
      result = {
        made: [...result.made, ...part.made],
        refused: [...result.refused, ...part.refused],
        replayIds: [...result.replayIds, ...part.replayIds],
      };
    }
    return result;
  };
}

async function repeatOfOneWebhook(
  trx: Trx,
  deps: RepeatDeps,
  actor: Actor,
  [subscriptionId, ids]: readonly [number, readonly number[]],
): Promise<ReplayedSelection> {
  const target = await lockPushTarget(trx, actor.enterpriseId, subscriptionId);
  const found = await findRepeatables(trx, subscriptionId, ids);
  const refused = found.flatMap((one) => {
    const detail = repeatRefusalOf(one);
    return detail === undefined ? [] : [{ id: one.id, detail }];
  });
  const wanted = found.filter((one) => repeatRefusalOf(one) === undefined);
  if (wanted.length === 0) {
    return { ...emptySelection, refused };
  }
  const criteria = criteriaOfSelection(wanted.map(({ id }) => id));
  const { replayId, made } = await makeReplay(trx, deps, { actor, target, criteria }, wanted);
  const byEvent = new Map(made.map(({ id, eventRowId }) => [eventRowId, id]));
  return {
    made: wanted.map(({ id, eventRowId }) => ({ id, deliveryId: byEvent.get(eventRowId) ?? 0 })),
    refused,
    replayIds: [replayId],
  };
}

/** Why a delivery cannot be replayed. Pure. */
function repeatRefusalOf(found: Repeatable): string | undefined {
  const { id, liveDeliveryId } = found;
  if (liveDeliveryId === id) {
    return `Delivery ${id} has not ended: its state is ${found.state}.`;
  }
  if (liveDeliveryId !== null) {
    return `The event of delivery ${id} has another delivery that has not ended: ${liveDeliveryId}.`;
  }
  if (!found.isEventKept) {
    return `The event of delivery ${id} is no longer stored.`;
  }
  return found.isExpunged ? `The content of the event of delivery ${id} was removed.` : undefined;
}

/** Creates the replay and its deliveries. The caller's transaction holds the lock of the target. */
async function makeReplay(
  trx: Trx,
  { onDue, ...deps }: RepeatDeps,
  { actor, target, criteria }: { actor: Actor; target: DeliveryTarget; criteria: ReplayCriteria },
  wanted: readonly Repeatable[],
): Promise<{ replayId: number; made: ReplayDelivery[] }> {
  const eventRowIds = new Set(wanted.map(({ eventRowId }) => eventRowId));
  const replay = await beginReplay(
    trx,
    deps,
    { actor, target },
    {
      criteria,
      matching: { filters: [], conditions: null },
      rate: defaultRate,
      ...({ state: "done", total: eventRowIds.size, made: eventRowIds.size } as const),
      position: { phase: "end", position: 0 },
      lastEventRowId: Math.max(...eventRowIds),
    },
  );
  const events = wanted.map((found) => ({ ...found, replayOf: found.id }));
  const made = await createReplayDeliveries(
    trx,
    target,
    { replayId: replay.id, lastSequence: replay.lastSequence, now: replay.created },
    events,
  );
  if (made.length !== eventRowIds.size) {
    throw new Error("Not every delivery was created");
  }
  afterCommit(trx, onDue);
  return { replayId: replay.id, made };
}
