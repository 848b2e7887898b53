import { expect } from "chai";
import { findServiceForTickets } from "../../../src/accounts/directory-store.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useAccounts, type Member } from "../../support/accounts-api.ts";
import { useDatabase } from "../../support/database.ts";

describe("buttons of a service", () => {
  const database = useDatabase();
  const { call, aMember, auditOf } = useAccounts(database);
  let admin: Member;
  let at: string;
  let first: number;
  beforeEach(async () => {
    admin = await aMember();
    const json = { name: "Help", kind: "ticket" };
    const service = await call("POST /services", { as: admin, json });
    at = `/services/${service.body["id"]}/buttons`;
    first = (await call(`GET ${at}`, { as: admin })).body["data"][0].id;
  });
  const add = (json: object) => call(`POST ${at}`, { as: admin, json });
  const usedButton = async () =>
    (await findServiceForTickets(database.db, admin.enterprise_id, undefined))?.buttonId;

  it("are added, changed and deleted; the oldest active one is used for tickets", async () => {
    const { status, headers, body } = await add({ name: "Site" });
    expect(status).to.equal(201);
    expect(headers.get("location")).to.equal(`/api${at}/${body["id"]}`);
    expect(body).to.deep.equal({
      id: body["id"],
      name: "Site",
      url: `https://sightline.example/e/${body["id"]}`,
      is_active: true,
      created: body["created"],
    });
    expect(await usedButton()).to.equal(first);
    const off = await call(`PATCH ${at}/${first}`, { as: admin, json: { is_active: false } });
    expect(off.body).to.include({ id: first, name: "Help", is_active: false });
    expect(await usedButton()).to.equal(body["id"]);
    const json = { name: "Door", is_active: true };
    const renamed = await call(`PATCH ${at}/${first}`, { as: admin, json });
    expect(renamed.body).to.include({ name: "Door", is_active: true });
    expect((await call(`DELETE ${at}/${first}`, { as: admin })).status).to.equal(204);
    expect((await call(`DELETE ${at}/${first}`, { as: admin })).status).to.equal(404);
    expect((await call(`PATCH ${at}/${first}`, { as: admin, json })).status).to.equal(404);
    expect((await call(`GET ${at}`, { as: admin })).body).to.deep.equal({ total: 1, data: [body] });
    const kept = await rowsOf(database.db, "SELECT FROM buttons WHERE id = ?", [first]);
    expect(kept, "tickets point to it").to.have.length(1);
    const entries = await auditOf(admin.enterprise_id);
    expect(entries.slice(1).map(({ action, changes }) => [action, changes])).to.deep.equal([
      ["create", { name: { to: "Site" }, is_active: { to: true } }],
      ["update", { is_active: { from: true, to: false } }],
      ["update", { name: { from: "Help", to: "Door" }, is_active: { from: false, to: true } }],
      ["delete", { name: { from: "Door" } }],
    ]);
  });

  it("keep at least one active, even if two are deleted concurrently", async () => {
    const off = { is_active: false };
    const switchedOff = await call(`PATCH ${at}/${first}`, { as: admin, json: off });
    expect(switchedOff.body).to.include({ status: 409, code: 11 });
    const second = (await add({ name: "Site" })).body["id"];
    const answers = await Promise.all(
      [first, second].map((id) => call(`DELETE ${at}/${id}`, { as: admin })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([204, 409]);
  });

  it("have a name, and are found only under their own service", async () => {
    expect((await add({})).body).to.include({ status: 400, code: 9, details: "Parameter name" });
    expect((await add({ name: "" })).body).to.include({ status: 400, details: "Parameter name" });
    const json = { name: "Other", kind: "ticket" };
    const other = await call("POST /services", { as: admin, json });
    const path = `/services/${other.body["id"]}/buttons/${first}`;
    expect((await call(`DELETE ${path}`, { as: admin })).status).to.equal(404);
    expect((await call(`PATCH ${path}`, { as: admin, json: { name: "x" } })).status).to.equal(404);
  });
});
