import { expect } from "chai";
import {
  findActiveUsers,
  findEnterpriseProfile,
  listNoticeRecipients,
} from "../../src/accounts/recipients-store.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise, aUser } from "../support/factories.ts";

describe("recipients of notices about an enterprise", () => {
  const database = useDatabase();
  const anyCompany = { language: "fr", time_zone: "Asia/Tokyo" };

  it("are active administrators with a mail address, each address once, the oldest first", async () => {
    const { db } = database;
    const { id: enterprise_id } = await anEnterprise(db, anyCompany);
    const { id: theirs } = await anEnterprise(db);
    const add = (email: string, columns: Record<string, unknown> = {}) =>
      aUser(db, { enterprise_id, role: "admin", email, ...columns });
    await add("zoe@test.example");
    await add("Bob@test.example", { role: "superadmin", language: "de" });
    await add("bob@test.example");
    await add("");
    await add("off@test.example", { is_active: false });
    for (const role of ["viewer", "agent", "manager", "integration"]) {
      await add(`${role}@test.example`, { role });
    }
    await aUser(db, { enterprise_id: theirs, role: "admin", email: "other@test.example" });
    const administrators = { administrators: true, userIds: [] };
    expect(await listNoticeRecipients(db, enterprise_id, administrators)).to.deep.equal([
      { email: "zoe@test.example", language: "fr", timeZone: "Asia/Tokyo" },
      { email: "Bob@test.example", language: "de", timeZone: "Asia/Tokyo" },
    ]);
  });

  it("are the chosen users of this enterprise, with or without the administrators", async () => {
    const { db } = database;
    const { id: enterprise_id } = await anEnterprise(db, anyCompany);
    const { id: theirs } = await anEnterprise(db);
    await aUser(db, { enterprise_id, role: "admin", email: "admin@test.example" });
    const agent = await aUser(db, { enterprise_id, role: "agent", email: "agent@test.example" });
    const gone = await aUser(db, { enterprise_id, is_active: false, email: "gone@test.example" });
    const other = await aUser(db, { enterprise_id: theirs, email: "other@test.example" });
    const userIds = [agent.id, gone.id, other.id];
    const emailsOf = async (administrators: boolean) =>
      (await listNoticeRecipients(db, enterprise_id, { administrators, userIds })).map(
        ({ email }) => email,
      );
    expect(await emailsOf(false)).to.deep.equal(["agent@test.example"]);
    expect(await emailsOf(true)).to.deep.equal(["admin@test.example", "agent@test.example"]);
    expect(await findActiveUsers(db, enterprise_id, userIds)).to.deep.equal([
      { id: agent.id, login: agent.login },
    ]);
  });

  it("are addressed with the name, language and time zone of the enterprise", async () => {
    const { db } = database;
    const { id } = await anEnterprise(db, { ...anyCompany, name: "Acme" });
    const { language } = anyCompany;
    expect(await findEnterpriseProfile(db, id)).to.deep.equal({
      name: "Acme",
      language,
      timeZone: "Asia/Tokyo",
    });
  });
});
