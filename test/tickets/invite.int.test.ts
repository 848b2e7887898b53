import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useActing } from "../support/acting.ts";
import { testBaseUrl } from "../support/api.ts";
import { useDatabase } from "../support/database.ts";
import { aTemplate } from "../support/factories.ts";
import { forceState, inWords, eventsAbout } from "../support/tickets.ts";

const minute = 60_000;
const contacts = { email: "jane@example.com", phone: "+33612345678" };
const jane = { ...contacts, firstname: "Jane", lastname: "" };

describe("inviting a customer", () => {
  const database = useDatabase();
  const harness = useActing(database);

  const invite = (id: number, json: unknown = {}, as = harness.fixture.agent) =>
    harness.api.call(`POST /tickets/${id}/invitations`, { as, json });

  const rowOf = async (id: number) => {
    const [row] = await rowsOf<Record<string, unknown>>(
      database.db,
      `SELECT state, last_invited_at, ages_at, modified_at FROM tickets WHERE id = ?`,
      [id],
    );
    return row;
  };

  const messagesOf = (id: number) =>
    rowsOf<{ channel: string; recipient: string; status: string; text: string }>(
      database.db,
      "SELECT channel, recipient, status, text FROM messages WHERE ticket_id = ? ORDER BY id",
      [id],
    );

  it("is one transaction with the creation: messages, entries and state, mail first", async () => {
    const id = await harness.create({ ...contacts, firstname: "Jane", invite: 1 });
    const events = await eventsAbout(database.db, id);
    const time = Date.parse("2026-11-20T10:00:00Z") / 1000;
    const common = { ticketId: id, conversationId: events[1]?.props["conversationId"] };
    const entry = (index: number, props: object) => ({
      event: "create",
      time,
      object: "conversationevent",
      objectId: events[index]?.objectId,
      props,
    });
    const { person: agent } = harness.fixture;
    const sent = { eventType: "ticket.invitationSent", eventCode: 10, ...common, requestor: jane };
    expect(JSON.stringify(events)).to.equal(
      JSON.stringify([
        { event: "create", time, object: "ticket", objectId: id, props: { state: "invited" } },
        entry(1, { eventType: "ticket.new", eventCode: 1, ...common, agent }),
        entry(2, { eventType: "ticket.assigned", eventCode: 3, ...common, agent }),
        entry(3, sent),
        entry(4, sent),
      ]),
    );
    const { body } = await harness.read(id);
    const messages = await messagesOf(id);
    expect(
      messages.map(({ channel, recipient, status }) => [channel, recipient, status]),
    ).to.deep.equal([
      ["email", contacts.email, "queued"],
      ["sms", contacts.phone, "queued"],
    ]);
    for (const { text } of messages) {
      expect(text).to.include(body.requestor_url);
    }
    const at = new Date("2026-11-20T10:00:00Z");
    expect(await rowOf(id)).to.deep.equal({
      state: "invited",
      last_invited_at: at,
      ages_at: new Date("2026-11-21T10:00:00Z"),
      modified_at: at,
    });
  });

  it("returns the ticket, emits the entries first, and restarts the validity", async () => {
    const id = await harness.create({ ...contacts, firstname: "Jane" });
    expect((await rowOf(id))?.["last_invited_at"]).to.equal(null);
    const { body: before } = await harness.read(id);
    harness.api.features.clock.advance(minute);
    const { status, body } = await invite(id);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      ...before,
      state: "invited",
      status: "invited",
      modified: body.modified,
    });
    const now = harness.api.features.clock.now();
    expect(await rowOf(id)).to.deep.equal({
      state: "invited",
      last_invited_at: now,
      ages_at: new Date(now.getTime() + 24 * 60 * minute),
      modified_at: now,
    });
    const notified = await harness.eventsSince(id);
    expect(inWords(notified)).to.deep.equal([
      "ticket.invitationSent",
      "ticket.invitationSent",
      "ticket update invited",
    ]);
    expect(notified[0]?.props["requestor"]).to.deep.equal(jane);
  });

  for (const [channels, words] of [
    ["email", ["ticket.invitationSent"]],
    ["sms", ["ticket.invitationSent"]],
    [" sms , email", ["ticket.invitationSent", "ticket.invitationSent"]],
    ["", ["ticket.invitationSent", "ticket.invitationSent"]],
  ] as const) {
    it(`uses ${JSON.stringify(channels)} as requested, in query or body`, async () => {
      const id = await harness.create(contacts);
      const query = `channels=${encodeURIComponent(channels)}`;
      const answer = await harness.api.call(`POST /tickets/${id}/invitations?${query}`, {
        as: harness.fixture.agent,
      });
      expect(answer.status, answer.text).to.equal(200);
      expect(inWords(await harness.eventsSince(id)).slice(0, -1)).to.deep.equal(words);
    });
  }

  it("uses the channels of the creation", async () => {
    const create = (json: Record<string, unknown>) =>
      harness.api.call("POST /tickets", {
        as: harness.fixture.admin,
        json: { agent: harness.fixture.agent.login, invite: 1, channels: "sms", ...json },
      });
    const { body } = await create(contacts);
    expect((await messagesOf(body.id)).map(({ channel }) => channel)).to.deep.equal(["sms"]);
    for (const wrong of [{ email: contacts.email }, { ...contacts, channels: "fax" }]) {
      const { body: refused } = await create(wrong);
      expect(refused).to.include({ status: 400, code: 10, details: "Parameter channels" });
    }
  });

  it("is a resend on a used channel, and a first invitation on another", async () => {
    const id = await harness.create({ ...contacts });
    await invite(id, { channels: "email" });
    harness.api.features.clock.advance(minute);
    expect((await invite(id)).status).to.equal(200);
    expect(inWords(await harness.eventsSince(id))).to.deep.equal([
      "ticket.invitationSent",
      "ticket update invited",
      "ticket.invitationResent",
      "ticket.invitationSent",
      "ticket update invited",
    ]);
    const [, , resent] = await harness.eventsSince(id);
    expect(resent?.props["eventCode"]).to.equal(11);
  });

  it("is rolled back if it is repeated too soon", async () => {
    const id = await harness.create({ ...contacts, invite: 1 });
    const before = await rowOf(id);
    harness.api.features.clock.advance(59_000);
    expect((await invite(id)).body).to.include({ status: 409, code: 11 });
    expect(await rowOf(id)).to.deep.equal(before);
    expect(await messagesOf(id)).to.have.length(2);
  });

  it("uses the template of the ticket until it is deleted", async () => {
    const { admin, agent, enterpriseId } = harness.fixture;
    const templateId = await aTemplate(database.db, enterpriseId, "ticket");
    const json = { agent: agent.login, ...contacts, templateId };
    const create = (more: object) =>
      harness.api.call("POST /tickets", { as: admin, json: { ...json, ...more } });
    const { body: ticket } = await create({});
    expect((await invite(ticket.id)).status).to.equal(200);
    await rowsOf(database.db, "DELETE FROM templates WHERE id = ?", [templateId]);
    harness.api.features.clock.advance(minute);
    expect((await invite(ticket.id)).status).to.equal(200);
    const texts = (await messagesOf(ticket.id))
      .filter(({ channel }) => channel === "sms")
      .map(({ text }) => text === "Ours");
    expect(texts).to.deep.equal([true, false]);
    harness.api.features.clock.advance(minute);
    for (const { body: refused } of [
      await invite(ticket.id, { templateId }),
      await create({ invite: 1 }),
    ]) {
      expect(refused).to.include({ status: 400, code: 10, details: "Parameter templateId" });
    }
  });

  for (const [what, more, body, details] of [
    ["an unknown channel", contacts, { channels: "fax" }, "Parameter channels"],
    ["a channel without a contact", {}, { channels: "sms" }, "Parameter channels"],
    ["an unknown template", contacts, { templateId: 999_999 }, "Parameter templateId"],
    ["an unknown language", contacts, { language: "xx" }, "Parameter language"],
  ] as const) {
    it(`rejects ${what}, and sends nothing`, async () => {
      const id = await harness.create({ ...more });
      const answer = await invite(id, body);
      expect(answer.body, answer.text).to.include({ status: 400, code: 10, details });
      expect((await rowOf(id))?.["state"]).to.equal("new");
      expect(await messagesOf(id)).to.deep.equal([]);
    });
  }

  for (const from of ["new", "open", "opened", "updated", "expired", "declined", "invited"]) {
    it(`moves from ${from} to invited`, async () => {
      const id = await harness.inState(from);
      expect((await invite(id)).body).to.include({ state: "invited" });
    });
  }

  for (const from of ["inprogress", "done", "rejected", "closed"]) {
    it(`is rejected while the ticket is ${from}`, async () => {
      const id = await harness.inState(from);
      const { body } = await invite(id);
      expect(body).to.include({ status: 409, details: `Transition ${from} → invited` });
      expect(await messagesOf(id)).to.deep.equal([]);
    });
  }

  it("uses the requested language, else the customer's", async () => {
    const id = await harness.create({ language: "fr" });
    await invite(id, { language: "de" });
    harness.api.features.clock.advance(minute);
    await invite(id);
    const [german, french] = await messagesOf(id);
    expect(german?.text).to.not.equal(french?.text);
    const link = (await harness.read(id)).body.requestor_url;
    expect(link).to.match(new RegExp(`^${testBaseUrl}/v/`, "u"));
  });

  it("plans the reminder of a future ticket, and moves it with the start", async () => {
    const { enterpriseId } = harness.fixture;
    await database
      .db("services")
      .where({ enterprise_id: enterpriseId })
      .update({ reminder_minutes: 30 });
    const dueOf = async (id: number) =>
      (
        await rowsOf<{ due_at: Date }>(
          database.db,
          "SELECT due_at FROM tasks WHERE kind = 'ticket.reminder' AND key = ? AND state = 'waiting'",
          [`ticket:${id}`],
        )
      ).map(({ due_at: dueAt }) => dueAt);
    const ahead = { startTime: "2026-12-24T12:00:00Z" };
    const created = await harness.create({ ...ahead, invite: 1 });
    expect(await dueOf(created)).to.deep.equal([new Date("2026-12-24T11:30:00Z")]);
    await harness.patch(created, { startTime: "2026-12-25T12:00:00Z" });
    expect(await dueOf(created)).to.deep.equal([new Date("2026-12-25T11:30:00Z")]);
    const later = await harness.create(ahead);
    expect(await dueOf(later)).to.deep.equal([]);
    await invite(later);
    expect(await dueOf(later)).to.deep.equal([new Date("2026-12-24T11:30:00Z")]);
    const now = await harness.create({ invite: 1 });
    expect(await dueOf(now)).to.deep.equal([]);
    await database
      .db("services")
      .where({ enterprise_id: enterpriseId })
      .update({ reminder_minutes: null });
    expect(await dueOf(await harness.create({ ...ahead, invite: 1 }))).to.deep.equal([]);
  });

  it("requires that the ticket is the agent's own", async () => {
    const id = await harness.create();
    await forceState(database.db, id, "new");
    const { agent } = harness.fixture;
    await database.db("tickets").where({ id }).update({ agent_id: harness.fixture.admin.id });
    expect((await invite(id, {}, agent)).status).to.equal(403);
  });
});
