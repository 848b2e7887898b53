import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { toPage } from "../../src/deliveries/pull/present.ts";
import { readEvents } from "../../src/pipeline/ledger/queries/pull.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../support/factories.ts";

function readPage(): Promise<string> {
  return readFile(new URL("../../docs/runbook.md", import.meta.url), "utf8");
}

async function readStatements(): Promise<string[]> {
  return [...(await readPage()).matchAll(/```sql\n(.*?)```/gsu)].map(([, sql = ""]) => sql);
}

async function readSection(title: string): Promise<string> {
  const [, section = ""] = (await readPage()).split(`\n## ${title}\n`);
  return section.split("\n## ")[0] ?? "";
}

describe("the runbook", () => {
  const database = useDatabase();

  it("has statements that run on the current schema", async () => {
    const statements = await readStatements();
    expect(statements).to.have.length.above(3);
    for (const statement of statements) {
      await inTransaction(database.db, async (trx) => rowsOf(trx, statement));
    }
  });

  it("names the retention of every table", async () => {
    const section = await readSection("The disk grows");
    const tables = await rowsOf<{ name: string }>(
      database.db,
      `SELECT c.relname AS name FROM pg_class c
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'schema_migrations%'`,
    );
    expect(tables).to.have.length.above(30);
    const missing = tables.filter(({ name }) => !section.includes(`\`${name}\``));
    expect(missing.map(({ name }) => name)).to.deep.equal([]);
  });

  it("releases the deliveries of one webhook only", async () => {
    const { db } = database;
    const { id: enterprise_id } = await anEnterprise(db);
    const { id: subscription_id } = await aSubscription(db, { enterprise_id });
    const add = async (sequence: number, columns: Record<string, unknown>): Promise<void> => {
      const { id: event_row_id, occurred_at: event_at } = await anEvent(db, { enterprise_id });
      await db("outbox").where({ event_row_id }).delete();
      await db("deliveries").insert({
        ...{ enterprise_id, subscription_id, event_row_id, event_at, sequence },
        ...{ object: "ticket", key: "ticket:1", due_at: new Date(Date.now() + 3_600_000) },
        ...columns,
      });
    };
    await add(1, { state: "retry" });
    await add(2, { state: "dead" });
    await add(3, { state: "retry", waits_for: 1 });
    const statement = (await readStatements()).find((sql) => sql.startsWith("UPDATE deliveries"));
    expect(statement).to.include("subscription_id = 0");
    const mine = (statement ?? "").replace("= 0", `= ${subscription_id}`);
    await db.raw(mine);
    const due = await rowsOf<{ sequence: number }>(
      db,
      "SELECT sequence FROM deliveries WHERE due_at <= now()",
    );
    expect(due.map(({ sequence }) => sequence)).to.deep.equal([1]);
  });

  it("raises the sequences after a restore, as one gap for pulling receivers", async () => {
    const { db } = database;
    const { id: enterpriseId } = await anEnterprise(db);
    const { id: subscriptionId } = await aSubscription(db, { enterprise_id: enterpriseId });
    await db("subscription_health")
      .where("subscription_id", subscriptionId)
      .update("last_sequence", 7);
    const statement = (await readStatements()).find((sql) => sql.includes("SET last_sequence"));
    await db.raw(statement ?? "");
    const events = await readEvents(db, { enterpriseId, subscriptionId }, { after: 9, limit: 10 });
    expect(events && toPage(events, { after: 9, isFirst: false })).to.include({
      next: 1_000_007,
      hasMore: false,
    });
  });

  it("requeues dead letters", async () => {
    const { db } = database;
    await db.raw(
      `INSERT INTO outbox_dead (event_row_id, occurred_at, enterprise_id, reason)
       VALUES (4711, now(), 1, 'broken')`,
    );
    const statement = (await readStatements()).find((sql) => sql.includes("outbox_dead"));
    await db.raw(statement ?? "");
    const rows = await rowsOf<{ event_row_id: number }>(db, "SELECT event_row_id FROM outbox");
    expect(rows.map((row) => row.event_row_id)).to.deep.equal([4711]);
    expect(await rowsOf(db, "SELECT event_row_id FROM outbox_dead")).to.deep.equal([]);
  });
});
