/** Checks that a webhook exists in the caller's enterprise, and that requests are sent to it. */
import { problem, webhookNotFound } from "../contracts/problems.ts";
import {
  lockDeliveryTarget,
  readDeliveryTarget,
  type DeliveryTarget,
} from "../pipeline/ledger/replay-deliveries.ts";
import type { Queryable, Trx } from "../platform/db/pool.ts";

/** Throws `not_found` for a webhook that the enterprise does not have. */
export async function readTarget(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<DeliveryTarget> {
  return requireTarget(await readDeliveryTarget(db, enterpriseId, id), id);
}

/** The same under the health lock, which is held until the transaction ends. */
export async function lockTarget(
  trx: Trx,
  enterpriseId: number,
  id: number,
): Promise<DeliveryTarget> {
  return requireTarget(await lockDeliveryTarget(trx, enterpriseId, id), id);
}

/** Throws for a webhook that does not exist or is in pull mode. */
export async function readPushTarget(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<DeliveryTarget> {
  return requirePush(await readTarget(db, enterpriseId, id));
}

/** The same under the health lock, which is held until the transaction ends. */
export async function lockPushTarget(
  trx: Trx,
  enterpriseId: number,
  id: number,
): Promise<DeliveryTarget> {
  return requirePush(await lockTarget(trx, enterpriseId, id));
}

function requireTarget(target: DeliveryTarget | undefined, id: number): DeliveryTarget {
  if (target === undefined) {
    throw webhookNotFound(id);
  }
  return target;
}

function requirePush(target: DeliveryTarget): DeliveryTarget {
  if (target.mode === "pull") {
    const detail = "A webhook in pull mode keeps its events: pull them again from an older cursor.";
    throw problem("conflict", detail);
  }
  return target;
}
