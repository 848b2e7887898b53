import { expect } from "chai";
import { rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import {
  cancelDeliveries,
  listPendingBacklogMoves,
  pauseDeliveries,
  resumeDeliveries,
  cancelPausedDeliveries,
} from "../../../src/pipeline/ledger/backlog-states.ts";
import { useDatabase } from "../../support/database.ts";
import { fillDeliveries } from "../../support/explain.ts";

type Delivery = { sequence: number; state: string; generation: number; due_at: Date };

const states = [
  "pending",
  "queued",
  "sending",
  "delivered",
  "retry",
  "dead",
  "paused",
  "cancelled",
];

async function insertSubscription(db: Db, isActive: boolean, isDeleted = false): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    `WITH enterprise AS (
       INSERT INTO enterprises (name, api_key) VALUES ('E', md5(random()::text)) RETURNING id
     )
     INSERT INTO subscriptions (enterprise_id, url, is_active, secret_sealed, deleted_at)
     SELECT id, 'https://receiver.example/', ?, '\\x00', CASE WHEN ? THEN now() END
     FROM enterprise RETURNING id`,
    [isActive, isDeleted],
  );
  return row?.id ?? 0;
}

/** One delivery per state, with sequences from 1. Those in `retry` had one attempt. */
async function insertDeliveries(
  db: Db,
  subscriptionId: number,
  input: readonly string[],
  dueAt = new Date("2026-01-01T00:00:00Z"),
): Promise<void> {
  await rowsOf(
    db,
    `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
       key, state, attempts, due_at, queued_at)
     SELECT s.enterprise_id, s.id, n, n, now(), 'ticket', 'ticket:' || n, state,
       CASE WHEN state = 'retry' THEN 1 ELSE 0 END, ?, CASE WHEN state = 'queued' THEN now() END
     FROM subscriptions s, unnest(?::text[]) WITH ORDINALITY AS input(state, n) WHERE s.id = ?`,
    [dueAt, input, subscriptionId],
  );
}

async function read(db: Db, subscriptionId: number): Promise<Delivery[]> {
  return rowsOf<Delivery>(
    db,
    `SELECT sequence, state, generation, due_at FROM deliveries
     WHERE subscription_id = ? ORDER BY sequence`,
    [subscriptionId],
  );
}

async function statesOf(db: Db, subscriptionId: number): Promise<string[]> {
  return (await read(db, subscriptionId)).map((row) => row.state);
}

describe("pausing the deliveries of a subscription", () => {
  const database = useDatabase();

  it("pauses live deliveries, except those being sent", async () => {
    const { db } = database;
    const id = await insertSubscription(db, false);
    const other = await insertSubscription(db, true);
    await insertDeliveries(db, id, states);
    await insertDeliveries(db, other, states);
    expect(await pauseDeliveries(db, id, 100)).to.equal(3);
    expect(await statesOf(db, id)).to.deep.equal([
      "paused",
      "paused",
      "sending",
      "delivered",
      "paused",
      "dead",
      "paused",
      "cancelled",
    ]);
    expect(await statesOf(db, other)).to.deep.equal(states);
    expect(await pauseDeliveries(db, id, 100)).to.equal(0);
  });

  it("raises the generation, so that a running job is refused, and clears the queueing time", async () => {
    const { db } = database;
    const id = await insertSubscription(db, false);
    await insertDeliveries(db, id, ["queued", "delivered"]);
    await pauseDeliveries(db, id, 100);
    expect((await read(db, id)).map((row) => row.generation)).to.deep.equal([1, 0]);
    const [row] = await rowsOf(
      db,
      "SELECT queued_at FROM deliveries WHERE state = 'paused' AND subscription_id = ?",
      [id],
    );
    expect(row).to.deep.equal({ queued_at: null });
  });

  it("pauses deliveries that wait for a predecessor", async () => {
    const { db } = database;
    const id = await insertSubscription(db, false);
    await insertDeliveries(db, id, ["sending", "pending"]);
    await rowsOf(
      db,
      "UPDATE deliveries SET waits_for = 1 WHERE sequence = 2 AND subscription_id = ?",
      [id],
    );
    await pauseDeliveries(db, id, 100);
    expect(await statesOf(db, id)).to.deep.equal(["sending", "paused"]);
  });

  it("works in batches, always including queued ones", async () => {
    const { db } = database;
    const id = await insertSubscription(db, false);
    await insertDeliveries(db, id, ["pending", "pending", "pending", "queued", "queued"]);
    expect(await pauseDeliveries(db, id, 2)).to.equal(4);
    expect(await statesOf(db, id)).to.deep.equal([
      "paused",
      "paused",
      "pending",
      "paused",
      "paused",
    ]);
    expect(await pauseDeliveries(db, id, 2)).to.equal(1);
  });

  it("does not wait for a delivery that a worker is claiming", async () => {
    const { db } = database;
    const id = await insertSubscription(db, false);
    await insertDeliveries(db, id, ["queued", "pending"]);
    const claim = await db.transaction();
    await rowsOf(
      claim,
      "UPDATE deliveries SET state = 'sending' WHERE sequence = 1 AND subscription_id = ?",
      [id],
    );
    expect(await pauseDeliveries(db, id, 100)).to.equal(1);
    await claim.commit();
    expect(await statesOf(db, id)).to.deep.equal(["sending", "paused"]);
  });

  it("resumes as pending or retry, due now or as planned", async () => {
    const { db } = database;
    const id = await insertSubscription(db, true);
    await insertDeliveries(db, id, ["pending", "retry", "delivered"]);
    const later = new Date(Date.now() + 3_600_000);
    await rowsOf(
      db,
      "UPDATE deliveries SET due_at = ? WHERE sequence = 2 AND subscription_id = ?",
      [later, id],
    );
    await pauseDeliveries(db, id, 100);
    expect(await resumeDeliveries(db, id, 100)).to.equal(2);
    const [first, second, third] = await read(db, id);
    expect([first?.state, second?.state, third?.state]).to.deep.equal([
      "pending",
      "retry",
      "delivered",
    ]);
    expect(Date.now() - (first?.due_at.getTime() ?? 0)).to.be.lessThan(60_000);
    expect(second?.due_at).to.deep.equal(later);
  });

  it("resumes the oldest first and keeps the order by due time", async () => {
    const { db } = database;
    const id = await insertSubscription(db, true);
    await insertDeliveries(db, id, ["paused", "paused", "paused", "paused"]);
    expect(await resumeDeliveries(db, id, 3)).to.equal(3);
    expect(await statesOf(db, id)).to.deep.equal(["pending", "pending", "pending", "paused"]);
    await resumeDeliveries(db, id, 3);
    const order = (await read(db, id)).toSorted(
      (a, b) => a.due_at.getTime() - b.due_at.getTime() || a.sequence - b.sequence,
    );
    expect(order.map((row) => row.sequence)).to.deep.equal([1, 2, 3, 4]);
  });

  it("cancels the live deliveries of a deleted subscription, with their end time", async () => {
    const { db } = database;
    const id = await insertSubscription(db, false, true);
    await insertDeliveries(db, id, states);
    expect(await cancelDeliveries(db, id, 100)).to.equal(4);
    expect(await statesOf(db, id)).to.deep.equal([
      "cancelled",
      "cancelled",
      "sending",
      "delivered",
      "cancelled",
      "dead",
      "cancelled",
      "cancelled",
    ]);
    const rows = await rowsOf(
      db,
      "SELECT 1 FROM deliveries WHERE subscription_id = ? AND ended_at IS NOT NULL",
      [id],
    );
    expect(rows).to.have.length(4);
  });

  it("lists subscriptions with deliveries to move, and none afterwards", async () => {
    const { db } = database;
    await rowsOf(db, "DELETE FROM deliveries");
    const off = await insertSubscription(db, false);
    const on = await insertSubscription(db, true);
    const deleted = await insertSubscription(db, false, true);
    const settled = await insertSubscription(db, true);
    await insertDeliveries(db, off, ["paused", "pending"]);
    await insertDeliveries(db, on, ["paused", "delivered"]);
    await insertDeliveries(db, deleted, ["paused"]);
    await insertDeliveries(db, settled, ["pending", "delivered", "sending"]);
    expect(await listPendingBacklogMoves(db)).to.deep.equal([
      { subscriptionId: off, move: "pause" },
      { subscriptionId: on, move: "resume" },
      { subscriptionId: deleted, move: "cancel" },
    ]);
    await pauseDeliveries(db, off, 10);
    await resumeDeliveries(db, on, 10);
    await cancelDeliveries(db, deleted, 10);
    expect(await listPendingBacklogMoves(db)).to.deep.equal([]);
  });

  it("cancels paused deliveries oldest first, and releases their successors", async () => {
    const { db } = database;
    const id = await insertSubscription(db, false);
    await fillDeliveries(db, id, { state: "paused", count: 5, keys: 1 });
    const now = new Date("2026-11-20T10:00:00Z");
    const end = (limit: number) =>
      inTransaction(db, (trx) => cancelPausedDeliveries(trx, id, { now, limit }));
    const readWaits = () =>
      rowsOf(
        db,
        "SELECT state, waits_for FROM deliveries WHERE subscription_id = ? ORDER BY sequence",
        [id],
      );
    expect(await end(2)).to.equal(2);
    expect(await readWaits()).to.deep.equal([
      { state: "cancelled", waits_for: null },
      { state: "cancelled", waits_for: null },
      { state: "paused", waits_for: null },
      { state: "paused", waits_for: 3 },
      { state: "paused", waits_for: 4 },
    ]);
    expect(await end(10)).to.equal(3);
    expect(await end(10)).to.equal(0);
    const ended = await rowsOf(
      db,
      "SELECT 1 FROM deliveries WHERE subscription_id = ? AND ended_at = ?",
      [id, now],
    );
    expect(ended).to.have.length(5);
  });
});
