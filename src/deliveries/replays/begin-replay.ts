/** Starts a replay: its row and its audit entry, in the caller's transaction. */
import type { AuditChanges, AuditEntry, AuditLog } from "../../contracts/audit.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Trx, Queryable } from "../../platform/db/pool.ts";
import type { DeliveryTarget } from "../../pipeline/ledger/replay-deliveries.ts";
import { auditEntryOf, type Actor } from "../../http/authorize.ts";
import type { Replay } from "./model.ts";
import { insertReplay, findLastEventRowId, readLogSince, readMatching } from "./store.ts";
import type { ReplayScope } from "./walk-chunks.ts";
import type { ReplayCriteria } from "./criteria.ts";

type NewReplay = Pick<Replay, "criteria" | "matching" | "rate" | "state" | "total" | "made"> & {
  position: Replay["position"];
  lastEventRowId: number;
};

/** Writes the replay and its entry of the audit log. */
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
