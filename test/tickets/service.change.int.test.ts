import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useActing } from "../support/acting.ts";
import { useDatabase } from "../support/database.ts";
import { inWords } from "../support/tickets.ts";

describe("changing a ticket", () => {
  const database = useDatabase();
  const harness = useActing(database);
  const { create, inState, patch, eventsSince } = harness;

  for (const [from, to] of [
    ["open", "updated"],
    ["opened", "updated"],
    ["done", "updated"],
    ["updated", "updated"],
    ["new", "new"],
    ["invited", "invited"],
    ["inprogress", "inprogress"],
  ] as const) {
    it(`moves a ticket from ${from} to ${to}`, async () => {
      const id = await inState(from);
      const { status, body } = await patch(id, { subject: "Leak" });
      expect(status).to.equal(200);
      expect(body).to.include({ state: to, subject: "Leak" });
      expect(inWords(await eventsSince(id))).to.deep.equal([`ticket update ${to}`]);
    });
  }

  it("keeps the state of a ticket whose matter does not change", async () => {
    for (const from of ["open", "opened", "done"]) {
      for (const change of [{ lastname: "Doe" }, { language: "fr" }, { duration: 45 }]) {
        const { status, body } = await patch(await inState(from), change);
        expect([status, body.state]).to.deep.equal([200, from]);
      }
      for (const change of [{ reference: "R" }, { priority: 4 }, { description: "d" }]) {
        expect((await patch(await inState(from), change)).body.state).to.equal("updated");
      }
    }
  });

  for (const from of ["expired", "declined", "rejected", "closed"]) {
    it(`rejects a change of a ticket that is ${from}`, async () => {
      const { body } = await patch(await inState(from), { subject: "Leak" });
      expect(body).to.include({ status: 409, details: `Transition ${from} → updated` });
    });
  }

  it("changes only the given fields", async () => {
    const id = await create({
      phone: "+33612345678",
      subject: "a",
      reference: "r",
      duration: 10,
    });
    const { body: before } = await harness.api.call(`GET /tickets/${id}`, {
      as: harness.fixture.admin,
    });
    const { body } = await patch(id, {
      subject: null,
      description: "d",
      name: "Jane",
      type: "repair",
      email: "jd@EXAMPLE.org",
      firstname: "Jane",
      language: "de",
      startTime: "2026-12-24T10:00:00+00:00",
    });
    expect(body).to.deep.equal({
      ...before,
      modified: body.modified,
      start_time: "2026-12-24T10:00:00+00:00",
      end_time: "2026-12-24T10:10:00+00:00",
      subject: null,
      description: "d",
      name: "Jane",
      type: "repair",
      language: "de",
      requestor: { phone: "+33612345678", email: "jd@example.org", firstname: "Jane" },
    });
    const { body: read } = await harness.api.call(`GET /tickets/${id}`, {
      as: harness.fixture.admin,
    });
    expect(read).to.deep.equal(body);
    const { body: shorter } = await patch(id, { duration: 5 });
    expect(shorter.end_time).to.equal("2026-12-24T10:05:00+00:00");
  });

  it("writes an entry with the old and the new priority", async () => {
    const id = await inState("opened");
    await patch(id, { priority: 4 });
    const events = await eventsSince(id);
    expect(inWords(events)).to.deep.equal(["ticket.priorityChanged", "ticket update updated"]);
    expect(Object.entries(events[0]?.props ?? {}).slice(4)).to.deep.equal([
      ["agent", harness.fixture.person],
      ["oldPriority", 2],
      ["newPriority", 4],
    ]);
  });

  it("writes and emits nothing without a difference", async () => {
    const id = await inState("opened", { subject: "same" });
    const { body: before } = await harness.api.call(`GET /tickets/${id}`, {
      as: harness.fixture.admin,
    });
    harness.api.features.clock.advance(1_000);
    for (const json of [{}, { subject: "same", priority: 2, email: "jane@EXAMPLE.com" }]) {
      const { status, body } = await patch(id, json);
      expect(status).to.equal(200);
      expect(body).to.deep.equal(before);
    }
    expect(await eventsSince(id)).to.deep.equal([]);
  });

  it("writes nothing for the start that it was shown, which has no milliseconds", async () => {
    harness.api.features.clock.advance(789);
    const id = await create({ phone: "+33612345678" });
    const { body } = await patch(id, { startTime: (await harness.read(id)).body.start_time });
    expect(body).to.include({ state: "new" });
    expect(await eventsSince(id)).to.deep.equal([]);
  });

  it("rejects invalid input like a create, and a customer without any contact", async () => {
    const id = await create();
    for (const [json, code, field] of [
      [{ email: null }, 9, "email"],
      [{ email: "x" }, 10, "email"],
      [{ phone: "x" }, 10, "phone"],
      [{ priority: 0 }, 10, "priority"],
      [{ startTime: "soon" }, 10, "startTime"],
      [{ state: "done" }, 10, "state"],
      [{ agent: "x" }, 10, "agent"],
    ] as const) {
      const { status, body } = await patch(id, json);
      expect(status, JSON.stringify(json)).to.equal(400);
      expect(body).to.include({ code, details: `Parameter ${field}` });
    }
    await database
      .db("services")
      .where({ id: harness.fixture.service.id })
      .update({ ticket_types: ["repair"] });
    try {
      expect((await patch(id, { type: "x" })).body.details).to.equal("Parameter type");
      expect((await patch(id, { type: "repair" })).status).to.equal(200);
    } finally {
      await database
        .db("services")
        .where({ id: harness.fixture.service.id })
        .update({ ticket_types: [] });
    }
  });
});

describe("deleting a ticket", () => {
  const database = useDatabase();
  const harness = useActing(database);
  const { inState, eventsSince } = harness;

  it("hides the ticket from everyone and emits its last values", async () => {
    const id = await inState("expired");
    await database.db("tickets").where({ id }).update({ geoloc_lat: 1, geoloc_lng: 2 });
    const { status, text } = await harness.api.call(`DELETE /tickets/${id}`, {
      as: harness.fixture.admin,
    });
    expect([status, text]).to.deep.equal([204, ""]);
    const [deleted, ...rest] = await eventsSince(id);
    expect(deleted).to.deep.include({
      event: "delete",
      object: "ticket",
      objectId: id,
      props: { state: "expired", geoloc: { lat: 1, lng: 2 } },
    });
    expect(rest).to.deep.equal([]);
    for (const operation of [
      `GET /tickets/${id}`,
      `GET /tickets/${id}/events`,
      `DELETE /tickets/${id}`,
      `POST /tickets/${id}/close`,
    ]) {
      expect(
        (await harness.api.call(operation, { as: harness.fixture.admin })).status,
        operation,
      ).to.equal(404);
    }
    const { body } = await harness.api.call("GET /tickets", { as: harness.fixture.admin });
    expect(body.data.map((ticket: { id: number }) => ticket.id)).not.to.include(id);
    const [row] = await rowsOf(database.db, "SELECT id FROM tickets WHERE id = ?", [id]);
    expect(row, "the row stays until it is purged").to.deep.equal({ id });
  });

  it("is rejected while a session is running", async () => {
    const id = await inState("inprogress");
    const { body } = await harness.api.call(`DELETE /tickets/${id}`, { as: harness.fixture.admin });
    expect(body).to.include({ status: 409, details: "Transition inprogress → deleted" });
  });
});
