import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { aTicketRow, useAccounts, type Member } from "../../support/accounts-api.ts";
import { useDatabase } from "../../support/database.ts";
import { aService, aUser } from "../../support/factories.ts";

describe("groups of users", () => {
  const database = useDatabase();
  const { call, aMember, auditOf } = useAccounts(database);
  let admin: Member;
  let at: string;
  beforeEach(async () => {
    admin = await aMember();
    at = `/enterprises/${admin.enterprise_id}/user-groups`;
  });
  const add = (json: object) => call(`POST ${at}`, { as: admin, json });
  const aColleague = () => aUser(database.db, { enterprise_id: admin.enterprise_id });

  it("are created, listed by name, changed and deleted", async () => {
    const ann = await aColleague();
    const bob = await aColleague();
    const { status, headers, body } = await add({ name: "Support", members: [ann.id] });
    expect(status).to.equal(201);
    expect(headers.get("location")).to.equal(`/api${at}/${body["id"]}`);
    expect(body).to.deep.equal({
      id: body["id"],
      name: "Support",
      members: [{ id: ann.id, login: ann.login }],
    });
    const empty = await add({ name: "Experts" });
    const list = await call(`GET ${at}`, { as: admin });
    expect(list.body).to.deep.equal({ total: 2, data: [empty.body, body] });
    expect(list.headers.get("x-total-count")).to.equal("2");
    const path = `${at}/${body["id"]}`;
    const members = await call(`PATCH ${path}`, { as: admin, json: { members: [bob.id] } });
    expect(members.body).to.deep.equal({
      ...body,
      members: [{ id: bob.id, login: bob.login }],
    });
    const renamed = await call(`PATCH ${path}`, { as: admin, json: { name: "Help" } });
    expect(renamed.body).to.deep.equal({ ...members.body, name: "Help" });
    expect((await call(`DELETE ${path}`, { as: admin })).status).to.equal(204);
    expect((await call(`DELETE ${path}`, { as: admin })).status).to.equal(404);
    const left = await rowsOf(database.db, "SELECT FROM group_members WHERE user_id = ?", [bob.id]);
    expect(left).to.have.length(0);
    const entries = await auditOf(admin.enterprise_id);
    expect(entries.map(({ action, changes }) => [action, changes])).to.deep.equal([
      ["create", { name: { to: "Support" }, members: { to: [ann.id] } }],
      ["create", { name: { to: "Experts" }, members: { to: [] } }],
      ["update", { members: { from: [ann.id], to: [bob.id] } }],
      ["update", { name: { from: "Support", to: "Help" } }],
      ["delete", { name: { from: "Help" } }],
    ]);
  });

  it("have unique names, and only members of the enterprise", async () => {
    const stranger = await aMember();
    const group = await add({ name: "Support" });
    const duplicate = await add({ name: "Support" });
    expect(duplicate.body).to.include({ status: 409, details: "Parameter name" });
    const foreign = await add({ name: "X", members: [admin.id, stranger.id] });
    expect(foreign.body).to.include({ status: 400, details: "Parameter members[1]" });
    const path = `${at}/${group.body["id"]}`;
    const change = { name: "Y", members: [stranger.id] };
    expect((await call(`PATCH ${path}`, { as: admin, json: change })).status).to.equal(400);
    expect((await call(`GET ${at}`, { as: admin })).body).to.deep.equal({
      total: 1,
      data: [group.body],
    });
    expect((await add({ name: "" })).body).to.include({ status: 400, details: "Parameter name" });
    expect((await add({})).body).to.include({ status: 400, code: 9 });
    const theirs = `/enterprises/${stranger.enterprise_id}/user-groups/${group.body["id"]}`;
    expect((await call(`DELETE ${theirs}`, { as: stranger })).status).to.equal(404);
  });

  it("cannot be deleted while tickets belong to them", async () => {
    const { body: group } = await add({ name: "Night" });
    const { enterprise_id: enterpriseId } = admin;
    await aTicketRow(database.db, { enterpriseId, groupId: group["id"] });
    const refused = await call(`DELETE ${at}/${group["id"]}`, { as: admin });
    expect(refused.body).to.include({ status: 409, code: 11 });
  });

  it("cannot be deleted while a service is restricted to them: it would be open to all agents", async () => {
    const { body: group } = await add({ name: "Experts" });
    const service = await aService(database.db, { enterprise_id: admin.enterprise_id });
    const path = `/services/${service.id}`;
    await call(`PATCH ${path}`, { as: admin, json: { groups: [group["id"]] } });
    const refused = await call(`DELETE ${at}/${group["id"]}`, { as: admin });
    expect(refused.body).to.include({ status: 409, code: 11 });
    await call(`PATCH ${path}`, { as: admin, json: { groups: [] } });
    expect((await call(`DELETE ${at}/${group["id"]}`, { as: admin })).status).to.equal(204);
  });

  it("can be deleted after a service that was restricted to them, once it has no tickets of nobody", async () => {
    const { body: group } = await add({ name: "Experts" });
    const { enterprise_id: enterpriseId } = admin;
    const service = await aService(database.db, { enterprise_id: enterpriseId });
    const path = `/services/${service.id}`;
    await call(`PATCH ${path}`, { as: admin, json: { groups: [group["id"]] } });
    const ticket = await aTicketRow(database.db, { enterpriseId });
    await database.db("tickets").where({ id: ticket.id }).update({ service_id: service.id });
    await database.db("services").where({ id: service.id }).update({ deleted_at: new Date() });
    const refused = await call(`DELETE ${at}/${group["id"]}`, { as: admin });
    expect(refused.body).to.include({ status: 409, code: 11 });
    const agent = await aColleague();
    await database.db("tickets").where({ id: ticket.id }).update({ agent_id: agent.id });
    expect((await call(`DELETE ${at}/${group["id"]}`, { as: admin })).status).to.equal(204);
  });
});
