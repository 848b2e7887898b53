import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { password, useAccounts, type Member } from "../../support/accounts-api.ts";
import { useDatabase } from "../../support/database.ts";
import { aUser } from "../../support/factories.ts";
import { untilWaiting } from "../../support/waiting.ts";

describe("concurrent calls about users", () => {
  const database = useDatabase();
  const waiting = (count?: number) => untilWaiting(database.db, count);
  const accounts = useAccounts(database);
  const { call, aMember } = accounts;
  let admin: Member;
  beforeEach(async () => {
    admin = await aMember();
  });

  const aColleague = (columns: Record<string, unknown> = {}) =>
    aMember({ enterprise_id: admin.enterprise_id, role: "agent", ...columns });

  const patch = (id: number, json: object, as = admin) => call(`PATCH /users/${id}`, { as, json });

  it("create a login once", async () => {
    const json = { login: `race-${admin.id}`, password };
    const other = await aMember();
    const answers = await Promise.all(
      [admin, other, admin].map((as) => call("POST /users", { as, json })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([201, 409, 409]);
    const rows = await rowsOf(database.db, "SELECT FROM users WHERE login = ?", [json.login]);
    expect(rows).to.have.length(1);
  });

  it("keep one administrator when two delete each other", async () => {
    const second = await aColleague({ role: "admin" });
    const answers = await Promise.all([
      call(`DELETE /users/${second.id}`, { as: admin }),
      call(`DELETE /users/${admin.id}`, { as: second }),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).to.have.length(1);
    const left = await rowsOf(
      database.db,
      "SELECT FROM users WHERE enterprise_id = ? AND role = 'admin' AND is_active",
      [admin.enterprise_id],
    );
    expect(left).to.have.length(1);
  });

  it("do not replace a password that was reset after the present one was checked", async () => {
    const user = await aColleague({ password_hash: accounts.passwordHash });
    let changing: ReturnType<typeof call> | undefined;
    await inTransaction(database.db, async (trx) => {
      await trx("users").where({ id: user.id }).update({ password_hash: "of a reset" });
      const json = { password: "Another-Horse-8", current_password: password };
      changing = call("PATCH /users/me", { as: user, json });
      await waiting();
    });
    expect((await changing)?.body).to.include({ status: 409, code: 11 });
    const [row] = await database.db("users").where({ id: user.id }).select("password_hash");
    expect(row).to.deep.equal({ password_hash: "of a reset" });
  });

  it("do not exceed the quota of users", async () => {
    await database.db.raw("UPDATE enterprises SET max_users = 2 WHERE id = ?", [
      admin.enterprise_id,
    ]);
    const answers = await Promise.all(
      [1, 2, 3].map((one) =>
        call("POST /users", { as: admin, json: { login: `q${one}-${admin.id}`, password } }),
      ),
    );
    const codes = answers.map(({ status, body }) => `${status} ${body["code"] ?? ""}`.trim());
    expect(codes.toSorted()).to.deep.equal(["201", "403 16", "403 16"]);
    const off = await aColleague({ is_active: false });
    expect((await patch(off.id, { isActive: true })).body).to.include({ code: 16 });
  });

  it("issue no token if the password is changed during the check", async () => {
    const user = await aUser(database.db, {
      enterprise_id: admin.enterprise_id,
      password_hash: accounts.passwordHash,
    });
    const [login] = await Promise.all([
      accounts.login({ username: user.login }),
      patch(user.id, { password: "Another-Horse-8" }),
    ]);
    const { access_token: token } = await accounts.jsonOf(login);
    const still = typeof token === "string" ? (await accounts.me(token)).status : 401;
    expect(still).to.equal(401);
  });
});
