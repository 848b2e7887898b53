import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { useDatabase } from "../support/database.ts";
import { aTicketRow } from "../support/media-rows.ts";
import { openSendTasks, smsEventsAbout, useMessageApi, useMessaging } from "../support/messages.ts";
import { aTestUser, aTicketFixture, type TestUser } from "../support/tickets.ts";

const created = "2026-11-20T10:00:00+00:00";

describe("the operations of SMS and mails", () => {
  const database = useDatabase();
  let isAllowed = true;
  const harness = useMessaging(database, () => ({
    smsLimit: { take: async () => ({ isAllowed, limit: 30, remaining: 0, resetSeconds: 12 }) },
  }));
  const call = useMessageApi(database, harness);
  beforeEach(() => {
    isAllowed = true;
  });

  const as = (user: TestUser, json?: unknown, headers?: Record<string, string>) => ({
    as: user,
    ...(json === undefined ? {} : { json }),
    ...(headers === undefined ? {} : { headers }),
  });
  const post = (path: string, json: unknown, headers?: Record<string, string>) =>
    call(`POST ${path}`, as(harness.fixture.admin, json, headers));
  const get = (path: string) => call(`GET ${path}`, as(harness.fixture.admin));

  it("queue an SMS and return it", async () => {
    const answer = await post("/sms", { to: "0033612345678", text: "Bonjour" });
    const { id } = answer.body;
    expect(answer.status).to.equal(201);
    expect(answer.headers.get("location")).to.equal(`/api/sms/${id}`);
    expect(answer.body).to.deep.equal({
      id,
      status: "queued",
      to: "+33612345678",
      sender: "",
      text: "Bonjour",
      segments: 1,
      error: null,
      ticketId: null,
      conferenceId: null,
      created,
      modified: created,
      sent: null,
    });
    expect(await openSendTasks(database.db)).to.include(id);
    expect((await get(`/sms/${id}`)).body).to.deep.equal(answer.body);
    expect((await get(`/emails/${id}`)).status).to.equal(404);
  });

  it("queue a mail, and show it as sent afterwards", async () => {
    const mail = { to: "Ann@Customer.EXAMPLE", subject: "Hi", text: "Hello", html: "<b>x</b>" };
    const answer = await post("/emails", mail);
    const { id } = answer.body;
    expect(answer.body).to.deep.equal({
      id,
      status: "queued",
      to: "Ann@customer.example",
      sender: "Sightline <no-reply@sightline.example>",
      subject: "Hi",
      text: "Hello",
      html: "<b>x</b>",
      error: null,
      ticketId: null,
      conferenceId: null,
      created,
      modified: created,
      sent: null,
    });
    await harness.send(id);
    const { body } = await get(`/emails/${id}`);
    expect(body).to.include({ status: "sent", sent: created });
    expect((await get(`/sms/${id}`)).status).to.equal(404);
  });

  it("send once per Idempotency-Key", async () => {
    const key = { "idempotency-key": `k-${harness.fixture.enterpriseId}` };
    const body = { to: "+33612345678", text: "once" };
    const first = await post("/sms", body, key);
    const second = await post("/sms", body, key);
    expect(second.status).to.equal(201);
    expect(second.body).to.deep.equal(first.body);
    expect((await get("/sms")).body.total).to.equal(1);
  });

  it("list by status, recipient and day, newest first, by page", async () => {
    const [first, second, third] = await harness.queue(
      { recipient: "+33612345671" },
      { recipient: "+33612345672" },
      { recipient: "+33612345671" },
    );
    await harness.send(first ?? 0);
    const ids = async (query: string): Promise<number[]> =>
      (await get(`/sms${query}`)).body.data.map(({ id }: { id: number }) => id);
    expect(await ids("")).to.deep.equal([third, second, first]);
    expect(await ids("?order=asc&orderby=id")).to.deep.equal([first, second, third]);
    expect(await ids("?status=sent")).to.deep.equal([first]);
    expect(await ids("?status=sent,queued&to=%2B33612345671")).to.deep.equal([third, first]);
    expect(await ids("?since=2026-11-21")).to.deep.equal([]);
    expect(await ids("?until=2026-11-21")).to.have.lengthOf(3);
    const page = await get("/sms?limit=2&offset=1");
    expect(page.body.total).to.equal(3);
    expect(page.body.data).to.have.lengthOf(2);
    expect(page.headers.get("x-total-count")).to.equal("3");
    expect((await get("/emails")).body).to.deep.equal({ total: 0, data: [] });
  });

  it("name the invalid field", async () => {
    const faults = [
      ["/sms", { text: "x" }, 9, "to"],
      ["/sms", { to: "0612345678", text: "x" }, 10, "to"],
      ["/sms", { to: "+33612345678" }, 9, "text"],
      ["/sms", { to: "+33612345678", text: "x", templateId: 1 }, 10, "templateId"],
      ["/sms", { to: "+33612345678", templateId: 999_999 }, 10, "templateId"],
      ["/sms", { to: "+33612345678", text: "x", ticketId: 999_999 }, 10, "ticketId"],
      ["/sms", { to: "+33612345678", text: "x".repeat(1_531) }, 10, "text"],
      ["/emails", { to: "nobody", subject: "s", text: "t" }, 10, "to"],
      ["/emails", { to: "a@b.example", text: "t" }, 9, "subject"],
      ["/emails", { to: "a@b.example", subject: "a\nb", text: "t" }, 10, "subject"],
    ] as const;
    for (const [path, body, code, field] of faults) {
      const answer = await post(path, body);
      expect([answer.status, answer.body.code, answer.body.errors[0].field]).to.deep.equal([
        400,
        code,
        field,
      ]);
    }
    for (const query of ["status=gone", "to=x", "since=yesterday", "limit=101"]) {
      expect((await get(`/sms?${query}`)).body.code, query).to.equal(10);
    }
    expect((await get("/sms")).body.total).to.equal(0);
  });

  it("reject SMS over the rate limit and over the daily quota", async () => {
    isAllowed = false;
    const limited = await post("/sms", { to: "+33612345678", text: "x" });
    expect([limited.status, limited.body.code]).to.deep.equal([429, 12]);
    expect(limited.headers.get("retry-after")).to.equal("12");
    isAllowed = true;
    const sql = "UPDATE enterprises SET max_sms_per_day = 0 WHERE id = ?";
    await rowsOf(database.db, sql, [harness.fixture.enterpriseId]);
    const refused = await post("/sms", { to: "+33612345678", text: "x" });
    expect([refused.status, refused.body.code]).to.deep.equal([403, 16]);
    expect((await post("/emails", { to: "a@b.example", subject: "s", text: "t" })).status).to.equal(
      201,
    );
  });

  it("check permissions, and hide other enterprises' messages", async () => {
    const [id = 0] = await harness.queue({});
    const stranger = await aTicketFixture(database.db);
    expect((await call(`GET /sms/${id}`, { as: stranger.admin })).status).to.equal(404);
    expect((await call("GET /sms", { as: stranger.admin })).body.total).to.equal(0);
    const manager = await aTestUser(database.db, harness.fixture.enterpriseId, "manager");
    expect((await call("GET /sms", { as: manager })).body.code).to.equal(6);
    expect(
      (await call("POST /sms", as(manager, { to: "+33612345678", text: "x" }))).status,
    ).to.equal(403);
    expect((await call("GET /sms")).status).to.equal(401);
  });

  it("never show a private mail", async () => {
    const { enterpriseId } = harness.fixture;
    await database.db.transaction((trx) =>
      harness.features.messaging.queueMail(trx, {
        enterpriseId,
        to: "ann@x.example",
        subject: "Choose your password",
        text: "https://x.example/secret",
        createdBy: null,
      }),
    );
    expect((await get("/emails")).body.total).to.equal(0);
    const [row] = await rowsOf<{ id: number }>(
      database.db,
      "SELECT id FROM messages WHERE enterprise_id = ?",
      [enterpriseId],
    );
    expect((await get(`/emails/${row?.id}`)).status).to.equal(404);
    expect(await openSendTasks(database.db)).to.include(row?.id);
  });

  it("never show the invitation of an expert, whose link is a secret, but report its SMS", async () => {
    const { enterpriseId, service, agent } = harness.fixture;
    const { id: ticketId } = await aTicketRow(database.db, harness.fixture);
    const link = "https://x.example/x/YLeYT96rbpz3AI4Y5ILPy8";
    const sent = await inTransaction(database.db, (trx) =>
      harness.features.messaging.invitations.inviteExpert(trx, {
        ...{ enterpriseId, serviceId: service.id, ticketId, language: "en" },
        ...{ email: "vera@x.example", phone: "+33612345678" },
        variables: { link, name: "Vera", agentName: "Ada", subject: "" },
        createdBy: agent.id,
        at: harness.features.clock.now(),
      }),
    );
    const [mail = 0, sms = 0] = sent.map(({ messageId }) => messageId);
    expect((await harness.find(mail)).text).to.contain(link);
    expect((await harness.find(sms)).text).to.contain(link);
    for (const path of ["/emails", "/sms", `/emails?ticketId=${ticketId}`]) {
      expect((await get(path)).body, path).to.deep.equal({ total: 0, data: [] });
    }
    expect((await get(`/emails/${mail}`)).status).to.equal(404);
    expect((await get(`/sms/${sms}`)).status).to.equal(404);
    await harness.send(sms);
    expect(await smsEventsAbout(database.db, sms)).to.deep.equal([
      `smsmessage create ${sms} {}`,
      `smsmessage update ${sms} {}`,
    ]);
  });

  it("fill a template with the given values, and require each of its variables", async () => {
    const { admin, service } = harness.fixture;
    const put = await call(`PUT /service/${service.id}/templates`, {
      as: admin,
      json: {
        kind: "ticket",
        channel: "sms",
        language: "en",
        text: "Dear {{firstname}} & co: {{link}}",
      },
    });
    const templateId = put.body.id;
    const to = "+33612345678";
    const variables = { firstname: "Ann", link: "https://x.example/v/1" };
    const sent = await post("/sms", { to, templateId, variables });
    expect(sent.body.text).to.equal("Dear Ann & co: https://x.example/v/1");
    const missing = await post("/sms", { to, templateId, variables: { link: "x" } });
    expect([missing.body.code, missing.body.errors[0].field]).to.deep.equal([
      9,
      "variables.firstname",
    ]);
    const unknown = await post("/sms", { to, templateId, variables: { ...variables, age: "7" } });
    expect([unknown.body.code, unknown.body.errors[0].field]).to.deep.equal([10, "variables.age"]);
    const text = `${"{{firstname}} ".repeat(20)}{{link}}`;
    const json = { kind: "ticket", channel: "sms", language: "en", text };
    const { body } = await call(`PUT /service/${service.id}/templates`, { as: admin, json });
    const firstname = "x".repeat(100);
    const long = await post("/sms", {
      to,
      templateId: body.id,
      variables: { firstname, link: "x" },
    });
    expect([long.body.code, long.body.errors[0]]).to.deep.equal([
      10,
      { field: "variables", reason: "length" },
    ]);
  });

  it("accept only a ticket of the enterprise", async () => {
    const mine = await aTicketRow(database.db, harness.fixture);
    const foreign = await aTicketRow(database.db, await aTicketFixture(database.db));
    const sms = { to: "+33612345678", text: "x" };
    const { body } = await post("/sms", { ...sms, ticketId: mine.id });
    expect(body.ticketId).to.equal(mine.id);
    expect((await get(`/sms?ticketId=${mine.id}`)).body.total).to.equal(1);
    expect((await post("/sms", { ...sms, ticketId: foreign.id })).body.code).to.equal(10);
  });
});
