import { expect } from "chai";
import { parseDomain, parseHostName } from "../../../src/accounts/enterprises/model.ts";
import { startAccountsApi, useAccounts, type Member } from "../../support/accounts-api.ts";
import { useDatabase } from "../../support/database.ts";

describe("domains of an enterprise", () => {
  const database = useDatabase();
  const { call, aMember, auditOf } = useAccounts(database);
  let admin: Member;
  let at: string;
  beforeEach(async () => {
    admin = await aMember();
    at = `/enterprises/${admin.enterprise_id}/domains`;
  });
  const add = (json: object) => call(`POST ${at}`, { as: admin, json });

  it("are stored in lower case, listed by name and deleted", async () => {
    const json = { domain: " Portal.Example.COM ", alias: "Video.Example.com" };
    const { status, headers, body } = await add(json);
    expect(status).to.equal(201);
    expect(headers.get("location")).to.equal(`/api${at}/${body["id"]}`);
    expect(body).to.deep.equal({
      id: body["id"],
      domain: "portal.example.com",
      alias: "video.example.com",
      created: body["created"],
    });
    expect(body["created"]).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/u);
    const second = await add({ domain: "a.example.com" });
    expect(second.body).to.include({ alias: "" });
    expect((await call(`GET ${at}`, { as: admin })).body).to.deep.equal({
      total: 2,
      data: [second.body, body],
    });
    expect((await call(`DELETE ${at}/${body["id"]}`, { as: admin })).status).to.equal(204);
    expect((await call(`DELETE ${at}/${body["id"]}`, { as: admin })).status).to.equal(404);
    const entries = await auditOf(admin.enterprise_id);
    expect(entries.map(({ action, object, changes }) => [action, object, changes])).to.deep.equal([
      [
        "create",
        "domain",
        { domain: { to: "portal.example.com" }, alias: { to: "video.example.com" } },
      ],
      ["create", "domain", { domain: { to: "a.example.com" }, alias: { to: "" } }],
      [
        "delete",
        "domain",
        { domain: { from: "portal.example.com" }, alias: { from: "video.example.com" } },
      ],
    ]);
  });

  it("have an alias in the domain or beside it", async () => {
    for (const [domain, alias, status] of [
      ["crm.example.com", "video.crm.example.com", 201],
      ["www.crm.example.com", "video.crm.example.com", 201],
      ["bank.example", "video.bank.example", 201],
      ["desk.eu.acme.example", "video.acme.example", 201],
      ["eu.acme.example", "acme.example", 201],
      ["evil.example", "video.bank.example", 400],
      ["evil.example", "notevil.example", 400],
      ["www.evil.example", "video.bank.example", 400],
      ["same.example", "same.example", 400],
    ] as const) {
      const { body, status: got } = await add({ domain, alias });
      expect(got, `${domain} ${alias}`).to.equal(status);
      expect(body["details"]).to.equal(status === 400 ? "Parameter alias" : undefined);
    }
  });

  it("are unique, even under concurrency", async () => {
    const answers = await Promise.all([add({ domain: "x.example" }), add({ domain: "X.example" })]);
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([201, 409]);
  });

  it("must be host names", async () => {
    for (const domain of [
      "localhost",
      "10.0.0.1",
      "*.example.com",
      "https://example.com",
      "example.com:8080",
      "a b.example",
      "-a.example",
      `${"a".repeat(64)}.example`,
    ]) {
      expect(parseHostName(domain), domain).to.equal(undefined);
      const { body } = await add({ domain });
      expect(body, domain).to.include({ status: 400, code: 10, details: "Parameter domain" });
    }
    expect(parseHostName("bücher.example")).to.equal("xn--bcher-kva.example");
    const alias = await add({ domain: "a.example", alias: "x" });
    expect(alias.body).to.include({ status: 400, details: "Parameter alias" });
  });

  it("may be localhost names with a port if the platform runs on localhost", async () => {
    const local = "http://localhost:3000";
    for (const [input, stored] of [
      [" LocalHost ", "localhost"],
      ["localhost:4000", "localhost:4000"],
      ["127.0.0.1:65535", "127.0.0.1:65535"],
      ["CRM.example:8443", "crm.example:8443"],
      ["crm.example", "crm.example"],
    ] as const) {
      expect(parseDomain(input, local), input).to.equal(stored);
    }
    for (const wrong of [
      ...["localhost:", "localhost:0", "localhost:65536", "localhost:04000", ":4000", ""],
      ...["10.0.0.1", "localhost:a", "http://localhost", "localhost:1:2", "*:4000"],
    ]) {
      expect(parseDomain(wrong, local), wrong).to.equal(undefined);
    }
    for (const base of ["https://video.example.com", "https://localhost", "http://10.0.0.1"]) {
      expect(parseDomain("localhost:4000", base), base).to.equal(undefined);
      expect(parseDomain("crm.example:8443", base), base).to.equal(undefined);
      expect(parseDomain("crm.example", base), base).to.equal("crm.example");
    }
    const api = await startAccountsApi(database.db, { baseUrl: local });
    const response = await fetch(`${api.url}/api${at}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${admin.token}` },
      body: JSON.stringify({ domain: "localhost:4000" }),
    });
    expect(response.status).to.equal(201);
    await api.close();
  });

  it("are limited to fifty", async () => {
    await database.db.raw(
      `INSERT INTO enterprise_domains (enterprise_id, domain)
       SELECT ?, 'd' || n || '.example' FROM generate_series(1, 50) n`,
      [admin.enterprise_id],
    );
    expect((await add({ domain: "one.more.example" })).body).to.include({ status: 403, code: 16 });
  });
});
