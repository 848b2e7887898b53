import { expect } from "chai";
import { authenticateToken } from "../../src/accounts/identities.ts";
import { findUserByLogin } from "../../src/accounts/directory-store.ts";
import { insertToken, newToken } from "../../src/accounts/token-store.ts";
import { openPool, rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { findTicket, lockTicket, requireReach, updateTicket } from "../../src/tickets/store.ts";
import { useDatabase } from "../support/database.ts";
import { aTicketRow } from "../support/media-rows.ts";
import { aTicketFixture, type TicketFixture } from "../support/tickets.ts";

/** Postgres chooses a generic plan after the fifth execution. */
const untilPlanIsKept = 6;

describe("cached plans from an enterprise without tickets", () => {
  let pool: Db;
  after(() => pool.destroy()); // before the database is dropped
  const database = useDatabase();
  let fixture: TicketFixture;
  before(async () => {
    pool = openPool({ url: database.url, maxConnections: 1, name: "test" });
    fixture = await aTicketFixture(database.db);
  });

  /** Index entries of a table that this connection has read so far, and reads of the whole table. */
  const reads = async (table: "tickets" | "users"): Promise<number> => {
    await rowsOf(pool, "SELECT pg_stat_force_next_flush()");
    const [row] = await rowsOf<{ entries: number }>(
      pool,
      `SELECT (SELECT sum(idx_tup_read)::bigint FROM pg_stat_user_indexes WHERE relname = ?)
         + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = ?) AS entries`,
      [table, table],
    );
    return row?.entries ?? 0;
  };

  const fillUp = async (): Promise<void> => {
    await database.db.raw(
      `WITH places AS (
         INSERT INTO conversations (uid, enterprise_id, created_at)
         SELECT gen_random_uuid(), ?, now() FROM generate_series(1, 2000) RETURNING id)
       INSERT INTO tickets (enterprise_id, conversation_id, service_id, button_id, state,
         requestor_email, requestor_secret, information_code, start_time, end_time)
       SELECT ?, id, ?, ?, 'opened', 'a@example.com', 'secret ' || id, 'code ' || id, now(), now()
       FROM places`,
      [fixture.enterpriseId, fixture.enterpriseId, fixture.service.id, fixture.buttonId],
    );
    await database.db.raw(
      `INSERT INTO users (enterprise_id, login, password_hash, role)
       SELECT ?, 'filler' || n || '@example.com', 'x', 'agent' FROM generate_series(1, 2000) AS n`,
      [fixture.enterpriseId],
    );
  };

  /** Authenticates, and finds, locks and updates a ticket. */
  const aRequest = async (): Promise<() => Promise<void>> => {
    const { enterpriseId, agent } = fixture;
    const { id } = await aTicketRow(database.db, fixture);
    const { token, hash } = newToken(randomIds);
    const owner = { enterpriseId, userId: agent.id };
    await insertToken(database.db, {
      ...{ hash, owner, kind: "access", family: randomIds.uuid(), ttlSeconds: 3_600 },
    });
    const scope = { enterpriseId, userId: agent.id, groupIds: [], reach: "own" as const };
    return async () => {
      expect((await authenticateToken(pool, token))?.caller.userId).to.equal(agent.id);
      expect((await findUserByLogin(pool, enterpriseId, agent.login))?.id).to.equal(agent.id);
      requireReach(await findTicket(pool, scope, id), id);
      await inTransaction(pool, async (trx) => {
        const before = requireReach(await lockTicket(trx, scope, id), id);
        await updateTicket(trx, before, { state: "opened", modifiedAt: new Date() });
      });
    };
  };

  /** The plan of a statement if the table had no primary key, with the next cheapest index. */
  const explainWithoutKey = async (table: string, sql: string, bindings: readonly unknown[]) => {
    const plan: string[] = [];
    await inTransaction(database.db, async (trx) => {
      await trx.raw(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey CASCADE`);
      await trx.raw("SET LOCAL enable_seqscan = off");
      const statement = `EXPLAIN ${sql.replaceAll(/\$\d+/gu, "?")}`;
      const rows = await rowsOf<{ "QUERY PLAN": string }>(trx, statement, bindings);
      plan.push(...rows.map((row) => row["QUERY PLAN"].trim()));
      throw new Error("rolled back");
    }).catch((error: Error) => expect(error.message).to.equal("rolled back"));
    return plan.filter((line) => line.includes(` on ${table} `));
  };

  it("use no index of tickets but the primary key, since a small table costs the same with all", async () => {
    const statements: { sql: string; bindings: readonly unknown[] }[] = [];
    const work = await aRequest();
    pool.on("query", (statement: (typeof statements)[number]) => statements.push(statement));
    await work();
    pool.removeAllListeners("query");
    const byId = statements.filter(({ sql }) => /\btickets t\b[^]*\bt\.id = /u.test(sql));
    expect(byId).to.have.length(3);
    for (const { sql, bindings } of byId) {
      const scans = await explainWithoutKey("tickets", sql, bindings);
      // This index also finds the id. At equal cost, Postgres chooses the older index, which is the
      // primary key.
      const others = scans.filter((line) => !line.includes("tickets_enterprise_id_id_key"));
      expect(
        others.filter((line) => /index/iu.test(line)),
        sql,
      ).to.deep.equal([]);
    }
  });

  it("add no index entry for a change within five minutes of the one before", async () => {
    const { enterpriseId, agent } = fixture;
    const { id } = await aTicketRow(database.db, fixture);
    const scope = { enterpriseId, userId: agent.id, groupIds: [], reach: "own" as const };
    const change = (modifiedAt: Date) =>
      inTransaction(pool, async (trx) => {
        const before = requireReach(await lockTicket(trx, scope, id), id);
        const fields = { ...before, subject: `Changed at ${modifiedAt.toISOString()}` };
        await updateTicket(trx, before, { state: before.state, modifiedAt, fields });
      });
    const heapOnly = async (): Promise<number> => {
      await rowsOf(pool, "SELECT pg_stat_force_next_flush()");
      const [row] = await rowsOf<{ n_tup_hot_upd: number }>(
        pool,
        "SELECT n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'tickets'",
      );
      return row?.n_tup_hot_upd ?? 0;
    };
    await change(new Date("2026-11-27T10:00:01Z"));
    const before = await heapOnly();
    for (const time of ["10:00:02", "10:03:00", "10:04:59"]) {
      await change(new Date(`2026-11-27T${time}Z`));
    }
    expect((await heapOnly()) - before).to.equal(3);
    await change(new Date("2026-11-27T10:05:00Z"));
    expect((await heapOnly()) - before, "another five minutes").to.equal(3);
  });

  it("are kept for a manager's reach too", async () => {
    const { id } = await aTicketRow(database.db, fixture);
    const { enterpriseId, agent } = fixture;
    const scope = { enterpriseId, userId: agent.id, groupIds: [1], reach: "group" as const };
    for (let time = 0; time < 2 * untilPlanIsKept; time += 1) {
      await findTicket(pool, scope, id);
    }
    const [plans] = await rowsOf<{ custom_plans: number }>(
      pool,
      "SELECT custom_plans FROM pg_prepared_statements WHERE statement LIKE '%group_members%'",
    );
    expect(plans?.custom_plans).to.be.lessThan(untilPlanIsKept);
  });

  it("read a few rows for one ticket and one user, however large the enterprise", async () => {
    const work = await aRequest();
    for (let time = 0; time < untilPlanIsKept; time += 1) {
      await work();
    }
    await fillUp();
    const before = { tickets: await reads("tickets"), users: await reads("users") };
    await work();
    expect((await reads("tickets")) - before.tickets).to.be.lessThan(20);
    expect((await reads("users")) - before.users).to.be.lessThan(20);
  });
});
