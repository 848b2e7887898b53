/** The chapter "Authentication". */
import { expect } from "chai";
import { aUser, createTicket, queryOf, succeed, whoIs } from "./calls.ts";
import { useService } from "./service.ts";
import { aText, aTimestamp, expectWhole } from "./shapes.ts";

const password = "Some-thing-42";

describe("the reference: authentication", () => {
  const service = useService();

  const tokenFor = (login: string, more: Record<string, string> = {}) =>
    service.call(
      `POST /api/token?${queryOf({ grant_type: "password", username: login, password, ...more })}`,
    );

  it("A-01: every call needs a Bearer token", async () => {
    for (const operation of [
      "GET /api/tickets",
      "POST /api/tickets",
      "GET /api/conferences",
      "GET /api/v2/users/me",
      "GET /api/v3/tickets/1/events",
      "GET /api/session",
    ]) {
      const none = await service.call(operation);
      expect([none.status, none.body.code], operation).to.deep.equal([401, 3]);
      expect(none.headers.get("www-authenticate")).to.match(/^Bearer\b/u);
      const wrong = await service.as("wrong").call(operation);
      expect([wrong.status, wrong.body.code], operation).to.deep.equal([401, 4]);
    }
    const basic = Buffer.from(`${service.agent.login}:x`).toString("base64");
    const { status } = await service.call("GET /api/tickets", {
      headers: { authorization: `Basic ${basic}` },
    });
    expect(status).to.equal(401);
  });

  it("A-02: accounts of the platform reach its family only, those of the solution both", async () => {
    const values = { role: "admin", accountType: "platform" };
    const platform = await aUser(service, values);
    const solution = await aUser(service, { role: "admin" });
    for (const path of ["conversations", "sms", "emails", "medias", "sessions"]) {
      for (const user of [platform, solution]) {
        expect((await user.call(`GET /api/${path}`)).status, path).to.equal(200);
      }
    }
    for (const path of ["tickets", "conferences", "users", "enterprises", "service"]) {
      const { status, body } = await platform.call(`GET /api/${path}`);
      expect([status, body.code], path).to.deep.equal([403, 18]);
      expect((await solution.call(`GET /api/${path}`)).status, path).to.equal(200);
    }
  });

  it("A-03: no page of another origin may ask for a token", async () => {
    const headers = { origin: "https://shop.example" };
    for (const method of ["OPTIONS", "POST"]) {
      const answer = await fetch(`${service.url}/api/token`, { method, headers });
      expect(answer.headers.has("access-control-allow-origin"), method).to.equal(false);
      expect(answer.headers.has("access-control-allow-methods"), method).to.equal(false);
    }
  });

  it("A-04: the events of a ticket need a role that may read them", async () => {
    const { id } = await createTicket(service);
    const path = `GET /api/v3/tickets/${id}/events`;
    const viewer = await aUser(service, { role: "viewer" });
    const { status, body } = await viewer.call(path);
    expect([status, body.code]).to.deep.equal([403, 6]);
    const stranger = await aUser(service, { role: "agent", isAgent: true });
    expect((await stranger.call(path)).status).to.equal(403);
    expect((await service.agent.call(path)).status).to.equal(200);
    for (const role of ["admin", "integration"]) {
      const user = await aUser(service, { role });
      expect((await user.call(path)).status, role).to.equal(200);
    }
  });

  it("A-05: the events operation is described with its id, its tag and the scheme access_token", async () => {
    const { body } = await service.call("GET /api/v3/openapi.json");
    const operation = body.paths["/api/v3/tickets/{ticketId}/events"].get;
    expect(body.openapi).to.equal("3.0.0");
    expect(operation.operationId).to.equal("api.v3.tickets.events");
    expect(operation.tags).to.deep.equal(["tickets"]);
    expect(operation.security).to.deep.equal([{ access_token: [] }]);
    expect(body.components.securitySchemes.access_token).to.include({
      type: "http",
      scheme: "bearer",
    });
  });

  describe("A-06: roles, refresh and revocation", () => {
    it("A-06: a viewer reads only, an agent sees no statistics, an administrator does", async () => {
      const { id } = await createTicket(service);
      const viewer = await aUser(service, { role: "viewer" });
      const statusOf = async (operation: string) => (await viewer.call(operation)).status;
      expect(await statusOf(`POST /api/tickets/${id}/approve`)).to.equal(403);
      expect(await statusOf("POST /api/conferences?participants=a@guests.example")).to.equal(403);
      expect(await statusOf("GET /api/webhooks")).to.equal(403);
      expect(await statusOf("GET /api/tickets")).to.equal(200);
      const { enterpriseId } = await whoIs(service.agent);
      const statistics = `GET /api/enterprises/${enterpriseId}/tickets-stats`;
      expect((await service.agent.call(statistics)).status).to.equal(403);
      expect((await service.admin.call(statistics)).status).to.equal(200);
    });

    it("A-06: a refresh token comes with the scope offline, and works once", async () => {
      const { login } = await aUser(service, { role: "agent", password });
      const first = await tokenFor(login, { scope: "offline" });
      expectWhole(first.body, {
        access_token: aText,
        created_at: aTimestamp,
        expires_in: 86_400,
        token_type: "Bearer",
        refresh_token: aText,
      });
      const { refresh_token } = first.body;
      const refresh = () =>
        service.call("POST /api/token", { form: { grant_type: "refresh_token", refresh_token } });
      const second = await refresh();
      expect(second.status).to.equal(200);
      const renewed = service.as(second.body.access_token);
      expect((await renewed.call("GET /api/users/me")).status).to.equal(200);
      const third = await refresh();
      expect([third.status, third.body.error]).to.deep.equal([401, "invalid_grant"]);
      expect((await renewed.call("GET /api/users/me")).status).to.equal(401);
    });

    it("A-06: a token is revoked by DELETE, by a new password, and when its user is disabled", async () => {
      const user = await aUser(service, { role: "agent", password });
      const { userId } = await whoIs(user);
      expect((await user.call("DELETE /api/token")).status).to.equal(204);
      const refused = await user.call("GET /api/users/me");
      expect([refused.status, refused.body.code]).to.deep.equal([401, 4]);
      for (const json of [{ password: "Another-thing-42" }, { isActive: false }]) {
        const again = service.as((await tokenFor(user.login, { password })).body.access_token);
        expect((await again.call("GET /api/users/me")).status).to.equal(200);
        await succeed(service.admin, `PATCH /api/users/${userId}`, { json });
        expect((await again.call("GET /api/users/me")).status).to.equal(401);
        await succeed(service.admin, `PATCH /api/users/${userId}`, { json: { password } });
      }
    });
  });

  it("A-07: /api/authentication is another name of /api/token", async () => {
    const { login } = await aUser(service, { role: "agent", password });
    const query = queryOf({ grant_type: "password", username: login, password });
    const { access_token } = await succeed(service, `POST /api/authentication?${query}`);
    expect((await whoIs(service.as(access_token))).mail).to.equal(login);
  });

  it("A-08: a token is issued for query, form or JSON, and never to another origin", async () => {
    const { login } = await aUser(service, { role: "agent", password });
    const values = { grant_type: "password", username: login, password };
    for (const answer of [
      await service.call(`POST /api/token?${queryOf(values)}`),
      await service.call("POST /api/token", { form: values }),
      await service.call("POST /api/token", { json: values }),
    ]) {
      expect(answer.status).to.equal(200);
      expect((await whoIs(service.as(answer.body.access_token))).mail).to.equal(login);
    }
    const wrong = await tokenFor(login, { password: "wrong" });
    const unknown = await tokenFor("nobody@users.example");
    for (const { status, body } of [wrong, unknown]) {
      expect([status, body.code, body.error]).to.deep.equal([401, 5, "invalid_grant"]);
    }
    expect(unknown.body.detail).to.equal(wrong.body.detail);
    const grant = await tokenFor(login, { grant_type: "magic" });
    expect([grant.status, grant.body.error]).to.deep.equal([400, "unsupported_grant_type"]);
  });
});
