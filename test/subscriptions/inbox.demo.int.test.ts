import { expect } from "chai";
import { type Db, rowsOf } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createSecretBox } from "../../src/platform/secret-box.ts";
import { ensureDemoSubscription } from "../../src/subscriptions/inbox.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise } from "../support/factories.ts";

const baseUrl = "http://127.0.0.1:3000";

type Row = { id: number; name: string; url: string; is_active: boolean; filters: string[] };

describe("demo subscription", () => {
  const database = useDatabase();
  const secretBox = createSecretBox(Buffer.alloc(32, 7));
  const ensure = (enterpriseId: number, base = baseUrl): Promise<string | undefined> =>
    ensureDemoSubscription(
      { db: database.db, secretBox, ids: randomIds },
      { enterpriseId, baseUrl: base },
    );
  const read = (db: Db, enterpriseId: number): Promise<Row[]> =>
    rowsOf(
      db,
      `SELECT id, name, url, is_active, filters FROM subscriptions WHERE enterprise_id = ?`,
      [enterpriseId],
    );
  const change = async (enterpriseId: number, columns: object): Promise<void> => {
    await database.db("subscriptions").where({ enterprise_id: enterpriseId }).update(columns);
  };

  it("is created on the first start: active, for all events, to an inbox with an unguessable key", async () => {
    const { id } = await anEnterprise(database.db);
    const inbox = await ensure(id);
    const [row, ...others] = await read(database.db, id);
    expect(inbox).to.match(/^http:\/\/127\.0\.0\.1:3000\/inbox\/[A-Za-z0-9]{22}$/);
    expect(row).to.deep.include({ name: "Inbox", url: inbox, is_active: true, filters: ["*"] });
    expect(others).to.deep.equal([]);
    const revisions = await rowsOf(
      database.db,
      "SELECT 1 FROM subscription_revisions WHERE subscription_id = ? AND is_active",
      [row?.id],
    );
    expect(revisions).to.have.length(1);
  });

  it("is unchanged by a later start at the same address", async () => {
    const { id } = await anEnterprise(database.db);
    const inbox = await ensure(id);
    const before = await read(database.db, id);
    expect(await ensure(id)).to.equal(inbox);
    expect(await read(database.db, id)).to.deep.equal(before);
    const [counted] = await rowsOf<{ count: number }>(
      database.db,
      "SELECT count(*) AS count FROM subscription_revisions WHERE subscription_id = ?",
      [before[0]?.id],
    );
    expect(counted?.count).to.equal(1);
  });

  it("follows the platform to another address, with a revision, and keeps key and query", async () => {
    const { id } = await anEnterprise(database.db);
    const inbox = await ensure(id);
    await change(id, { url: `${inbox}?status=500`, name: "Mine" });
    const moved = await ensure(id, "https://demo.example");
    expect(moved).to.equal(inbox?.replace(baseUrl, "https://demo.example"));
    const [row] = await read(database.db, id);
    expect(row).to.deep.include({ name: "Mine", url: `${moved}?status=500`, is_active: true });
    const [revision] = await rowsOf<{ url: string }>(
      database.db,
      "SELECT url FROM subscription_revisions WHERE subscription_id = ? ORDER BY revision DESC",
      [row?.id],
    );
    expect(revision?.url).to.equal(row?.url);
  });

  it("is unchanged once it has another receiver, or was deleted", async () => {
    for (const columns of [
      { url: "https://receiver.example/" },
      { url: null, is_active: false },
      { is_active: false, deleted_at: new Date() },
    ]) {
      const { id } = await anEnterprise(database.db);
      await ensure(id);
      await change(id, columns);
      const before = await read(database.db, id);
      expect(await ensure(id, "https://demo.example")).to.equal(undefined);
      expect(await read(database.db, id)).to.deep.equal(before);
    }
  });
});
