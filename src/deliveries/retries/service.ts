/**
 * Manual retries and probes: the next attempt of a waiting delivery becomes due now. When deliveries
 * are retried otherwise is decided in `pipeline/delivery/retry-policy.ts`.
 */
import { problem } from "../../contracts/problems.ts";
import { lockHealth } from "../../pipeline/ledger/health.ts";
import {
  prepareProbe,
  probeNow,
  retryNow,
  type ExpeditedRetry,
  type UnretriedDelivery,
} from "../../pipeline/ledger/retry-now.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import type { AuditLog } from "../../contracts/audit.ts";
import { auditEntryOf, type Actor } from "../../http/authorize.ts";
import { lockTarget } from "../delivery-target.ts";
import { afterCommit } from "../../platform/db/open-transaction.ts";

export type RetryDeps = {
  db: Db;
  clock: Clock;
  audit: AuditLog<Trx>;
  /** Called after a commit that made something due: wakes the schedule early. */
  onDue: () => void;
};

export type RetryResult = { done: ExpeditedRetry[]; refused: RetryRefusal[]; now: Date };

/** Manual retries. Everything is bound to the actor's enterprise. */
export type Retries = {
  /** Makes retries due now; reports why others cannot be retried. */
  retryMany(actor: Actor, ids: readonly number[]): Promise<RetryResult>;
  /** The same for one delivery. Throws if it cannot be retried. */
  retryOne(actor: Actor, id: number): Promise<{ done: ExpeditedRetry; now: Date }>;
  /**
   * Makes the next probe of an open circuit due now. Throws a conflict if the circuit is closed.
   */
  probe(actor: Actor, subscriptionId: number): Promise<Date>;
};

/** Deliveries per request. */
export const maxRetried = 500;

export const refusalReasons = [
  "not_found",
  "in_flight",
  "due",
  "waits",
  "webhook_off",
  "ended",
  "pulled",
] as const;

export type RetryRefusalReason = (typeof refusalReasons)[number];

export type RetryRefusal = { id: number; reason: RetryRefusalReason; detail: string };

export function createRetries(deps: RetryDeps): Retries {
  const retryMany = createRetryMany(deps);
  return {
    retryMany,
    retryOne: async (actor, id) => {
      const { done, refused, now } = await retryMany(actor, [id]);
      const [first] = done;
      if (first === undefined) {
        const { reason, detail } = refused[0] ?? unknownDelivery(id);
        throw problem(reason === "not_found" ? "not_found" : "conflict", detail);
      }
      return { done: first, now };
    },
    probe: createProbe(deps),
  };
}

function createRetryMany({ db, clock, audit, onDue }: RetryDeps): Retries["retryMany"] {
  return async (actor, ids) => {
    const now = clock.now();
    const { enterpriseId } = actor;
    return inTransaction(db, async (trx) => {
      const { done, others } = await retryNow(trx, { enterpriseId, ids, now });
      await auditRetries(trx, audit, actor, done);
      if (done.length > 0) {
        afterCommit(trx, onDue);
      }
      const known = new Map(others.map((one) => [one.id, retryRefusalOf(one)]));
      const isDone = new Set(done.map(({ id }) => id));
      const refused = ids
        .filter((id) => !isDone.has(id))
        .map((id) => known.get(id) ?? unknownDelivery(id));
      return { done, refused, now };
    });
  };
}

/** One audit entry per webhook, because its requests are sent. */
async function auditRetries(
  trx: Trx,
  audit: AuditLog<Trx>,
  actor: Actor,
  done: readonly ExpeditedRetry[],
): Promise<void> {
  const webhooks = new Set(done.map(({ health }) => health.subscriptionId));
  for (const webhook of webhooks) {
    const some = done.filter(({ health }) => health.subscriptionId === webhook);
    const changes = { retry: { to: { deliveries: some.map(({ id }) => id) } } };
    await audit.write(trx, auditEntryOf(actor, webhook, { action: "update", changes }));
  }
}

/** Why a delivery has no retry to expedite. */
function retryRefusalOf(found: UnretriedDelivery): RetryRefusal {
  const { id, state, isActive } = found;
  switch (state) {
    case "queued":
    case "sending":
      return inFlight(id);
    case "delivered":
    case "dead":
    case "cancelled":
      return { id, reason: "ended", detail: `Delivery ${id} is ${state}: replay it instead.` };
    case "available":
      return {
        id,
        reason: "pulled",
        detail: `Delivery ${id} cannot be retried: its webhook is in pull mode.`,
      };
    default:
      return state === "paused" || !isActive ? off(id) : pending(found);
  }
}

function inFlight(id: number): RetryRefusal {
  return {
    id,
    reason: "in_flight",
    detail: `Delivery ${id} is being sent.`,
  };
}

function off(id: number): RetryRefusal {
  return {
    id,
    reason: "webhook_off",
    detail: `The webhook of delivery ${id} is disabled. Enable it: the delivery is then sent.`,
  };
}

function pending({ id, waitsFor }: UnretriedDelivery): RetryRefusal {
  return waitsFor === null
    ? { id, reason: "due", detail: `Delivery ${id} is already due.` }
    : {
        id,
        reason: "waits",
        detail: `Delivery ${id} waits for an earlier delivery of the same object, with the sequence ${waitsFor}.`,
      };
}

function unknownDelivery(id: number): RetryRefusal {
  return {
    id,
    reason: "not_found",
    detail: `Delivery ${id} was not found.`,
  };
}

function createProbe({ db, clock, audit, onDue }: RetryDeps): Retries["probe"] {
  return async (actor, id) =>
    inTransaction(db, async (trx) => {
      const now = clock.now();
      const target = await lockTarget(trx, actor.enterpriseId, id);
      if (!target.isActive || target.mode === "pull") {
        throw problem(
          "conflict",
          `Webhook ${id} is disabled or in pull mode: nothing is sent to it.`,
        );
      }
      const health = (await lockHealth(trx, [id])).get(id);
      const refusal = health === undefined ? "Its health is unknown." : whyNoProbe(health, now);
      if (refusal !== undefined) {
        throw problem("conflict", `Webhook ${id} cannot be probed. ${refusal}`);
      }
      if (!(await prepareProbe(trx, id, now))) {
        throw problem("conflict", `Webhook ${id} has no waiting deliveries. Send a test instead.`);
      }
      await probeNow(trx, [id], now);
      const changes = { probe: { to: toTimestamp(now) } };
      await audit.write(trx, auditEntryOf(actor, id, { action: "update", changes }));
      afterCommit(trx, onDue);
      return now;
    });
}

/** Why no probe can be sent now; undefined if one can. */
function whyNoProbe(
  { throttledUntil, probeAt }: { throttledUntil: Date | null; probeAt: Date | null },
  now: Date,
): string | undefined {
  if (throttledUntil !== null && throttledUntil > now) {
    return `Its receiver is throttled until ${toTimestamp(throttledUntil)}.`;
  }
  return probeAt === null
    ? "Its circuit is closed: due deliveries are sent without a probe."
    : undefined;
}
