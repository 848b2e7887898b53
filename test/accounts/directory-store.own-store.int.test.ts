import { expect } from "chai";
import { useAccounts, type CallAnswer, type Member } from "../support/accounts-api.ts";
import { useDatabase } from "../support/database.ts";

type Own = { total: number; data: { id: number; name: string; kind: string }[] };

describe("the services available to a user", () => {
  const database = useDatabase();
  const { call, aMember } = useAccounts(database);
  let admin: Member;
  beforeEach(async () => {
    admin = await aMember();
  });
  const post = async (path: string, json: object): Promise<CallAnswer["body"]> =>
    (await call(`POST ${path}`, { as: admin, json })).body;
  const service = async (name: string, more: object = {}): Promise<number> =>
    Number((await post("/services", { name, kind: "ticket", ...more }))["id"]);
  const namesOf = async (as: Member): Promise<string[]> => {
    const { status, body } = await call("GET /users/me/services", { as });
    expect(status).to.equal(200);
    const { total, data } = body as Own;
    expect(total).to.equal(data.length);
    return data.map(({ name }) => name);
  };

  it("are listed for an agent, who cannot list all services, with the fields of a form", async () => {
    const agent = await aMember({ role: "agent", enterprise_id: admin.enterprise_id });
    const id = await service("Claims", { ticket_types: ["water"], language: "fr" });
    expect((await call("GET /services", { as: agent })).status).to.equal(403);
    const { body } = await call("GET /users/me/services", { as: agent });
    const { data } = body as Own;
    const key = (await call(`GET /services/${id}`, { as: admin })).body["service_key"];
    expect(data.find((one) => one.id === id)).to.deep.equal({
      ...{ id, service_key: key, name: "Claims", kind: "ticket" },
      ...{ ticket_types: ["water"], language: "fr" },
    });
  });

  it("are those without groups, those of the user's groups, and all conference services", async () => {
    const agent = await aMember({ role: "agent", enterprise_id: admin.enterprise_id });
    const at = `/enterprises/${admin.enterprise_id}/user-groups`;
    const mine = await post(at, { name: "Mine", members: [agent.id] });
    const theirs = await post(at, { name: "Theirs" });
    const before = await namesOf(agent);
    await service("Open to all");
    await service("My group's", { groups: [mine["id"]] });
    await service("Their group's", { groups: [theirs["id"]] });
    await service("Meetings of theirs", { kind: "conference", groups: [theirs["id"]] });
    expect((await namesOf(agent)).slice(before.length)).to.deep.equal([
      "Open to all",
      "My group's",
      "Meetings of theirs",
    ]);
  });

  it("exclude disabled, deleted and foreign services", async () => {
    const [off, gone] = [await service("Off"), await service("Gone")];
    await service("On");
    await call(`PATCH /services/${off}`, { as: admin, json: { is_active: false } });
    await call(`DELETE /services/${gone}`, { as: admin });
    const stranger = await aMember();
    expect(await namesOf(admin))
      .to.include("On")
      .and.not.include.members(["Off", "Gone"]);
    expect(await namesOf(stranger)).to.not.include("On");
  });
});
