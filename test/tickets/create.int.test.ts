import { createHash } from "node:crypto";
import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { testBaseUrl } from "../support/api.ts";
import { useDatabase } from "../support/database.ts";
import { aTemplate } from "../support/factories.ts";
import {
  aGroup,
  aTicketFixture,
  inWords,
  eventsAbout,
  useTicketApi,
  type TicketFixture,
} from "../support/tickets.ts";

describe("creating a ticket", () => {
  const database = useDatabase();
  const api = useTicketApi(database);
  let fixture: TicketFixture;
  before(async () => {
    fixture = await aTicketFixture(database.db);
  });

  const post = (json: Record<string, unknown>, as = fixture.admin) =>
    api.call("POST /tickets", { as, json: { agent: fixture.agent.login, ...json } });

  const ticketCount = async (): Promise<number> => {
    const [row] = await rowsOf<{ n: number }>(database.db, "SELECT count(*) AS n FROM tickets");
    return row?.n ?? -1;
  };

  it("answers 201 with exactly the fields of the reference, in its order", async () => {
    const { status, headers, text, body } = await post({ email: "Jane@EXAMPLE.com" });
    const { requestor_url: roomUrl, information_page_url: infoUrl, id } = body;
    expect(status).to.equal(201);
    expect(headers.get("location")).to.equal(`/api/tickets/${id}`);
    expect(id).to.be.at.least(1000);
    expect(roomUrl).to.match(/^https:\/\/sightline\.example\/v\/[0-9A-Za-z]{22}$/u);
    expect(infoUrl).to.match(/^https:\/\/sightline\.example\/i\/[0-9A-Za-z]{10}$/u);
    expect(text).to.equal(
      JSON.stringify({
        id,
        state: "new",
        status: "new",
        reference: "",
        created: "2026-11-20T10:00:00+00:00",
        modified: "2026-11-20T10:00:00+00:00",
        start_time: "2026-11-20T10:00:00+00:00",
        end_time: "2026-11-20T10:30:00+00:00",
        subject: null,
        type: "",
        description: null,
        agent: fixture.agent.login,
        requestor_url: roomUrl,
        requestor: { email: "Jane@example.com" },
        information_page_url: infoUrl,
        service_key: fixture.service.service_key,
        agent_url: `${testBaseUrl}/agent`,
        name: null,
        button_id: fixture.buttonId,
      }),
    );
  });

  it("stores every field", async () => {
    const group = await aGroup(database.db, fixture.enterpriseId, "North");
    const templateId = await aTemplate(database.db, fixture.enterpriseId, "ticket");
    const { body } = await post({
      email: "jane@example.com",
      phone: "0033 6 12 34 56 78",
      reference: "REF-1",
      service_key: fixture.service.service_key,
      name: "Jane",
      firstname: "Jane",
      lastname: "Doe",
      company: "Doe Ltd",
      language: "fr",
      subject: "Leak",
      type: "repair",
      description: "Water\n<b>everywhere</b>",
      priority: 3,
      group: "North",
      startTime: "2026-12-01T09:00:00+01:00",
      duration: 45,
      templateId,
    });
    const shown = { ...body };
    for (const varying of ["id", "requestor_url", "information_page_url"]) {
      delete shown[varying];
    }
    expect(shown).to.deep.equal({
      state: "new",
      status: "new",
      reference: "REF-1",
      created: "2026-11-20T10:00:00+00:00",
      modified: "2026-11-20T10:00:00+00:00",
      start_time: "2026-12-01T08:00:00+00:00",
      end_time: "2026-12-01T08:45:00+00:00",
      subject: "Leak",
      type: "repair",
      description: "Water\n<b>everywhere</b>",
      agent: fixture.agent.login,
      requestor: {
        phone: "+33612345678",
        email: "jane@example.com",
        firstname: "Jane",
        lastname: "Doe",
        company: "Doe Ltd",
      },
      service_key: fixture.service.service_key,
      agent_url: `${testBaseUrl}/agent`,
      name: "Jane",
      button_id: fixture.buttonId,
    });
    const [row] = await rowsOf<Record<string, unknown>>(
      database.db,
      "SELECT priority, language, group_id, template_id, created_by FROM tickets WHERE id = ?",
      [body.id],
    );
    expect(row).to.deep.equal({
      priority: 3,
      language: "fr",
      group_id: group,
      template_id: templateId,
      created_by: fixture.admin.id,
    });
  });

  it("emits the ticket first, then its timeline, in one conversation", async () => {
    const { body } = await post({ phone: "+33612345678" });
    const notified = await eventsAbout(database.db, body.id);
    const [row] = await rowsOf<{ conversation_id: number }>(
      database.db,
      "SELECT conversation_id FROM tickets WHERE id = ?",
      [body.id],
    );
    const common = { ticketId: body.id, conversationId: row?.conversation_id };
    const time = Date.parse("2026-11-20T10:00:00Z") / 1000;
    expect(JSON.stringify(notified)).to.equal(
      JSON.stringify([
        { event: "create", time, object: "ticket", objectId: body.id, props: { state: "new" } },
        {
          event: "create",
          time,
          object: "conversationevent",
          objectId: notified[1]?.objectId,
          props: { eventType: "ticket.new", eventCode: 1, ...common, agent: fixture.person },
        },
        {
          event: "create",
          time,
          object: "conversationevent",
          objectId: notified[2]?.objectId,
          props: { eventType: "ticket.assigned", eventCode: 3, ...common, agent: fixture.person },
        },
      ]),
    );
  });

  it("sends a requested invitation at once, with one entry per channel", async () => {
    const contact = { email: "jane@example.com", phone: "+33612345678", lastname: "Doe" };
    const { body } = await post({ ...contact, invite: 1 });
    expect(body.state).to.equal("invited");
    expect(body.status).to.equal("invited");
    const emitted = await eventsAbout(database.db, body.id);
    expect(inWords(emitted)).to.deep.equal([
      "ticket create invited",
      "ticket.new",
      "ticket.assigned",
      "ticket.invitationSent",
      "ticket.invitationSent",
    ]);
    expect(emitted[3]?.props["eventCode"]).to.equal(10);
    expect(emitted[3]?.props["requestor"]).to.deep.equal({ ...contact, firstname: "" });
  });

  for (const [invite, state] of [
    ["1", "invited"],
    ["true", "invited"],
    ["TRUE", "invited"],
    [true, "invited"],
    [0, "new"],
    ["", "new"],
    ["false", "new"],
  ] as const) {
    it(`is ${state} with invite ${JSON.stringify(invite)}`, async () => {
      const { body } = await post({ email: "jane@example.com", invite });
      expect(body.state).to.equal(state);
    });
  }

  it("accepts query, form, and both; the body takes precedence", async () => {
    const { agent, admin: as } = fixture;
    const query = `agent=${encodeURIComponent(agent.login)}&phone=+33612345678&reference=query`;
    const asQuery = await api.call(`POST /tickets?${query}`, { as });
    expect(asQuery.status, asQuery.text).to.equal(201);
    expect(asQuery.body.requestor).to.deep.equal({ phone: "+33612345678" });
    const form = { agent: agent.login, email: "a@example.com", priority: "4", subject: "" };
    const asForm = await api.call("POST /tickets", { as, form });
    expect(asForm.status, asForm.text).to.equal(201);
    expect(asForm.body.subject).to.equal(null);
    const both = await api.call(`POST /tickets?${query}`, { as, json: { reference: "body" } });
    expect(both.body.reference).to.equal("body");
  });

  it("returns an agent link with scope sso, whose token is stored as a hash", async () => {
    const { text, body } = await post({ email: "jane@example.com", scope: "sso" });
    expect(Object.keys(body).slice(-4)).to.deep.equal([
      "agent_url",
      "sso_url",
      "name",
      "button_id",
    ]);
    const url = new URL(body.sso_url);
    expect(`${url.origin}${url.pathname}`).to.equal(
      `${testBaseUrl}/agent/entrypoint/${fixture.buttonId}/tickets/${body.id}`,
    );
    const token = url.searchParams.get("access_token") ?? "";
    const [row] = await rowsOf<Record<string, unknown>>(
      database.db,
      "SELECT kind, ticket_id, user_id, enterprise_id, expires_at FROM tokens WHERE hash = ?",
      [createHash("sha256").update(token).digest()],
    );
    expect(row, text).to.deep.equal({
      kind: "sso",
      ticket_id: body.id,
      user_id: fixture.agent.id,
      enterprise_id: fixture.enterpriseId,
      expires_at: new Date("2026-11-21T10:30:00Z"),
    });
  });

  it("moves the end of the agent link with the planned end", async () => {
    const { body } = await post({ email: "jane@example.com", scope: "sso" });
    const json = { startTime: "2026-11-30T10:00:00+00:00" };
    const changed = await api.call(`PATCH /tickets/${body.id}`, { as: fixture.admin, json });
    expect(changed.status, changed.text).to.equal(200);
    const sql = "SELECT expires_at FROM tokens WHERE ticket_id = ?";
    const rows = await rowsOf<{ expires_at: Date }>(database.db, sql, [body.id]);
    const end = new Date(changed.body.end_time).getTime() + 86_400_000;
    expect(rows).to.deep.equal([{ expires_at: new Date(end) }]);
  });

  it("creates one ticket for a repeated request with the same Idempotency-Key", async () => {
    const before = await ticketCount();
    const json = { agent: fixture.agent.login, email: "a@example.com" };
    const headers = { "idempotency-key": "create-1" };
    const first = await api.call("POST /tickets", { as: fixture.admin, json, headers });
    const second = await api.call("POST /tickets", { as: fixture.admin, json, headers });
    expect([first.status, second.status]).to.deep.equal([201, 201]);
    expect(second.text).to.equal(first.text);
    expect(second.headers.get("location")).to.equal(first.headers.get("location"));
    expect(await ticketCount()).to.equal(before + 1);
  });

  it("is rolled back when the events cannot be written", async () => {
    const before = await ticketCount();
    await rowsOf(database.db, "ALTER TABLE outbox RENAME TO outbox_away");
    try {
      expect((await post({ email: "a@example.com" })).status).to.be.at.least(500);
    } finally {
      await rowsOf(database.db, "ALTER TABLE outbox_away RENAME TO outbox");
    }
    expect(await ticketCount()).to.equal(before);
    const [row] = await rowsOf<{ n: number }>(
      database.db,
      "SELECT count(*) AS n FROM conversations WHERE id NOT IN (SELECT conversation_id FROM tickets)",
    );
    expect(row?.n).to.equal(0);
  });

  it("costs three reads, and four inserts in one transaction without BEGIN and COMMIT", async () => {
    const statements: string[] = [];
    const listen = ({ sql }: { sql: string }): void => {
      statements.push(sql);
    };
    const scope = {
      enterpriseId: fixture.enterpriseId,
      userId: fixture.admin.id,
      groupIds: [],
      reach: "all" as const,
    };
    database.db.on("query", listen);
    try {
      await api.features.tickets.create({
        scope,
        body: { agent: fixture.agent.login, email: "a@example.com" },
        after: async () => undefined,
      });
    } finally {
      database.db.removeListener("query", listen);
    }
    const words = statements.map((sql) => sql.trim().split(" ", 1)[0]);
    const inserts = ["INSERT", "INSERT", "INSERT", "WITH"];
    expect(words, statements.join("\n")).to.deep.equal([
      ...["SELECT", "SELECT", "SELECT"],
      ...inserts,
    ]);
  });
});
