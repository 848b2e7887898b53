/** The chapter "Errors". */
import { expect } from "chai";
import { aPhone, aUser, createConference, createTicket, move, queryOf, send } from "./calls.ts";
import { useService } from "./service.ts";
import { aText, expectWhole, like } from "./shapes.ts";

const anInstance = like(/^urn:uuid:[0-9a-f-]{36}$/u);
const unknownTicket = 900_000_000;

describe("the reference: errors", () => {
  const service = useService();

  it("X-01: the events of a ticket answer 200 and a JSON list", async () => {
    const { id } = await createTicket(service);
    const { status, headers, body } = await service.admin.call(`GET /api/v3/tickets/${id}/events`);
    expect(status).to.equal(200);
    expect(headers.get("content-type")).to.match(/^application\/json\b/u);
    expect(body).to.be.an("array").with.lengthOf(2);
  });

  it("X-02: an id that does not exist is not found", async () => {
    const path = `GET /api/v3/tickets/${unknownTicket}/events`;
    const { status, headers, body } = await service.admin.call(path);
    expect(headers.get("content-type")).to.equal("application/problem+json");
    const detail = `Ticket ${unknownTicket} was not found.`;
    expectWhole(body, {
      type: `${service.url}/problems/not-found`,
      title: "Not found",
      status: 404,
      detail,
      instance: anInstance,
      code: 8,
      message: detail,
      details: "",
      errors: [],
    });
    expect(status).to.equal(404);
  });

  it("X-03: without the role it is forbidden, whether the ticket exists or not", async () => {
    const { id } = await createTicket(service);
    const viewer = await aUser(service, { role: "viewer" });
    for (const ticket of [id, unknownTicket]) {
      const { status, body } = await viewer.call(`GET /api/v3/tickets/${ticket}/events`);
      expect(status).to.equal(403);
      expectWhole(body, {
        type: `${service.url}/problems/forbidden`,
        title: "Missing permission",
        status: 403,
        detail: aText,
        instance: anInstance,
        code: 6,
        message: body.detail,
        details: aText,
        errors: [],
      });
    }
    const none = await service.call(`GET /api/v3/tickets/${unknownTicket}/events`);
    expect(none.status).to.equal(401);
  });

  it("X-04: a refusal names the field, and its type is a page", async () => {
    const query = queryOf({ agent: service.agent.login, phone: "12" });
    const { status, body } = await service.admin.call(`POST /api/tickets?${query}`);
    expect(status).to.equal(400);
    expectWhole(body, {
      type: `${service.url}/problems/invalid-parameter`,
      title: "Invalid parameter",
      status: 400,
      detail: aText,
      instance: anInstance,
      code: 10,
      message: body.detail,
      details: "Parameter phone",
      errors: [{ field: "phone", reason: "format" }],
    });
    expect(body.detail).to.match(/phone field.*\+/u);
    expect((await fetch(body.type)).status).to.equal(200);
  });

  it("X-04: every kind of refusal has its status and its code", async () => {
    const { id } = await createTicket(service);
    await move(service, id, "cancel");
    const { admin } = service;
    const asText = { headers: { "content-type": "text/xml" }, raw: "<ticket/>" };
    const huge = { json: { description: "x".repeat(3_000_000) } };
    const noImage = { name: "a.png", type: "image/png", bytes: Buffer.from("no image") };
    const refusals = {
      noToken: await service.call("GET /api/tickets"),
      badToken: await service.as("bad").call("GET /api/tickets"),
      badLogin: await service.call("POST /api/token?grant_type=password&username=u&password=p"),
      role: await service.agent.call("GET /api/webhooks"),
      notFound: await admin.call(`GET /api/tickets/${unknownTicket}`),
      noPath: await admin.call("GET /api/nothing"),
      missing: await admin.call("POST /api/conferences"),
      invalid: await admin.call("GET /api/conferences?limit=0"),
      state: await admin.call(`POST /api/tickets/${id}/approve`),
      tooLarge: await admin.call("POST /api/tickets", huge),
      mediaType: await admin.call("POST /api/tickets", asText),
      fileType: await send(admin, "/api/medias", noImage, { ticketId: id }),
      method: await admin.call("PUT /api/tickets"),
    };
    const expected = Object.fromEntries(
      Object.entries(refusals).map(([name, { status, body }]) => [name, [status, body.code]]),
    );
    expect(expected).to.deep.equal({
      noToken: [401, 3],
      badToken: [401, 4],
      badLogin: [401, 5],
      role: [403, 6],
      notFound: [404, 8],
      noPath: [404, 8],
      missing: [400, 9],
      invalid: [400, 10],
      state: [409, 11],
      tooLarge: [413, 13],
      mediaType: [415, 14],
      fileType: [415, 14],
      method: [405, 15],
    });
    expect(refusals.method.headers.get("allow")).to.match(/\bGET\b/u);
    expect(refusals.state.body.details).to.equal("Transition closed → open");
    expect(refusals.badLogin.body.error).to.equal("invalid_grant");
  });

  it("X-04: an Accept header without JSON is refused, a login twice is a conflict", async () => {
    const html = await service.admin.call("GET /api/tickets", { headers: { accept: "text/html" } });
    expect(html.status).to.equal(406);
    const user = await aUser(service, { role: "viewer" });
    const json = { login: user.login, email: user.login, password: "Some-thing-42" };
    const again = await service.admin.call("POST /api/users", { json });
    expect([again.status, again.body.code]).to.deep.equal([409, 11]);
  });

  it("X-04: a room that is over is gone, not unknown", async () => {
    const { id, service_key, room_name, short_url } = await createConference(service);
    await service.agent.call(`DELETE /api/conferences/${id}`);
    const json = { service_key, room_name };
    const entered = await service.call("POST /api/guest/conferences/token", { json });
    expect([entered.status, entered.body.code]).to.deep.equal([410, 17]);
    expect((await fetch(short_url)).status).to.equal(410);
    const unknown = await fetch(`${service.url}/s/${"0".repeat(12)}`);
    expect(unknown.status).to.equal(404);
  });

  it("writes nothing for a rejected request", async () => {
    const reference = `refused ${Date.now()}`;
    const values = { agent: service.agent.login, phone: aPhone, reference, duration: "0" };
    const { status } = await service.admin.call(`POST /api/tickets?${queryOf(values)}`);
    expect(status).to.equal(400);
    const list = await service.admin.call(`GET /api/tickets?${queryOf({ reference })}`);
    expect(list.body).to.deep.equal({ total: 0, data: [] });
  });
});
