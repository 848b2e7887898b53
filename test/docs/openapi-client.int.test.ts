import { expect } from "chai";
import createClient from "openapi-fetch";
import type { paths } from "../../web/base/api-types.ts";
import { aTenant, type Tenant } from "../support/tenant.ts";
import { expectFieldFault } from "../support/problem-shape.ts";
import { useWholeApi } from "../support/whole-api.ts";

describe("a client generated from the OpenAPI description", () => {
  const api = useWholeApi();
  let tenant: Tenant;
  before("an enterprise", async () => {
    tenant = await aTenant(api.db);
  });

  it("creates, finds and changes a ticket, and reads a problem", async () => {
    const headers = { authorization: `Bearer ${tenant.members.admin.token}` };
    const client = createClient<paths>({ baseUrl: api.url, headers });
    const agent = tenant.members.agent.login;
    const body = { agent, phone: "+33612345678", invite: 1 as const, reference: "generated" };
    const { data: made } = await client.POST("/api/tickets", { body });
    expect(made?.state).to.equal("invited");
    const query = { reference: "generated", state: "invited,new", limit: 5 };
    const { data: found } = await client.GET("/api/tickets", { params: { query } });
    expect(found?.data.map(({ id }) => id)).to.deep.equal([made?.id]);
    const refused = await client.PATCH("/api/tickets/{ticketId}", {
      params: { path: { ticketId: made?.id ?? 0 } },
      body: { priority: 9 },
    });
    expect(refused.error?.errors).to.deep.equal([{ field: "priority", reason: "range" }]);
  });

  describe("gets all invalid fields in one response", () => {
    for (const [operation, json, fields] of [
      ["POST /api/tickets", {}, ["agent", "email", "phone"]],
      [
        "POST /api/tickets",
        { agent: "nobody", phone: "1", email: "2", priority: 9, group: "none", type: "\n" },
        ["agent", "phone", "email", "priority", "group", "type"],
      ],
      [
        "POST /api/conferences",
        { participants: "x", moderator: "nobody", organizer: "none", name: " ", duration: 0 },
        ["participants", "moderator", "organizer", "name", "duration"],
      ],
      [
        "POST /api/conferences",
        { participants: ["a@b.example"], open: "x" },
        ["participants", "open"],
      ],
      ["POST /api/sms", { to: "06", ticketId: 999_999, text: "" }, ["to", "ticketId", "text"]],
      ["POST /api/sms", { to: "06" }, ["to", "text", "templateId"]],
      [
        "POST /api/emails",
        { to: "x", subject: "", ticketId: 999_999 },
        ["to", "subject", "ticketId", "text"],
      ],
      [
        "POST /api/users",
        { login: "a b", email: "x", phone: "06", password: "short", role: "boss" },
        ["login", "email", "phone", "password", "role"],
      ],
      [
        "POST /api/webhooks",
        {
          url: "ftp://x",
          filters: ["tickets.*"],
          headers: [{ name: "Host", value: "x" }],
          secret: "x",
          maxInFlight: 0,
        },
        ["url", "filters[0]", "headers[0].name", "secret", "maxInFlight"],
      ],
    ] as const) {
      it(`${operation} ${JSON.stringify(json)}`, async () => {
        const { token } = tenant.members.admin;
        const answer = await api.call(operation, { token, json });
        expect(expectFieldFault(answer)).to.have.members([...fields]);
        expect(answer.body.detail).to.not.match(/selected|is invalid\.$/u);
      });
    }
  });

  it("has 16 KB for a request line and its headers, and gets an error above", async () => {
    const answer = await fetch(`${api.url}/api/tickets?reference=${"x".repeat(17_000)}`);
    expect(answer.status).to.equal(431);
    expect(answer.headers.get("content-type")).to.equal("application/problem+json");
    expect(await answer.json()).to.include({ status: 431, code: 20, details: "" });
  });

  it("writes paths exactly: case matters, a trailing slash does not", async () => {
    const call = { token: tenant.members.admin.token };
    expect((await api.call("GET /api/tickets/?limit=1", call)).status).to.equal(200);
    for (const path of ["/API/tickets", "/api/Tickets", "/Api/tickets"]) {
      expect((await api.call(`GET ${path}`, call)).status, path).to.equal(404);
    }
  });

  it("gets the error of an unknown short link in the language of Accept-Language", async () => {
    const page = await fetch(`${api.url}/s/aaaaaaaaaaaa`, { headers: { accept: "text/html" } });
    expect(page.status).to.equal(404);
    expect(page.headers.get("content-type")).to.include("text/html");
    const json = await fetch(`${api.url}/s/aaaaaaaaaaaa`);
    expect(json.headers.get("content-type")).to.equal("application/problem+json");
    const unknown = await fetch(`${api.url}/i/aaaaaaaaaa`, { redirect: "manual" });
    expect(unknown.status).to.not.equal(200);
  });
});
