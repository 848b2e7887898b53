import { expect } from "chai";
import { createConversations } from "../../src/conversations/store.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise } from "../support/factories.ts";

describe("creating a conversation", () => {
  const database = useDatabase();
  const at = new Date("2026-11-20T10:00:00Z");

  it("assigns an id and a public uid", async () => {
    const { id: enterpriseId } = await anEnterprise(database.db);
    const conversations = createConversations({ ids: randomIds });
    const [one, two] = await inTransaction(database.db, async (trx) => [
      await conversations.create(trx, { enterpriseId, at }),
      await conversations.create(trx, { enterpriseId, at }),
    ]);
    expect(one?.uid).to.match(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u,
    );
    expect(one?.uid).not.to.equal(two?.uid);
    const rows = await rowsOf(
      database.db,
      "SELECT id, uid, enterprise_id, created_at FROM conversations WHERE id IN (?, ?) ORDER BY id",
      [one?.id, two?.id],
    );
    expect(rows).to.deep.equal([
      { id: one?.id, uid: one?.uid, enterprise_id: enterpriseId, created_at: at },
      { id: two?.id, uid: two?.uid, enterprise_id: enterpriseId, created_at: at },
    ]);
  });

  it("keeps a given room name, and generates one otherwise", async () => {
    const { id: enterpriseId } = await anEnterprise(database.db);
    const roomName = `${"a1".repeat(16)}:${"b2".repeat(16)}`;
    const conversations = createConversations({ ids: randomIds });
    const made = await inTransaction(database.db, async (trx) => [
      await conversations.create(trx, { enterpriseId, at, roomName }),
      await conversations.create(trx, { enterpriseId, at }),
    ]);
    const [input, picked] = await rowsOf<{ room_name: string }>(
      database.db,
      "SELECT room_name FROM conversations WHERE id IN (?, ?) ORDER BY id",
      made.map(({ id }) => id),
    );
    expect(input?.room_name).to.equal(roomName);
    expect(picked?.room_name).to.match(/^[0-9a-f]{32}:[0-9a-f]{32}$/u);
  });

  it("is rolled back with its transaction", async () => {
    const { id: enterpriseId } = await anEnterprise(database.db);
    const failure = await inTransaction(database.db, async (trx) => {
      await createConversations({ ids: randomIds }).create(trx, { enterpriseId, at });
      throw new Error("later");
    }).catch((error: Error) => error.message);
    expect(failure).to.equal("later");
    const rows = await rowsOf(database.db, "SELECT 1 FROM conversations WHERE enterprise_id = ?", [
      enterpriseId,
    ]);
    expect(rows).to.deep.equal([]);
  });
});
