/** The beginning of a replay: its row and its entry of the audit log, in the caller's transaction. */
import type { AuditEntry } from "../../contracts/audit.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Trx } from "../../platform/db/pool.ts";
import type { EnlistTarget } from "../../pipeline/ledger/enlist.ts";
import { entryOf, type Actor, type Audit } from "../audit.ts";
import type { Replay } from "./model.ts";
import { insertReplay } from "./store.ts";

type NewReplay = Pick<Replay, "criteria" | "matching" | "rate" | "state" | "total" | "made"> & {
  place: Replay["place"];
  lastEventId: number;
};

/** Writes the replay and its entry of the audit log. */
export async function beginReplay(
  trx: Trx,
  { audit, clock }: { audit: Audit; clock: Clock },
  { actor, target }: { actor: Actor; target: EnlistTarget },
  given: NewReplay,
): Promise<Replay> {
  const now = clock.now();
  const isOver = given.state === "done";
  const row: Omit<Replay, "id"> = {
    ...given,
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
  const to = { id: replay.id, ...wishOf(replay) };
  await audit.write(trx, replayEntry(actor, target.subscriptionId, { replay: { to } }));
  return replay;
}

/** What was asked for, without what was left open. */
function wishOf({ criteria, rate }: Replay): Record<string, unknown> {
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

/** A replay is a change of its webhook. */
export function replayEntry(
  actor: Actor,
  subscriptionId: number,
  changes: AuditEntry["changes"],
): AuditEntry {
  return entryOf(actor, subscriptionId, { action: "update", changes });
}
