import { expect } from "chai";
import { ensureSuperadmin } from "../../src/accounts/bootstrap.ts";
import { createAudit } from "../../src/audit/audit-log.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise, aUser } from "../support/factories.ts";

describe("the first superadmin", () => {
  const database = useDatabase();

  const ensure = (login: string) =>
    ensureSuperadmin({ db: database.db, audit: createAudit() }, login);

  it("is the active user named by the configuration, with one audit entry", async () => {
    const { db } = database;
    const { id: enterpriseId } = await anEnterprise(db);
    const { id, login } = await aUser(db, { enterprise_id: enterpriseId, role: "admin" });
    const other = await aUser(db, { enterprise_id: enterpriseId, role: "agent" });
    const made = await Promise.all([ensure(login), ensure(login.toUpperCase())]);
    expect(made).to.have.members(["granted", "unchanged"]);
    const roles = await rowsOf(db, "SELECT id, role FROM users ORDER BY id");
    expect(roles).to.deep.equal([
      { id, role: "superadmin" },
      { id: other.id, role: "agent" },
    ]);
    const entries = await rowsOf(
      db,
      "SELECT enterprise_id, user_id, action, object, object_id, changes FROM audit_entries",
    );
    expect(entries).to.deep.equal([
      {
        ...{ enterprise_id: enterpriseId, user_id: null, action: "update", object: "user" },
        ...{ object_id: String(id), changes: { role: { from: "admin", to: "superadmin" } } },
      },
    ]);
  });

  it("is not an unknown or inactive user", async () => {
    const { db } = database;
    const { id: enterpriseId } = await anEnterprise(db);
    const { login } = await aUser(db, { enterprise_id: enterpriseId, is_active: false });
    expect(await ensure(login)).to.equal("unknown");
    expect(await ensure("nobody@example.com")).to.equal("unknown");
  });
});
