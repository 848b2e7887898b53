import { expect } from "chai";
import {
  findAgentByLogin,
  findGroup,
  findServiceForTickets,
  findUser,
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

  it("finds an agent by login without case, with person and groups", async () => {
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
      isAgent: true,
      groupIds: [groupId],
      person: { email: "zoe@test.example", phone: "+33612345678", firstname: "Zoë", lastname: "" },
    };
    expect(await findAgentByLogin(db, ours, "zOE@test.example")).to.deep.equal(expected);
    expect(await findUser(db, ours, user.id)).to.deep.equal(expected);
    expect(await findAgentByLogin(db, theirs, "Zoe@test.example")).to.equal(undefined);
    expect(await findUser(db, theirs, user.id)).to.equal(undefined);
  });

  it("finds no agent in a user who is none or is switched off", async () => {
    const { db } = database;
    const clerk = await aUser(db, { enterprise_id: ours, is_agent: false });
    const gone = await aUser(db, { enterprise_id: ours, is_active: false });
    expect(await findAgentByLogin(db, ours, clerk.login)).to.equal(undefined);
    expect(await findUser(db, ours, clerk.id)).to.include({ isAgent: false });
    expect(await findAgentByLogin(db, ours, gone.login)).to.equal(undefined);
    expect(await findUser(db, ours, gone.id)).to.equal(undefined);
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
