import { expect } from "chai";
import {
  findAgentByLogin,
  findGroup,
  findServiceForConferences,
  findServiceForTickets,
  findUser,
  findUserByExternalId,
  findUserByLogin,
  mayWorkForService,
} from "../../src/accounts/directory-store.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise, aService, aUser } from "../support/factories.ts";

describe("directory", () => {
  const database = useDatabase();
  let ours: number;
  let theirs: number;
  before(async () => {
    ours = (await anEnterprise(database.db)).id;
    theirs = (await anEnterprise(database.db)).id;
  });

  const aGroup = async (enterpriseId: number, name: string): Promise<number> => {
    const [row] = await rowsOf<{ id: number }>(
      database.db,
      "INSERT INTO groups (enterprise_id, name) VALUES (?, ?) RETURNING id",
      [enterpriseId, name],
    );
    return row?.id ?? 0;
  };

  const aButton = async (enterpriseId: number, serviceId: number): Promise<number> => {
    const [row] = await rowsOf<{ id: number }>(
      database.db,
      "INSERT INTO buttons (enterprise_id, service_id) VALUES (?, ?) RETURNING id",
      [enterpriseId, serviceId],
    );
    return row?.id ?? 0;
  };

  it("finds an agent by login, case-insensitively, with person and groups", async () => {
    const { db } = database;
    const user = await aUser(db, {
      enterprise_id: ours,
      login: "Zoe@test.example",
      email: "zoe@test.example",
      phone: "+33612345678",
      firstname: "Zoë",
    });
    const groupId = await aGroup(ours, "Agents");
    await db.raw("INSERT INTO group_members VALUES (?, ?, ?)", [ours, groupId, user.id]);
    const expected = {
      id: user.id,
      login: "Zoe@test.example",
      displayName: "Zoë",
      isAgent: true,
      groupIds: [groupId],
      person: { email: "zoe@test.example", phone: "+33612345678", firstname: "Zoë", lastname: "" },
    };
    expect(await findAgentByLogin(db, ours, "zOE@test.example")).to.deep.equal(expected);
    expect(await findUser(db, ours, user.id)).to.deep.equal(expected);
    expect(await findAgentByLogin(db, theirs, "Zoe@test.example")).to.equal(undefined);
    expect(await findUser(db, theirs, user.id)).to.equal(undefined);
  });

  it("finds no agent if the user is disabled or not an agent", async () => {
    const { db } = database;
    const clerk = await aUser(db, { enterprise_id: ours, is_agent: false });
    const gone = await aUser(db, { enterprise_id: ours, is_active: false });
    expect(await findAgentByLogin(db, ours, clerk.login)).to.equal(undefined);
    expect(await findUser(db, ours, clerk.id)).to.include({ isAgent: false });
    expect(await findAgentByLogin(db, ours, gone.login)).to.equal(undefined);
    expect(await findUser(db, ours, gone.id)).to.equal(undefined);
  });

  it("finds a user by login or external id, agent or not", async () => {
    const { db } = database;
    const clerk = await aUser(db, {
      enterprise_id: ours,
      is_agent: false,
      external_id: "DR-12",
      firstname: "Ann",
      lastname: "Lee",
    });
    const nameless = await aUser(db, { enterprise_id: ours });
    const gone = await aUser(db, {
      enterprise_id: ours,
      is_active: false,
      external_id: "DR-13",
    });
    const found = await findUserByLogin(db, ours, clerk.login.toUpperCase());
    expect(found).to.include({ id: clerk.id, isAgent: false, displayName: "Ann Lee" });
    expect(await findUserByExternalId(db, ours, "DR-12")).to.deep.equal(found);
    const other = await findUserByLogin(db, ours, nameless.login);
    expect(other?.displayName, "not the login, which guests may not see").to.equal("");
    expect(await findUserByLogin(db, theirs, clerk.login)).to.equal(undefined);
    expect(await findUserByExternalId(db, theirs, "DR-12")).to.equal(undefined);
    expect(await findUserByLogin(db, ours, gone.login)).to.equal(undefined);
    expect(await findUserByExternalId(db, ours, "DR-13")).to.equal(undefined);
  });

  it("finds the oldest active conference service, or the one with the key", async () => {
    const { db } = database;
    const { id: enterpriseId } = await anEnterprise(db);
    const find = (key?: string) => findServiceForConferences(db, enterpriseId, key);
    expect(await find()).to.equal(undefined);
    const kind = "conference";
    await aService(db, { enterprise_id: enterpriseId, kind, is_active: false });
    const assistance = await aService(db, { enterprise_id: enterpriseId });
    const first = await aService(db, {
      enterprise_id: enterpriseId,
      kind,
      name: "Meetings",
      language: "fr",
      reminder_minutes: 30,
    });
    const second = await aService(db, { enterprise_id: enterpriseId, kind });
    expect(await find()).to.deep.equal({
      id: first.id,
      serviceKey: first.service_key,
      name: "Meetings",
      language: "fr",
      reminderMinutes: 30,
    });
    expect(await find(second.service_key)).to.include({
      id: second.id,
      language: null,
      reminderMinutes: null,
    });
    expect(await find(assistance.service_key)).to.equal(undefined);
    expect(await findServiceForConferences(db, theirs, first.service_key)).to.equal(undefined);
  });

  it("lets all users work for a service without groups, otherwise only members of its groups", async () => {
    const { db } = database;
    const { id: enterpriseId } = await anEnterprise(db);
    const service = await aService(db, { enterprise_id: enterpriseId, reminder_minutes: 5 });
    await aButton(enterpriseId, service.id);
    const inside = await aUser(db, { enterprise_id: enterpriseId });
    const outside = await aUser(db, { enterprise_id: enterpriseId });
    const groupId = await aGroup(enterpriseId, "Experts");
    await db.raw("INSERT INTO group_members VALUES (?, ?, ?)", [enterpriseId, groupId, inside.id]);
    const may = (userId: number) => mayWorkForService(db, enterpriseId, service.id, userId);
    expect(await findServiceForTickets(db, enterpriseId, undefined)).to.deep.include({
      reminderMinutes: 5,
      groupIds: [],
    });
    expect([await may(inside.id), await may(outside.id)]).to.deep.equal([true, true]);
    await db.raw("INSERT INTO service_groups VALUES (?, ?, ?)", [
      enterpriseId,
      service.id,
      groupId,
    ]);
    expect([await may(inside.id), await may(outside.id)]).to.deep.equal([true, false]);
    expect(await findServiceForTickets(db, enterpriseId, undefined)).to.deep.include({
      groupIds: [groupId],
    });
  });

  it("skips disabled buttons", async () => {
    const { db } = database;
    const { id: enterpriseId } = await anEnterprise(db);
    const service = await aService(db, { enterprise_id: enterpriseId });
    const first = await aButton(enterpriseId, service.id);
    const second = await aButton(enterpriseId, service.id);
    await db.raw("UPDATE buttons SET is_active = false WHERE id = ?", [first]);
    const found = await findServiceForTickets(db, enterpriseId, undefined);
    expect(found?.buttonId).to.equal(second);
  });

  it("finds the oldest active ticket service with a button, or the one with the key", async () => {
    const { db } = database;
    await aService(db, { enterprise_id: ours, kind: "ticket", is_active: false });
    const meeting = await aService(db, { enterprise_id: ours, kind: "conference" });
    const first = await aService(db, { enterprise_id: ours, ticket_types: ["Repair"] });
    const second = await aService(db, { enterprise_id: ours });
    const other = await aService(db, { enterprise_id: theirs });
    const buttonId = await aButton(ours, first.id);
    await aButton(ours, first.id);
    await aButton(ours, meeting.id);
    await aButton(ours, second.id);
    await aButton(theirs, other.id);
    expect(await findServiceForTickets(db, ours, undefined)).to.include({ id: first.id, buttonId });
    const found = await findServiceForTickets(db, ours, first.service_key);
    expect(found?.ticketTypes).to.deep.equal(["Repair"]);
    expect((await findServiceForTickets(db, ours, second.service_key))?.id).to.equal(second.id);
    expect(await findServiceForTickets(db, ours, meeting.service_key)).to.equal(undefined);
    expect(await findServiceForTickets(db, ours, other.service_key)).to.equal(undefined);
  });

  it("finds a group by name, else by id", async () => {
    const { db } = database;
    const id = await aGroup(ours, "Night");
    const numbered = await aGroup(ours, String(id));
    const other = await aGroup(theirs, "Night");
    expect((await findGroup(db, ours, "Night"))?.id).to.equal(id);
    expect((await findGroup(db, ours, String(id)))?.id).to.equal(numbered);
    expect((await findGroup(db, ours, String(numbered)))?.id).to.equal(numbered);
    expect(await findGroup(db, ours, String(other))).to.equal(undefined);
    expect(await findGroup(db, ours, "1e400")).to.equal(undefined);
  });
});
