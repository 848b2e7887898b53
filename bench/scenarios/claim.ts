/** The cost of claims alone. */
import type { DeliverJob } from "../../src/contracts/jobs.ts";
import { claimDeliveries } from "../../src/pipeline/ledger/claim.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import { cpuMs } from "../support/usage.ts";
import { medianOfAll, nowMs } from "../support/statistics.ts";
import type { Stack } from "../support/stack.ts";
import { subscribe } from "../support/subscriptions.ts";

export type ClaimResult = {
  batchSize: number;
  /** Duration of a call divided by its jobs. */
  wallUsPerDelivery: number;
  /** CPU of this process (knex, pg) and of Postgres. */
  clientCpuUsPerDelivery: number;
  serverCpuUsPerDelivery: number;
};

/** Queued deliveries with one event each, as after an enqueue. */
async function writeQueued(db: Db, enterpriseId: number, count: number): Promise<DeliverJob[]> {
  const result: { rows: DeliverJob[] } = await db.raw(
    `WITH taken AS (
       SELECT subscription_id, last_sequence FROM subscription_health
       WHERE subscription_id = (SELECT min(id) FROM subscriptions WHERE enterprise_id = :enterpriseId)
     ), counted AS (
       UPDATE subscription_health h SET last_sequence = taken.last_sequence + CAST(:count AS integer)
       FROM taken WHERE h.subscription_id = taken.subscription_id
     ), written AS (
       INSERT INTO events (event_id, enterprise_id, object, event, object_id, key, body)
       SELECT 'evt_claim' || n, CAST(:enterpriseId AS bigint), 'ticket', 'update', n, 'ticket:' || n,
         '{"event":"update","time":1,"object":"ticket","objectId":1,"props":{"state":"invited"}}'
       FROM generate_series(1, CAST(:count AS integer)) AS n RETURNING id, occurred_at, key
     )
     INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
       key, state, generation, due_at, queued_at)
     SELECT CAST(:enterpriseId AS bigint), taken.subscription_id,
       taken.last_sequence + row_number() OVER (ORDER BY w.id), w.id, w.occurred_at, 'ticket',
       w.key, 'queued', 1, now(), now()
     FROM written w, taken
     RETURNING id AS "deliveryId", generation`,
    { count, enterpriseId },
  );
  return result.rows;
}

async function claimAll(
  { db, postgresPid }: Stack,
  deliverJobs: readonly DeliverJob[],
  batchSize: number,
): Promise<ClaimResult> {
  const lease = { now: new Date(), leaseMs: 600_000 };
  const serverBefore = cpuMs(postgresPid, true);
  const clientBefore = process.cpuUsage();
  const startedAt = nowMs();
  let claimed = 0;
  for (let start = 0; start < deliverJobs.length; start += batchSize) {
    const batch = await claimDeliveries(db, deliverJobs.slice(start, start + batchSize), lease);
    claimed += batch.filter((one) => one !== undefined).length;
  }
  const wallMs = nowMs() - startedAt;
  const { user, system } = process.cpuUsage(clientBefore);
  if (claimed !== deliverJobs.length) {
    throw new Error(`Claimed ${claimed} of ${deliverJobs.length}`);
  }
  return {
    batchSize,
    wallUsPerDelivery: (wallMs * 1_000) / claimed,
    clientCpuUsPerDelivery: (user + system) / claimed,
    serverCpuUsPerDelivery: ((cpuMs(postgresPid, true) - serverBefore) * 1_000) / claimed,
  };
}

/**
 * Medians over several rounds per batch size. No role may be running, because it would affect the
 * result.
 */
export async function measureClaims(
  stack: Stack,
  { rounds, count }: { rounds: number; count: number },
): Promise<ClaimResult[]> {
  const enterpriseId = await subscribe(stack, ["http://127.0.0.1:9/hook"]);
  const results: ClaimResult[] = [];
  for (const batchSize of [1, 20, 100]) {
    const measured: ClaimResult[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const deliverJobs = await writeQueued(stack.db, enterpriseId, count);
      await stack.db.raw("CHECKPOINT");
      measured.push(await claimAll(stack, deliverJobs, batchSize));
      await stack.db.raw("UPDATE deliveries SET state = 'delivered' WHERE state = 'sending'");
      await stack.db.raw("VACUUM ANALYZE deliveries");
    }
    results.push(medianOfAll(measured));
  }
  return results;
}
