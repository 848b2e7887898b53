import { expect } from "chai";
import { createTidyOutbox } from "../../../src/pipeline/relay/tidy-outbox.ts";
import { openPool, rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";

describe("an outbox that many events have left", () => {
  /** With one connection, a query is answered after a VACUUM that was started before. */
  let pool: Db;
  after(() => pool.destroy()); // before the database is dropped
  const database = useDatabase();
  before(() => {
    pool = openPool({ url: database.url, maxConnections: 1, name: "test" });
  });
  const log = createLogger("silent", "test");
  const { signal } = new AbortController();
  const countVacuums = async (): Promise<number> => {
    const [row] = await rowsOf<{ count: number }>(
      pool,
      "SELECT vacuum_count AS count FROM pg_stat_user_tables WHERE relname = 'outbox'",
    );
    return Number(row?.count);
  };

  it("is vacuumed, at most every five seconds", async () => {
    const clock = { ms: 0 };
    const tidy = createTidyOutbox({ db: pool, log, nowMs: () => clock.ms });
    const before = await countVacuums();
    /** Counts one event until that many have been started since the beginning. */
    const untilVacuums = (count: number) =>
      eventually(async () => {
        tidy(1, signal);
        expect(await countVacuums()).to.equal(before + count);
      });
    tidy(4_998, signal);
    await untilVacuums(1);
    clock.ms = 4_999;
    tidy(10_000, signal);
    expect(await countVacuums()).to.equal(before + 1);
    clock.ms = 5_000;
    await untilVacuums(2);
    clock.ms = 60_000;
    tidy(4_999, signal);
    await untilVacuums(3);
  });

  it("is vacuumed after a burst although no event follows", async () => {
    const clock = { ms: 0 };
    const tidy = createTidyOutbox({ db: pool, log, nowMs: () => clock.ms });
    const before = await countVacuums();
    tidy(5_000, signal);
    await eventually(async () => expect(await countVacuums()).to.equal(before + 1));
    clock.ms = 4_999;
    tidy(5_000, signal);
    clock.ms = 5_000;
    await eventually(async () => expect(await countVacuums()).to.equal(before + 2));
  });

  it("is left to the next process when this one stops", async () => {
    const clock = { ms: 0 };
    const stop = new AbortController();
    const deps = { db: pool, log, nowMs: () => clock.ms };
    const [tidy, tidyOfAnother] = [createTidyOutbox(deps), createTidyOutbox(deps)];
    const before = await countVacuums();
    tidy(5_000, stop.signal);
    tidyOfAnother(5_000, signal);
    await eventually(async () => expect(await countVacuums()).to.equal(before + 2));
    clock.ms = 4_999;
    tidy(5_000, stop.signal);
    stop.abort();
    tidyOfAnother(5_000, signal);
    clock.ms = 5_000;
    await eventually(async () => expect(await countVacuums()).to.equal(before + 3));
    tidy(5_000, stop.signal);
    expect(await countVacuums()).to.equal(before + 3);
  });

  it("is vacuumed less often while that takes long, and never twice at the same time", async () => {
    const clock = { ms: 0 };
    const tidy = createTidyOutbox({ db: pool, log, nowMs: () => clock.ms });
    const before = await countVacuums();
    const sent: unknown[] = [];
    const note = ({ sql }: { sql: string }): void => {
      if (sql.startsWith("VACUUM")) {
        sent.push(sql);
        clock.ms += 1_000;
      }
    };
    pool.on("query", note);
    try {
      tidy(5_000, signal);
      tidy(5_000, signal);
      await eventually(async () => expect(await countVacuums()).to.equal(before + 1));
      clock.ms = 19_999;
      tidy(5_000, signal);
      expect(await countVacuums()).to.equal(before + 1);
      clock.ms = 20_000;
      await eventually(async () => {
        tidy(5_000, signal);
        expect(sent).to.have.length(2);
      });
    } finally {
      pool.off("query", note);
    }
    await eventually(async () => expect(await countVacuums()).to.equal(before + 2));
  });

  it("is vacuumed later without another event if Postgres refuses", async () => {
    const clock = { ms: 0 };
    const reasons: unknown[] = [];
    const tidy = createTidyOutbox({
      db: pool,
      nowMs: () => clock.ms,
      log: { debug: (fields: unknown) => void reasons.push(fields) } as typeof log,
    });
    const before = await countVacuums();
    await rowsOf(pool, "ALTER TABLE outbox RENAME TO outbox_away");
    try {
      tidy(5_000, signal);
      await eventually(() => expect(reasons).to.have.length(1));
    } finally {
      await rowsOf(pool, "ALTER TABLE outbox_away RENAME TO outbox");
    }
    clock.ms = 4_999;
    tidy(0, signal);
    clock.ms = 5_000;
    await eventually(async () => expect(await countVacuums()).to.equal(before + 1));
  });
});
