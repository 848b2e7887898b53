import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { testBaseUrl } from "../support/api.ts";
import { useActing } from "../support/acting.ts";
import { useDatabase } from "../support/database.ts";
import { aGroup, aTestUser, aTicketFixture, eventsAbout } from "../support/tickets.ts";

describe("a request at an entry point", () => {
  const database = useDatabase();
  const harness = useActing(database);

  const ask = (json: unknown, button = harness.fixture.buttonId) =>
    harness.api.call(`POST /buttons/${button}/requests`, { json });

  const latest = async (): Promise<number> => {
    const { body } = await harness.api.call("GET /tickets?limit=1&orderby=id", {
      as: harness.fixture.admin,
    });
    return body.data[0].id;
  };

  it("creates an open ticket without an agent and returns links, no ids", async () => {
    const input = { email: "jane@example.com", lastname: "Doe", subject: "Leak", language: "nl" };
    const { status, body, text, headers } = await ask(input);
    expect(status, text).to.equal(201);
    expect(text).to.equal(
      JSON.stringify({
        state: "open",
        requestor_url: body.requestor_url,
        information_page_url: body.information_page_url,
      }),
    );
    expect(body.requestor_url).to.match(/^https:\/\/sightline\.example\/v\/[0-9A-Za-z]{22}$/u);
    expect(headers.get("location")).to.equal(body.requestor_url);
    const id = await latest();
    const { body: list } = await harness.api.call("GET /tickets?limit=1&orderby=id", {
      as: harness.fixture.admin,
    });
    const at = "2026-11-20T10:00:00+00:00";
    expect(JSON.stringify(list.data[0])).to.equal(
      JSON.stringify({
        id,
        state: "open",
        reference: "",
        created: at,
        modified: at,
        start_time: at,
        end_time: "2026-11-20T10:30:00+00:00",
        subject: "Leak",
        type: "",
        description: null,
        agent: "",
        requestor_url: body.requestor_url,
        requestor: { email: "jane@example.com", lastname: "Doe" },
        information_page_url: body.information_page_url,
        service_key: harness.fixture.service.service_key,
        geoloc: null,
      }),
    );
    const notified = await eventsAbout(database.db, id);
    const person = { email: "", phone: "", firstname: "", lastname: "" };
    expect(notified.map(({ props }) => props)).to.deep.equal([
      { state: "open" },
      {
        eventType: "ticket.new",
        eventCode: 1,
        ticketId: id,
        conversationId: notified[1]?.props["conversationId"],
        agent: person,
      },
    ]);
    const { body: events } = await harness.api.call(`GET /tickets/${id}/events`, {
      as: harness.fixture.admin,
    });
    expect(events.map((entry: { source: string }) => entry.source)).to.deep.equal(["guest"]);
    expect((await harness.read(id)).body).to.include({
      agent: "",
      agent_url: `${testBaseUrl}/agent`,
    });
  });

  it("creates one ticket if it is repeated with its key, even at the same moment", async () => {
    const key = randomUUID();
    const total = async (): Promise<number> =>
      (await harness.api.call("GET /tickets?limit=1", { as: harness.fixture.admin })).body.total;
    const before = await total();
    const json = { email: "jane@example.com", subject: "Leak" };
    const operation = `POST /buttons/${harness.fixture.buttonId}/requests`;
    const send = (idempotencyKey: string = key) =>
      harness.api.call(operation, { json, headers: { "idempotency-key": idempotencyKey } });
    const answers = [...(await Promise.all([send(), send(), send()])), await send()];
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    expect(await total()).to.equal(before + 1);
    expect(await eventsAbout(database.db, await latest())).to.have.length(2);
    const other = await send(randomUUID());
    expect(other.body.requestor_url).to.not.equal(answers[0]?.body.requestor_url);
    const ignored = [await send("1"), await send("1")].map(({ body }) => body.requestor_url);
    expect(new Set(ignored).size).to.equal(2);
  });

  it("is visible to agents of the service, who can take it", async () => {
    await ask({ phone: "+33612345678" });
    const id = await latest();
    const { body } = await harness.act(id, "take", harness.fixture.agent);
    expect(body).to.include({ state: "opened", agent: harness.fixture.agent.login });
    expect((await eventsAbout(database.db, id)).at(-2)?.props["agent"]).to.deep.equal(
      harness.fixture.person,
    );
  });

  it("is visible only to agents of the service's groups, if it has any", async () => {
    const fixture = await aTicketFixture(database.db);
    const { enterpriseId, service, buttonId } = fixture;
    const group = await aGroup(database.db, enterpriseId, "Harness");
    await database
      .db("service_groups")
      .insert({ enterprise_id: enterpriseId, service_id: service.id, group_id: group });
    const inside = await aTestUser(database.db, enterpriseId, "agent", { groupIds: [group] });
    await ask({ email: "jane@example.com" }, buttonId);
    const { body } = await harness.api.call("GET /tickets", { as: fixture.admin });
    const { id } = body.data[0];
    const seen = async (as: typeof inside) =>
      (await harness.api.call("GET /tickets", { as })).body.total;
    expect([await seen(fixture.agent), await seen(inside)]).to.deep.equal([0, 1]);
    expect((await harness.act(id, "take", fixture.agent)).status).to.equal(403);
    const json = { agent: fixture.agent.login };
    const transfer = await harness.api.call(`PUT /tickets/${id}/agent`, {
      as: fixture.admin,
      json,
    });
    expect(transfer.body).to.include({ status: 400, code: 10, details: "Parameter agent" });
    const create = await harness.api.call("POST /tickets", {
      as: fixture.admin,
      json: { ...json, email: "jane@example.com" },
    });
    expect(create.body).to.include({ status: 400, code: 10, details: "Parameter agent" });
    expect((await harness.act(id, "take", inside)).status).to.equal(200);
  });

  for (const [what, change] of [
    [
      "the entry point",
      (db: typeof database.db, id: number) =>
        db("buttons").where({ id }).update({ is_active: false }),
    ],
    [
      "its service",
      (db: typeof database.db, id: number) =>
        db("services")
          .whereIn("id", db("buttons").where({ id }).select("service_id"))
          .update({ is_active: false }),
    ],
    [
      "the solution",
      (db: typeof database.db, id: number) =>
        db("enterprises")
          .whereIn("id", db("buttons").where({ id }).select("enterprise_id"))
          .update({ solution_enabled: false }),
    ],
  ] as const) {
    it(`answers 404 if ${what} is off`, async () => {
      const { buttonId } = await aTicketFixture(database.db);
      await change(database.db, buttonId);
      expect((await ask({ email: "jane@example.com" }, buttonId)).body).to.include({ status: 404 });
    });
  }

  for (const [what, json, code] of [
    ["no contact", { subject: "Leak" }, 9],
    ["a bad phone", { phone: "12" }, 10],
    ["a text that is too long", { email: "a@example.com", description: "x".repeat(5_001) }, 10],
    ["fields that are for staff", { email: "a@example.com", priority: 4 }, 10],
  ] as const) {
    it(`rejects ${what}`, async () => {
      expect((await ask(json)).body).to.include({ status: 400, code });
    });
  }
});
