/**
 * `node --import tsx bench/enterprise-filter.ts`: what the scheduler's search for due deliveries would cost if its
 * statement named the enterprise in addition to the subscription. See docs/decisions/055.
 */
import { rowsOf, type Db } from "../src/platform/db/pool.ts";
import { runBench } from "./support/run-bench.ts";
import { medianOfAll, nowMs } from "./support/statistics.ts";

const enterprises = 1_000;
const rounds = 5;

const conditions = "d.state = 'pending' AND d.waits_for IS NULL AND d.replay_id IS NULL";

/** The earliest due delivery of each subscription. */
const findDue = (tie: string): string => `
  SELECT s.id, due.due_at FROM subscriptions s CROSS JOIN LATERAL (
    SELECT d.due_at FROM deliveries d WHERE ${tie} AND ${conditions}
    ORDER BY d.due_at, d.sequence LIMIT 1) AS due`;

const bySubscription = "d.subscription_id = s.id";
const byBoth = `${bySubscription} AND d.enterprise_id = s.enterprise_id`;

/** One subscription per enterprise; one of them has a backlog, all have a history. */
async function fill(db: Db): Promise<void> {
  await db.transaction(async (trx) => {
    // The enterprises and events are of no interest here, so they do not exist.
    await trx.raw("SET LOCAL session_replication_role = 'replica'");
    await trx.raw(
      `INSERT INTO subscriptions (id, enterprise_id, url, is_active, secret_sealed)
       SELECT n, n, 'https://receiver.example', true, '' FROM generate_series(1, ${enterprises}) AS n`,
    );
    await trx.raw(
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, due_at)
       SELECT owner.id, owner.id, n, n, now(), 'ticket', 'ticket:' || n % 500,
         CASE WHEN n <= 300000 THEN 'pending' ELSE 'delivered' END, now()
       FROM generate_series(1, 1000000) AS n,
         LATERAL (SELECT CASE WHEN n <= 300000 THEN 1 ELSE 1 + n % ${enterprises} END AS id) AS owner`,
    );
  });
  await db.raw("VACUUM (ANALYZE) deliveries");
  await db.raw("VACUUM (ANALYZE) subscriptions");
}

async function measure(db: Db, sql: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = nowMs();
    await rowsOf(db, sql);
    times.push(nowMs() - startedAt);
  }
  return medianOfAll(times);
}

await runBench(async ({ stack: { db }, print }) => {
  await fill(db);
  const show = (title: string, ms: number): void =>
    print(`${ms.toFixed(1).padStart(8)} ms  ${title}`);
  show("by subscription", await measure(db, findDue(bySubscription)));
  show("by subscription and enterprise", await measure(db, findDue(byBoth)));
  await db.raw(
    `CREATE INDEX ON deliveries (enterprise_id, subscription_id, due_at, sequence)
     WHERE state = 'pending' AND waits_for IS NULL AND replay_id IS NULL`,
  );
  await db.raw("VACUUM (ANALYZE) deliveries");
  show("the same, with an index that begins with both", await measure(db, findDue(byBoth)));
});
