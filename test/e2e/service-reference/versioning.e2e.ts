/** The chapter "Versioning". */
import { expect } from "chai";
import { createConference, createTicket, succeed, whoIs } from "./calls.ts";
import { useService } from "./service.ts";

describe("the reference: versioning", () => {
  const service = useService();

  it("V-01: the events are under /api/v3, described in OpenAPI 3.0.0 as version 3.0", async () => {
    const { id } = await createTicket(service);
    expect((await service.admin.call(`GET /api/v3/tickets/${id}/events`)).status).to.equal(200);
    const { body, headers } = await service.call("GET /api/v3/openapi.json");
    expect(headers.get("content-type")).to.match(/^application\/json\b/u);
    expect([body.openapi, body.info.version]).to.deep.equal(["3.0.0", "3.0"]);
    expect(body.servers).to.deep.equal([{ url: service.url }]);
    expect(Object.keys(body.paths)).to.include("/api/v3/tickets/{ticketId}/events");
  });

  it("V-02: the current user is under /api/v2", async () => {
    expect((await service.agent.call("GET /api/v2/users/me")).status).to.equal(200);
  });

  it("V-03: everything is under /api without a version, and the same under /api/v3", async () => {
    const { id } = await createTicket(service);
    const conference = await createConference(service);
    const { enterpriseId } = await whoIs(service.admin);
    for (const path of [
      "tickets",
      `tickets/${id}`,
      `conferences/${conference.id}`,
      `enterprises/${enterpriseId}`,
      `enterprises/${enterpriseId}/tickets-stats`,
      "users/me",
      "service",
    ]) {
      const bare = await succeed(service.admin, `GET /api/${path}`);
      expect(await succeed(service.admin, `GET /api/v3/${path}`), path).to.deep.equal(bare);
    }
    const token = await service.call("POST /api/v3/token?grant_type=password");
    expect(token.status).to.equal(400);
    expect((await service.admin.call("GET /api/v4/tickets")).status).to.equal(404);
  });

  it("V-04: ticket.invitationExpired is deprecated, and the only one", async () => {
    const { eventTypes } = await succeed(service.admin, "GET /api/webhooks/event-types");
    const deprecated = eventTypes.filter((one: { deprecated: boolean }) => one.deprecated);
    expect(deprecated.map((one: { eventType: string }) => one.eventType)).to.deep.equal([
      "ticket.invitationExpired",
    ]);
    const { body } = await service.call("GET /api/v3/openapi.json");
    const { schemas } = body.components;
    expect(schemas.TicketInvitationExpiredEvent.deprecated).to.equal(true);
    expect(schemas.TicketInvitationSentEvent.deprecated).to.equal(undefined);
  });

  it("V-05: nothing that remains is announced as deprecated", async () => {
    for (const path of ["/api/tickets", "/api/v2/tickets", "/api/v3/tickets"]) {
      const { status, headers } = await service.admin.call(`GET ${path}?limit=1`);
      expect(status).to.equal(200);
      expect([headers.has("deprecation"), headers.has("sunset")], path).to.deep.equal([
        false,
        false,
      ]);
    }
  });
});
