import { expect } from "chai";
import { createAudit } from "../../src/audit/audit-log.ts";
import type { AuditEntry } from "../../src/contracts/audit.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { useAccounts, type Member } from "../support/accounts-api.ts";
import { useDatabase } from "../support/database.ts";

describe("audit log", () => {
  const database = useDatabase();
  const { call, aMember } = useAccounts(database);
  const audit = createAudit();
  let admin: Member;
  beforeEach(async () => {
    admin = await aMember();
  });

  const write = (more: Partial<AuditEntry> = {}): Promise<void> =>
    inTransaction(database.db, (trx) =>
      audit.write(trx, {
        enterpriseId: admin.enterprise_id,
        userId: admin.id,
        login: admin.login,
        action: "update",
        object: "service",
        objectId: 7,
        changes: { name: { from: "A", to: "B" } },
        ...more,
      }),
    );
  const list = (query = "", as = admin) =>
    call(`GET /enterprises/${admin.enterprise_id}/audit${query}`, { as });
  const objectsOf = async (query: string) => {
    const { status, body } = await list(query);
    expect(status, query).to.equal(200);
    return body["data"].map(({ objectId }: { objectId: string }) => objectId);
  };

  it("returns all fields of its entries, newest first", async () => {
    await write({ requestId: "req-1" });
    await write({ userId: null, login: "platform", objectId: "x", changes: {} });
    const { status, headers, body } = await list();
    expect(status).to.equal(200);
    expect(headers.get("x-total-count")).to.equal("2");
    const [first, second] = body["data"];
    expect(first.created).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/u);
    expect(body).to.deep.equal({
      total: 2,
      data: [
        {
          id: first.id,
          userId: null,
          login: "platform",
          action: "update",
          object: "service",
          objectId: "x",
          changes: {},
          requestId: null,
          created: first.created,
        },
        {
          id: second.id,
          userId: admin.id,
          login: admin.login,
          action: "update",
          object: "service",
          objectId: "7",
          changes: { name: { from: "A", to: "B" } },
          requestId: "req-1",
          created: second.created,
        },
      ],
    });
  });

  it("filters by object, user and period, by page", async () => {
    await write({ objectId: 1 });
    await write({ objectId: 2, object: "user" });
    await write({ objectId: 3, userId: 999 });
    await database.db.raw(
      `UPDATE audit_entries SET created_at = '2026-01-02T10:00:00Z'
       WHERE enterprise_id = ? AND object_id = '1'`,
      [admin.enterprise_id],
    );
    expect(await objectsOf("")).to.deep.equal(["3", "2", "1"]);
    expect(await objectsOf("?order=asc")).to.deep.equal(["1", "2", "3"]);
    expect(await objectsOf("?object=user")).to.deep.equal(["2"]);
    expect(await objectsOf("?userId=999")).to.deep.equal(["3"]);
    expect(await objectsOf("?until=2026-01-02")).to.deep.equal(["1"]);
    expect(await objectsOf("?since=2026-01-03")).to.deep.equal(["3", "2"]);
    expect(await objectsOf("?limit=1&offset=1")).to.deep.equal(["2"]);
    for (const query of ["?object=x", "?since=x", "?until=1", "?limit=101", "?userId=0"]) {
      expect((await list(query)).status, query).to.equal(400);
    }
  });

  it("is readable for administrators of the enterprise, of its manager, and of the platform", async () => {
    await write();
    const stranger = await aMember();
    const manager = await aMember({ enterprise_id: admin.enterprise_id, role: "manager" });
    const root = await aMember({ role: "superadmin" });
    expect((await list("", stranger)).body).to.include({ status: 404, code: 8 });
    expect((await list("", manager)).body).to.include({ status: 403, code: 6 });
    expect((await list("", root)).body).to.include({ total: 1 });
    await database.db.raw("UPDATE enterprises SET managed_by = ? WHERE id = ?", [
      stranger.enterprise_id,
      admin.enterprise_id,
    ]);
    expect((await list("", stranger)).body).to.include({ total: 1 });
  });

  it("has no entry of a rolled-back change", async () => {
    const failure = await inTransaction(database.db, async (trx) => {
      const entry = { userId: null, login: "x", action: "create", object: "user" } as const;
      const about = { enterpriseId: admin.enterprise_id, objectId: 1, changes: {} };
      await audit.write(trx, { ...entry, ...about });
      throw new Error("stopped");
    }).catch((thrown: unknown) => thrown);
    expect(failure).to.be.instanceOf(Error);
    expect((await list()).body).to.deep.equal({ total: 0, data: [] });
  });
});
