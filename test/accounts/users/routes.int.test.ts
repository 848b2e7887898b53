import { expect } from "chai";
import { useAccounts, type Member } from "../../support/accounts-api.ts";
import { useDatabase } from "../../support/database.ts";
import { aUser } from "../../support/factories.ts";

const someTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/u;

describe("users API", () => {
  const database = useDatabase();
  const { call, aMember } = useAccounts(database);
  let admin: Member;
  beforeEach(async () => {
    admin = await aMember();
  });

  const aColleague = (columns: Record<string, unknown> = {}) =>
    aUser(database.db, { enterprise_id: admin.enterprise_id, ...columns });

  const post = (json: object, as = admin) => call("POST /users", { as, json });

  it("creates a user and returns all fields", async () => {
    const group = await call(`POST /enterprises/${admin.enterprise_id}/user-groups`, {
      as: admin,
      json: { name: "Support" },
    });
    const { status, headers, body } = await post({
      login: `ann-${admin.id}@test.example`,
      phone: "0033612345678",
      firstname: "Ann",
      lastname: "Lee",
      role: "manager",
      language: "fr",
      external_id: "DR-7",
      groups: [group.body["id"]],
      photo_url: "https://x.example/ann.png",
      password: "Abcdefg8",
    });
    const { id, created, modified, ...rest } = body;
    expect(status).to.equal(201);
    expect(headers.get("location")).to.equal(`/api/users/${id}`);
    expect(created).to.match(someTime);
    expect(modified).to.match(someTime);
    expect(rest).to.deep.equal({
      login: `ann-${admin.id}@test.example`,
      email: `ann-${admin.id}@test.example`,
      phone: "+33612345678",
      firstname: "Ann",
      lastname: "Lee",
      nickname: "Ann Lee",
      role: "manager",
      isAgent: false,
      isActive: true,
      accountType: "solution",
      language: "fr",
      external_id: "DR-7",
      groups: [{ id: group.body["id"], name: "Support" }],
      photo_url: "https://x.example/ann.png",
    });
    expect((await call(`GET /users/${id}`, { as: admin })).body).to.deep.equal(body);
  });

  it("applies defaults, and answers on the older path as well", async () => {
    const json = { login: `bob-${admin.id}`, password: "long enough pass" };
    const { status, body } = await call("POST /createUser", { as: admin, json });
    const { id: _id, created: _created, modified: _modified, ...rest } = body;
    expect(status).to.equal(201);
    expect(rest).to.deep.equal({
      login: `bob-${admin.id}`,
      email: "",
      phone: "",
      firstname: "",
      lastname: "",
      nickname: "",
      role: "agent",
      isAgent: true,
      isActive: true,
      accountType: "solution",
      language: null,
      external_id: null,
      groups: [],
      photo_url: "https://sightline.example/avatars/default.svg",
    });
  });

  for (const [name, fields, code, field] of [
    ["no login", { password: "Abcdefg8" }, 9, "login"],
    ["a login with a space", { login: "a b", password: "Abcdefg8" }, 10, "login"],
    ["neither password nor mail address", { login: "nobody" }, 9, "email"],
    ["a short password", { login: "x", password: "Abcdef8" }, 10, "password"],
    ["a password without upper case", { login: "x", password: "abcdefgh8" }, 10, "password"],
    ["an invalid mail address", { login: "x", email: "x@", password: "Abcdefg8" }, 10, "email"],
    ["an invalid phone number", { login: "x", phone: "12", password: "Abcdefg8" }, 10, "phone"],
    ["an unknown role", { login: "x", role: "king", password: "Abcdefg8" }, 10, "role"],
    ["an unknown group", { login: "x", groups: [999_999], password: "Abcdefg8" }, 10, "groups[0]"],
    ["an unknown language", { login: "x", language: "xx", password: "Abcdefg8" }, 10, "language"],
    [
      "a photo that is not a web address",
      { login: "x", photo_url: "javascript:alert(1)", password: "Abcdefg8" },
      ...([10, "photo_url"] as const),
    ],
    ["an unknown field", { login: "x", admin: true, password: "Abcdefg8" }, 10, "admin"],
  ] as const) {
    it(`rejects ${name}, names the field, and stores nothing`, async () => {
      const { status, body } = await post(fields);
      expect(status).to.equal(400);
      expect(body).to.include({ code, details: `Parameter ${field}` });
      const { body: list } = await call("GET /users", { as: admin });
      expect(list["total"]).to.equal(1);
    });
  }

  it("lists with search, group, role, order and paging", async () => {
    const as = admin;
    const ann = await aColleague({ firstname: "Ann", lastname: "100%" });
    const bob = await aColleague({ email: "bob_x@test.example", role: "viewer" });
    const path = `/enterprises/${as.enterprise_id}/user-groups`;
    await call(`POST ${path}`, { as, json: { name: "Night", members: [bob.id] } });
    const idsOf = async (query: string) => {
      const { status, body } = await call(`GET /users?${query}`, { as });
      expect(status, query).to.equal(200);
      return body["data"].map(({ id }: { id: number }) => id);
    };
    expect(await idsOf("order=asc")).to.deep.equal([admin.id, ann.id, bob.id]);
    expect(await idsOf("orderby=id")).to.deep.equal([bob.id, ann.id, admin.id]);
    expect(await idsOf("search=ANN")).to.deep.equal([ann.id]);
    expect(await idsOf("search=0%25")).to.deep.equal([ann.id]);
    expect(await idsOf("search=b_x")).to.deep.equal([bob.id]);
    expect(await idsOf("search=b%25x")).to.deep.equal([]);
    expect(await idsOf("group=Night")).to.deep.equal([bob.id]);
    expect(await idsOf("role=viewer")).to.deep.equal([bob.id]);
    await call(`PATCH /users/${bob.id}`, { as, json: { isActive: false } });
    expect(await idsOf("isActive=false")).to.deep.equal([bob.id]);
    expect(await idsOf("isActive=true&order=asc")).to.deep.equal([admin.id, ann.id]);
    const page = await call("GET /users?limit=1&offset=1&order=asc", { as });
    expect(page.body).to.include({ total: 3 });
    expect(page.body["data"][0].id).to.equal(ann.id);
    expect(page.headers.get("x-total-count")).to.equal("3");
    expect(page.headers.get("link")).to.contain('rel="next"');
    for (const query of ["limit=101", "limit=0", "offset=-1", "orderby=login", "role=king"]) {
      expect((await call(`GET /users?${query}`, { as })).status, query).to.equal(400);
    }
  });

  it("lets managers read and administrators write", async () => {
    const { enterprise_id } = admin;
    const manager = await aMember({ enterprise_id, role: "manager" });
    const agent = await aMember({ enterprise_id, role: "agent" });
    const json = { login: "x", password: "Abcdefg8" };
    expect((await call("GET /users", { as: manager })).status).to.equal(200);
    expect((await call(`GET /users/${agent.id}`, { as: manager })).status).to.equal(200);
    expect((await call("POST /users", { as: manager, json })).body).to.include({ code: 6 });
    expect((await call("GET /users", { as: agent })).body).to.include({ code: 6 });
    expect((await call("GET /users")).body).to.include({ code: 3 });
  });

  it("rejects platform accounts and enterprises without the solution", async () => {
    const console = await aMember({ account_type: "platform" });
    expect((await call("GET /users", { as: console })).body).to.include({ status: 403, code: 18 });
    await database.db.raw("UPDATE enterprises SET solution_enabled = false WHERE id = ?", [
      admin.enterprise_id,
    ]);
    for (const path of [
      "/users",
      `/enterprises/${admin.enterprise_id}`,
      `/enterprises/${admin.enterprise_id}/audit`,
      "/services",
    ]) {
      const { body } = await call(`GET ${path}`, { as: admin });
      expect(body, path).to.include({ status: 403, code: 18 });
    }
  });

  it("does not find users of another enterprise", async () => {
    const other = await aMember();
    for (const what of [
      `GET /users/${other.id}`,
      `PATCH /users/${other.id}`,
      `DELETE /users/${other.id}`,
      `POST /users/${other.id}/password-reset`,
      `DELETE /users/${other.id}/tokens`,
    ]) {
      const json = what.startsWith("PATCH") ? { firstname: "x" } : undefined;
      const { body } = await call(what, { as: admin, json });
      expect(body, what).to.include({ status: 404, code: 8 });
    }
    expect((await call("GET /users/me", { as: other })).status).to.equal(200);
  });
});
