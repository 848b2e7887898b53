import { expect } from "chai";
import { deleteOldRows, type RetentionDeps } from "../../../src/pipeline/schedule/retention.ts";
import { recordRevision, takeRevision } from "../../../src/pipeline/ledger/revisions.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { createMetrics } from "../../../src/platform/metrics.ts";
import { createTestClock } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { fillDeliveries } from "../../support/explain.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";

const dayMs = 86_400_000;

describe("old deliveries", () => {
  const database = useDatabase();
  const clock = createTestClock(new Date());
  const deps = (): RetentionDeps => ({
    db: database.db,
    clock,
    log: createLogger("silent", "test"),
    metrics: createMetrics(),
    retentionDays: 30,
  });

  beforeEach(async () => {
    await rowsOf(database.db, "TRUNCATE deliveries RESTART IDENTITY");
  });

  const fill = async (logDays: number | null, state: string, count: number) => {
    const { id } = await anEnterprise(database.db, { log_days: logDays });
    const { id: subscription } = await aSubscription(database.db, { enterprise_id: id });
    const createdAt = new Date(clock.now().getTime() - 31 * dayMs);
    await fillDeliveries(database.db, subscription, { state, count, keys: count, createdAt });
    return subscription;
  };
  const countOf = async (subscription: number) =>
    (
      await rowsOf<{ count: number }>(
        database.db,
        "SELECT count(*) AS count FROM deliveries WHERE subscription_id = ?",
        [subscription],
      )
    )[0]?.count;

  it("are deleted by the retention of their enterprise, even behind many kept ones", async () => {
    const kept = await fill(400, "delivered", 5_200);
    const short = await fill(10, "available", 20);
    const usual = await fill(null, "dead", 30);
    expect(await deleteOldRows(deps())).to.equal(50);
    expect([await countOf(kept), await countOf(short), await countOf(usual)]).to.deep.equal([
      5_200, 0, 0,
    ]);
  });

  it("are searched from the end of the last pass, and from the first row every six hours", async () => {
    const schedule = deps();
    const paused = await fill(null, "paused", 5_000);
    const kept = await fill(400, "delivered", 10_000);
    expect(await deleteOldRows(schedule)).to.equal(0);
    const scanned: unknown[] = [];
    const listen = ({ sql }: { sql: string }) => {
      if (sql.includes("bool_or(is_old)")) {
        scanned.push(sql);
      }
    };
    await rowsOf(database.db, "UPDATE deliveries SET state = 'dead' WHERE subscription_id = ?", [
      paused,
    ]);
    const later = await fill(null, "delivered", 7);
    database.db.on("query", listen);
    clock.advance(60_000);
    expect(await deleteOldRows(schedule)).to.equal(7);
    database.db.removeListener("query", listen);
    expect(scanned).to.have.length.below(3);
    expect([await countOf(paused), await countOf(later)]).to.deep.equal([5_000, 0]);
    clock.advance(6 * 3_600_000);
    expect(await deleteOldRows(schedule)).to.equal(5_000);
    expect([await countOf(paused), await countOf(kept)]).to.deep.equal([0, 10_000]);
  });
});

describe("old revisions", () => {
  const database = useDatabase();
  const clock = createTestClock(new Date());
  const daysAgo = (days: number): Date => new Date(clock.now().getTime() - days * dayMs);

  const reviseAt = (id: number, days: number) =>
    inTransaction(database.db, async (trx) => {
      const revision = await takeRevision(trx);
      await recordRevision(trx, id, revision, { reason: "changed", changedBy: null });
      await rowsOf(trx, "UPDATE subscription_revisions SET valid_from = ? WHERE revision = ?", [
        daysAgo(days),
        revision,
      ]);
    });
  const agesOf = async (id: number): Promise<number[]> => {
    const rows = await rowsOf<{ valid_from: Date }>(
      database.db,
      "SELECT valid_from FROM subscription_revisions WHERE subscription_id = ? ORDER BY revision",
      [id],
    );
    return rows.map((row) =>
      Math.round((clock.now().getTime() - row.valid_from.getTime()) / dayMs),
    );
  };
  const clean = () =>
    deleteOldRows({
      ...{ db: database.db, clock, log: createLogger("silent", "test"), retentionDays: 30 },
    });

  it("are deleted with their last event, except the one still in force", async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, valid_from: daysAgo(90) });
    const { id: untouched } = await aSubscription(database.db, {
      ...{ enterprise_id, valid_from: daysAgo(90) },
    });
    for (const days of [80, 50, 40, 20, 10]) {
      await reviseAt(id, days);
    }
    const [event] = await rowsOf<{ id: number }>(
      database.db,
      "SELECT nextval('events_id_seq') AS id",
    );
    await rowsOf(
      database.db,
      "INSERT INTO outbox (event_row_id, occurred_at, enterprise_id) VALUES (?, ?, ?)",
      [event!.id, daysAgo(60), enterprise_id],
    );
    await clean();
    expect(await agesOf(id)).to.deep.equal([80, 50, 40, 20, 10]);
    await rowsOf(database.db, "DELETE FROM outbox");
    await clean();
    expect(await agesOf(id)).to.deep.equal([40, 20, 10]);
    expect(await agesOf(untouched)).to.deep.equal([90]);
  });

  it("stay from the time on when the webhook was disabled, if it still is", async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, valid_from: daysAgo(90) });
    const switchedAt = async (days: number, isActive: boolean) => {
      await rowsOf(database.db, "UPDATE subscriptions SET is_active = ? WHERE id = ?", [
        isActive,
        id,
      ]);
      await reviseAt(id, days);
    };
    await switchedAt(80, false);
    await switchedAt(75, true);
    await switchedAt(60, false);
    await switchedAt(45, false);
    await clean();
    expect(await agesOf(id)).to.deep.equal([60, 45]);
    await switchedAt(40, true);
    await clean();
    expect(await agesOf(id)).to.deep.equal([40]);
  });

  it("stay from the first one on whose URL is an inbox, which belongs to its first enterprise", async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const key = "a1B2".repeat(5) + "c3";
    const moved = async (url: string): Promise<number> => {
      const { id } = await aSubscription(database.db, {
        enterprise_id,
        url,
        valid_from: daysAgo(90),
      });
      await rowsOf(database.db, "UPDATE subscriptions SET url = ? WHERE id = ?", [
        "https://receiver.test/hook",
        id,
      ]);
      await reviseAt(id, 80);
      await reviseAt(id, 70);
      return id;
    };
    const inbox = await moved(`http://127.0.0.1:3000/inbox/${key}?status=500`);
    const other = await moved(`https://receiver.test/inbox/${key}/hook`);
    await clean();
    expect(await agesOf(inbox)).to.deep.equal([90, 80, 70]);
    expect(await agesOf(other)).to.deep.equal([70]);
  });
});
