import { expect } from "chai";
import { readTallyBacklog } from "../../../src/pipeline/ledger/attempt-feed.ts";
import { deleteOldTallies, tallyWhenDue } from "../../../src/pipeline/schedule/tallies.ts";
import { openPool, rowsOf, type Db, type Queryable } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { addAttempt } from "../../support/attempts.ts";
import { useDatabase } from "../../support/database.ts";
import { aSubscription } from "../../support/factories.ts";
import { useTallies } from "../../support/tallies.ts";
import { untilWaiting } from "../../support/waiting.ts";

type Row = {
  step: number;
  at: Date;
  delivered: number;
  failed: number;
  retried: number;
  dead: number;
  latencies: number[];
  answers: number[];
};

const minute = 60_000;

async function copyLastAttempt(db: Queryable, times: number): Promise<void> {
  await rowsOf(
    db,
    `INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms, status)
     SELECT enterprise_id, started_at, delivery_id, number, duration_ms, status
     FROM (SELECT * FROM attempts ORDER BY id DESC LIMIT 1) AS a, generate_series(1, ?)`,
    [times],
  );
}

/** Notes, for each statement that sums attempts, whether it looks into gaps. */
function watchReads(db: Db) {
  const reads: boolean[] = [];
  const note = ({ sql, bindings }: { sql: string; bindings: readonly unknown[] }): void => {
    if (sql.includes("islands") && sql.includes("AS ended")) {
      reads.push(bindings.some((value) => String(value).includes('"from"')));
    }
  };
  db.on("query", note);
  return {
    stop: (): boolean[] => {
      db.removeListener("query", note);
      return reads;
    },
  };
}

describe("tallies of attempts", () => {
  const database = useDatabase();
  const waitingTransactionIds = async (): Promise<unknown[]> => {
    const waiting = await rowsOf<{ backend_xid: unknown }>(
      database.db,
      `SELECT backend_xid FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.map((one) => one.backend_xid);
  };
  const harness = useTallies(database);
  const { start, clock, attempt: add, tally } = harness;
  const rows = (step: number): Promise<Row[]> =>
    rowsOf(
      database.db,
      `SELECT step, at, delivered, failed, retried, dead, latencies, answers FROM delivery_tallies
       WHERE subscription_id = ? AND step = ? ORDER BY at`,
      [harness.owner.subscriptionId, step],
    );
  const countsOf = ({ delivered, failed, retried, dead }: Row) => [
    delivered,
    failed,
    retried,
    dead,
  ];
  const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

  it("count a death once, although an interrupted attempt has the number of the last one", async () => {
    const last = await add(1_000, { status: 500, number: 10, state: "dead" });
    await rowsOf(
      database.db,
      `INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms, is_counted,
         failure)
       SELECT enterprise_id, started_at, delivery_id, number, 0, false, 'interrupted' FROM attempts
       WHERE id = ?`,
      [last],
    );
    await tally();
    expect((await rows(10)).map(({ dead }) => dead)).to.deep.equal([1]);
  });

  it("count by result and interval, in every resolution", async () => {
    await add(1_000);
    await add(9_000, { status: 500, number: 2 });
    await add(11_000, { status: null, failure: "refused", number: 10, state: "dead" });
    await add(61_000, { ms: 800 });
    await tally();
    expect((await rows(10)).map(countsOf)).to.deep.equal([
      [1, 1, 1, 0],
      [0, 1, 1, 1],
      [1, 0, 0, 0],
    ]);
    expect((await rows(60)).map(countsOf)).to.deep.equal([
      [1, 2, 2, 1],
      [1, 0, 0, 0],
    ]);
    const [hour, ...others] = await rows(3_600);
    expect(others).to.deep.equal([]);
    expect(hour?.at).to.deep.equal(start);
    expect(hour && countsOf(hour)).to.deep.equal([2, 2, 2, 1]);
    // 20 ms belong to the bucket up to 22.6, 800 ms to the one up to 1,024; the event occurred 30
    // ms earlier.
    expect(hour?.answers[9]).to.equal(3);
    expect(hour?.answers[20]).to.equal(1);
    expect(hour?.latencies[12]).to.equal(1);
    expect(sum(hour?.latencies ?? [])).to.equal(2);
  });

  it("count each attempt once, for any number of runs", async () => {
    await add(1_000);
    expect(await tally()).to.equal(1);
    expect(await tally()).to.equal(0);
    await add(2_000);
    expect(await tally()).to.equal(1);
    const [row] = await rows(10);
    expect(row?.delivered).to.equal(2);
    expect(sum(row?.answers ?? [])).to.equal(2);
  });

  it("count a late settlement in the interval of its start", async () => {
    await add(65_000);
    await tally();
    clock.advance(10 * minute);
    await add(3_000, { status: null, failure: "timeout_response", ms: 15_000 });
    await tally();
    expect((await rows(60)).map(countsOf)).to.deep.equal([
      [0, 1, 0, 0],
      [1, 0, 0, 0],
    ]);
  });

  it("find attempts that are committed after ones with higher ids", async () => {
    const other = openPool({ url: database.url, maxConnections: 1, name: "late" });
    try {
      const late = await other.transaction();
      // Of another subscription, because a settlement locks only its subscription's health row.
      const second = await aSubscription(database.db, {
        enterprise_id: harness.owner.enterpriseId,
      });
      await addAttempt(late, { ...harness.owner, subscriptionId: second.id }, { at: start });
      await add(1_000);
      await tally();
      await late.commit();
      expect(await tally()).to.equal(1);
      const counted = await rowsOf(
        database.db,
        "SELECT 1 FROM delivery_tallies WHERE subscription_id = ? AND step = 10",
        [second.id],
      );
      expect(counted).to.have.length(1);
    } finally {
      await other.destroy();
    }
  });

  it("count nothing twice after an abort before the commit", async () => {
    await add(1_000);
    await harness.tallyAndDie();
    expect(await rows(10)).to.deep.equal([]);
    await tally();
    expect((await rows(10)).map(countsOf)).to.deep.equal([[1, 0, 0, 0]]);
  });

  it("are written by one process at a time", async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => add(n * 10)));
    await Promise.all([tally(), tally(), tally()]);
    await tally();
    expect((await rows(10)).map(countsOf)).to.deep.equal([[20, 0, 0, 0]]);
  });

  it("count each attempt once if they are read in several statements", async () => {
    const other = openPool({ url: database.url, maxConnections: 1, name: "late" });
    try {
      await add(1_000);
      const late = await other.transaction();
      await copyLastAttempt(late, 10);
      // A gap that stays, as after a rollback.
      await rowsOf(database.db, "SELECT nextval(pg_get_serial_sequence('attempts', 'id'))");
      await copyLastAttempt(database.db, 2_500);
      const first = watchReads(database.db);
      expect(await tally()).to.equal(2_501);
      expect(first.stop(), "1,000 at a time").to.have.length(3);
      await late.commit();
      await copyLastAttempt(database.db, 1_000);
      const second = watchReads(database.db);
      expect(await tally()).to.equal(1_010);
      expect(second.stop(), "into gaps only once").to.deep.equal([true, false]);
      expect(await tally()).to.equal(0);
      expect((await rows(10)).map(countsOf)).to.deep.equal([[3_511, 0, 0, 0]]);
      clock.advance(2 * minute);
      await tally(); // forgets the gap
    } finally {
      await other.destroy();
    }
  });

  it("count nothing that a process without the common lock has counted meanwhile", async () => {
    const other = openPool({ url: database.url, maxConnections: 1, name: "previous version" });
    try {
      await add(1_000);
      await inTransaction(other, async (trx) => {
        await rowsOf(trx, "SELECT FROM delivery_tally_progress FOR UPDATE");
        const tallied = tally();
        await untilWaiting(database.db);
        expect(await waitingTransactionIds(), "none before it writes").to.deep.equal([null]);
        await rowsOf(
          trx,
          "UPDATE delivery_tally_progress SET reached = (SELECT max(id) FROM attempts)",
        );
        return { tallied };
      }).then(async ({ tallied }) => expect(await tallied).to.equal(0));
      expect(await rows(10)).to.deep.equal([]);
    } finally {
      await other.destroy();
    }
  });

  it("are written immediately for few attempts, and every ten seconds for many", async () => {
    const inTime = (): Promise<number> => tallyWhenDue({ db: database.db, clock });
    await tally();
    await add(1_000);
    expect(await inTime()).to.equal(1);
    await copyLastAttempt(database.db, 600);
    expect(await inTime()).to.equal(0);
    clock.advance(10_000);
    expect(await inTime()).to.equal(600);
  });

  it("are left alone for up to ten seconds while there is nothing new", async () => {
    const inTime = (): Promise<number> => tallyWhenDue({ db: database.db, clock });
    const talliedAt = async (): Promise<number | undefined> =>
      (await readTallyBacklog(database.db, 1))?.talliedAt.getTime();
    const from = (await add(1_000), await tally(), await talliedAt());
    clock.advance(9_000);
    expect([await inTime(), await talliedAt()]).to.deep.equal([0, from]);
    clock.advance(1_000);
    expect([await inTime(), await talliedAt()]).to.deep.equal([0, clock.now().getTime()]);
  });

  it("are written immediately for a new delivery without attempts", async () => {
    await add(1_000);
    await tally();
    clock.advance(1_000);
    await rowsOf(
      database.db,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, due_at)
       SELECT enterprise_id, subscription_id, sequence + 1, event_row_id + 1, event_at, object, key,
         'pending', due_at
       FROM deliveries ORDER BY sequence DESC LIMIT 1`,
    );
    expect(await readTallyBacklog(database.db, 1)).to.include({ hasMore: true });
    await tallyWhenDue({ db: database.db, clock });
    const backlog = await readTallyBacklog(database.db, 1);
    expect(backlog).to.include({ hasMore: false });
    expect(backlog?.talliedAt.getTime()).to.equal(clock.now().getTime());
  });

  it("delete finer resolutions first", async () => {
    await add(1_000);
    await tally();
    const left = async (): Promise<number[]> => {
      await deleteOldTallies({ db: database.db, clock });
      const steps = await Promise.all([10, 60, 600, 3_600].map(rows));
      return steps.map((found) => found.length);
    };
    expect(await left()).to.deep.equal([1, 1, 1, 1]);
    clock.advance(7 * 60 * minute);
    expect(await left()).to.deep.equal([0, 1, 1, 1]);
    clock.advance(4 * 24 * 60 * minute);
    expect(await left()).to.deep.equal([0, 0, 1, 1]);
    clock.advance(32 * 24 * 60 * minute);
    expect(await left()).to.deep.equal([0, 0, 0, 1]);
    clock.advance(380 * 24 * 60 * minute);
    expect(await left()).to.deep.equal([0, 0, 0, 0]);
  });

  it("are deleted in as many batches as are needed", async () => {
    await Promise.all([1_000, 11_000, 21_000].map((ms) => add(ms)));
    await tally();
    clock.advance(7 * 60 * minute);
    await deleteOldTallies({ db: database.db, clock }, { atOnce: 1 });
    expect(await rows(10)).to.deep.equal([]);
  });
});
