import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import {
  aTestUser,
  aTicketWorld,
  forceState,
  inWords,
  toldAbout,
  useTicketApi,
  type TestUser,
  type TicketWorld,
} from "../support/tickets.ts";

describe("acting on a ticket", () => {
  const database = useDatabase();
  const api = useTicketApi(database);
  let world: TicketWorld;
  before(async () => {
    world = await aTicketWorld(database.db);
  });

  const create = async (more: Record<string, unknown> = {}): Promise<number> => {
    const json = { agent: world.agent.login, email: "jane@example.com", ...more };
    const { status, body } = await api.call("POST /tickets", { as: world.admin, json });
    expect(status).to.equal(201);
    return body.id;
  };

  const inState = async (state: string, more: Record<string, unknown> = {}): Promise<number> => {
    const id = await create(more);
    await forceState(database.db, id, state);
    return id;
  };

  const act = (id: number, action: string, as: TestUser = world.admin, json?: unknown) =>
    api.call(`POST /tickets/${id}/${action}`, { as, ...(json === undefined ? {} : { json }) });

  /** What was told after the create. */
  const toldSince = async (id: number, skip = 3) => (await toldAbout(database.db, id)).slice(skip);

  const moves: [string, string, string, number, string][] = [
    // action, from, to, code of the entry, its type
    ["approve", "new", "open", 2, "ticket.approved"],
    ["reject", "new", "rejected", 5, "ticket.cancelled"],
    ["reject", "open", "rejected", 5, "ticket.cancelled"],
    ["complete", "inprogress", "done", 4, "ticket.completed"],
    ["cancel", "new", "closed", 5, "ticket.cancelled"],
    ["cancel", "open", "closed", 5, "ticket.cancelled"],
    ["cancel", "opened", "closed", 5, "ticket.cancelled"],
    ["cancel", "updated", "closed", 5, "ticket.cancelled"],
    ["cancel", "invited", "closed", 5, "ticket.cancelled"],
    ["cancel", "inprogress", "closed", 5, "ticket.cancelled"],
    ["close", "done", "closed", 6, "ticket.closed"],
    ["close", "rejected", "closed", 6, "ticket.closed"],
    ["close", "declined", "closed", 6, "ticket.closed"],
    ["close", "expired", "closed", 6, "ticket.closed"],
  ];
  for (const [action, from, to, eventCode, eventType] of moves) {
    it(`${action} leads from ${from} to ${to} and tells the entry before the ticket`, async () => {
      const id = await inState(from);
      api.slices.clock.advance(1_000);
      const { status, body } = await act(id, action);
      expect(status).to.equal(200);
      expect(body).to.include({ id, state: to, status: to });
      expect(Date.parse(body.modified)).to.be.greaterThan(Date.parse(body.created));
      const [entry, ticket, ...rest] = await toldSince(id);
      expect(entry?.props).to.deep.include({ eventType, eventCode, agent: world.person });
      expect(ticket).to.deep.include({ event: "update", object: "ticket", props: { state: to } });
      expect(rest).to.deep.equal([]);
    });
  }

  it("shows a changed ticket with the fields of a created one", async () => {
    const id = await inState("new");
    const { body } = await act(id, "approve");
    const { body: read } = await api.call(`GET /tickets/${id}`, { as: world.admin });
    const { body: made } = await api.call("POST /tickets", {
      as: world.admin,
      json: { agent: world.agent.login, email: "jane@example.com" },
    });
    expect(Object.keys(body)).to.deep.equal(Object.keys(made));
    expect(JSON.stringify(read)).to.equal(JSON.stringify(body));
  });

  const refusals: [string, string, string][] = [
    ["approve", "opened", "open"],
    ["reject", "done", "rejected"],
    ["take", "opened", "opened"],
    ["take", "invited", "opened"],
    ["complete", "new", "done"],
    ["cancel", "done", "closed"],
    ["close", "new", "closed"],
    ["close", "closed", "closed"],
    ["cancel", "closed", "closed"],
  ];
  for (const [action, from, wanted] of refusals) {
    it(`refuses to ${action} a ticket that is ${from}, with a 409 and nothing told`, async () => {
      const id = await inState(from);
      const { status, body } = await act(id, action);
      expect(status).to.equal(409);
      expect(body).to.include({ code: 11, details: `Transition ${from} → ${wanted}` });
      expect(await toldSince(id)).to.deep.equal([]);
      const { body: read } = await api.call(`GET /tickets/${id}`, { as: world.admin });
      expect(read.state).to.equal(from);
    });
  }

  it("keeps why a ticket was closed", async () => {
    const reasonAfter = async (from: string, action: string): Promise<unknown> => {
      const id = await inState(from);
      await act(id, action);
      const [row] = await rowsOf<{ close_reason: unknown }>(
        database.db,
        "SELECT close_reason FROM tickets WHERE id = ?",
        [id],
      );
      return row?.close_reason;
    };
    expect(await reasonAfter("opened", "cancel")).to.equal("cancelled");
    expect(await reasonAfter("done", "close")).to.equal("closed");
    expect(await reasonAfter("new", "reject")).to.equal(null);
  });

  it("ends the agent's link when the ticket is closed or deleted, and not before", async () => {
    const tokensOf = async (id: number): Promise<number> =>
      (await rowsOf(database.db, "SELECT 1 FROM tokens WHERE ticket_id = ?", [id])).length;
    const id = await create({ scope: "sso" });
    await act(id, "approve");
    expect(await tokensOf(id)).to.equal(1);
    await act(id, "cancel");
    expect(await tokensOf(id)).to.equal(0);
    const other = await create({ scope: "sso" });
    await api.call(`DELETE /tickets/${other}`, { as: world.admin });
    expect(await tokensOf(other)).to.equal(0);
  });

  it("shows the last position with the ticket once there is one", async () => {
    const id = await inState("done");
    await database.db("tickets").where({ id }).update({ geoloc_lat: 48.65, geoloc_lng: -3.36 });
    await act(id, "close");
    const [, ticket] = await toldSince(id);
    expect(JSON.stringify(ticket?.props)).to.equal(
      JSON.stringify({ state: "closed", geoloc: { lat: 48.65, lng: -3.36 } }),
    );
  });

  it("shows who acted where the ticket has no agent", async () => {
    const id = await inState("open");
    await database.db("tickets").where({ id }).update({ agent_id: null });
    const boss = await aTestUser(database.db, world.enterpriseId, "admin", {
      person: { firstname: "Bo", lastname: "Boss" },
    });
    const { body } = await act(id, "reject", boss);
    expect(body.agent).to.equal("");
    const [entry] = await toldSince(id);
    expect(entry?.props["agent"]).to.include({ firstname: "Bo", lastname: "Boss" });
  });

  describe("taking", () => {
    it("needs no entry when its own agent takes it", async () => {
      const id = await create();
      const { body } = await act(id, "take", world.agent);
      expect(body).to.include({ state: "opened", agent: world.agent.login });
      expect(inWords(await toldSince(id))).to.deep.equal(["ticket update opened"]);
    });

    it("makes another agent the ticket's agent, with an entry that shows the new one", async () => {
      const id = await inState("updated");
      const boss = await aTestUser(database.db, world.enterpriseId, "admin", {
        isAgent: true,
        person: { firstname: "Bo" },
      });
      const { body } = await act(id, "take", boss);
      expect(body).to.include({ state: "opened", agent: boss.login });
      const told = await toldSince(id);
      expect(inWords(told)).to.deep.equal(["ticket.assigned", "ticket update opened"]);
      expect(told[0]?.props["agent"]).to.include({ firstname: "Bo" });
    });

    it("is done for the ticket's agent by a caller who is none", async () => {
      const id = await create();
      const { body } = await act(id, "take", world.admin);
      expect(body).to.include({ state: "opened", agent: world.agent.login });
    });

    it("is refused to a caller who is no agent where there is no agent either", async () => {
      const id = await inState("open");
      await database.db("tickets").where({ id }).update({ agent_id: null });
      const { body } = await act(id, "take", world.admin);
      expect(body).to.include({ status: 403, code: 6 });
    });
  });

  describe("transferring", () => {
    const transfer = (id: number, login: string, as = world.admin) =>
      api.call(`PUT /tickets/${id}/agent`, { as, json: { agent: login } });

    for (const from of ["new", "opened", "inprogress", "expired", "done"]) {
      it(`keeps a ticket ${from} and everything else but the agent`, async () => {
        const id = await inState(from);
        const { body: before } = await api.call(`GET /tickets/${id}`, { as: world.admin });
        const next = await aTestUser(database.db, world.enterpriseId, "agent", {
          person: { firstname: "Nia" },
        });
        const { status, body } = await transfer(id, next.login.toUpperCase());
        expect(status).to.equal(200);
        expect(body).to.deep.equal({ ...before, agent: next.login, modified: body.modified });
        const told = await toldSince(id);
        expect(inWords(told)).to.deep.equal(["ticket.assigned", `ticket update ${from}`]);
        expect(told[0]?.props["agent"]).to.include({ firstname: "Nia" });
      });
    }

    it("tells nothing when the agent is the same", async () => {
      const id = await create();
      expect((await transfer(id, world.agent.login)).status).to.equal(200);
      expect(await toldSince(id)).to.deep.equal([]);
    });

    it("refuses an unknown, foreign or inactive agent, and a ticket that is over", async () => {
      const id = await create();
      const other = await aTicketWorld(database.db);
      for (const login of ["nobody", other.agent.login, world.admin.login]) {
        const { body } = await transfer(id, login);
        expect(body).to.include({ status: 400, code: 10, details: "Parameter agent" });
      }
      await forceState(database.db, id, "closed");
      const { body } = await transfer(id, world.agent.login);
      expect(body).to.include({ status: 409, details: "Transition closed → closed" });
    });
  });

  describe("changing", () => {
    const patch = (id: number, json: unknown, as = world.admin) =>
      api.call(`PATCH /tickets/${id}`, { as, json });

    for (const [from, to] of [
      ["open", "updated"],
      ["opened", "updated"],
      ["done", "updated"],
      ["updated", "updated"],
      ["new", "new"],
      ["invited", "invited"],
      ["inprogress", "inprogress"],
    ] as const) {
      it(`leaves a ticket that was ${from} ${to}`, async () => {
        const id = await inState(from);
        const { status, body } = await patch(id, { subject: "Leak" });
        expect(status).to.equal(200);
        expect(body).to.include({ state: to, subject: "Leak" });
        expect(inWords(await toldSince(id))).to.deep.equal([`ticket update ${to}`]);
      });
    }

    for (const from of ["expired", "declined", "rejected", "closed"]) {
      it(`refuses to change a ticket that is ${from}`, async () => {
        const { body } = await patch(await inState(from), { subject: "Leak" });
        expect(body).to.include({ status: 409, details: `Transition ${from} → updated` });
      });
    }

    it("changes what is named and nothing else", async () => {
      const id = await create({
        phone: "+33612345678",
        subject: "a",
        reference: "r",
        duration: 10,
      });
      const { body: before } = await api.call(`GET /tickets/${id}`, { as: world.admin });
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
        requestor: { phone: "+33612345678", email: "jd@example.org", firstname: "Jane" },
      });
      const { body: read } = await api.call(`GET /tickets/${id}`, { as: world.admin });
      expect(read).to.deep.equal(body);
      const { body: shorter } = await patch(id, { duration: 5 });
      expect(shorter.end_time).to.equal("2026-12-24T10:05:00+00:00");
    });

    it("tells a new priority by an entry with the old and the new one", async () => {
      const id = await inState("opened");
      await patch(id, { priority: 4 });
      const told = await toldSince(id);
      expect(inWords(told)).to.deep.equal(["ticket.priorityChanged", "ticket update updated"]);
      expect(Object.entries(told[0]?.props ?? {}).slice(4)).to.deep.equal([
        ["agent", world.person],
        ["oldPriority", 2],
        ["newPriority", 4],
      ]);
    });

    it("tells nothing and touches nothing when nothing differs", async () => {
      const id = await inState("opened", { subject: "same" });
      const { body: before } = await api.call(`GET /tickets/${id}`, { as: world.admin });
      api.slices.clock.advance(1_000);
      for (const json of [{}, { subject: "same", priority: 2, email: "jane@EXAMPLE.com" }]) {
        const { status, body } = await patch(id, json);
        expect(status).to.equal(200);
        expect(body).to.deep.equal(before);
      }
      expect(await toldSince(id)).to.deep.equal([]);
    });

    it("refuses what a create would refuse, and a customer without any contact", async () => {
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
        .where({ id: world.service.id })
        .update({ ticket_types: ["repair"] });
      try {
        expect((await patch(id, { type: "x" })).body.details).to.equal("Parameter type");
        expect((await patch(id, { type: "repair" })).status).to.equal(200);
      } finally {
        await database.db("services").where({ id: world.service.id }).update({ ticket_types: [] });
      }
    });
  });

  describe("deleting", () => {
    it("hides the ticket from everybody and tells its last values", async () => {
      const id = await inState("expired");
      await database.db("tickets").where({ id }).update({ geoloc_lat: 1, geoloc_lng: 2 });
      const { status, text } = await api.call(`DELETE /tickets/${id}`, { as: world.admin });
      expect([status, text]).to.deep.equal([204, ""]);
      const [ticket, ...rest] = await toldSince(id);
      expect(ticket).to.deep.include({
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
        expect((await api.call(operation, { as: world.admin })).status, operation).to.equal(404);
      }
      const { body } = await api.call("GET /tickets", { as: world.admin });
      expect(body.data.map((ticket: { id: number }) => ticket.id)).not.to.include(id);
      const [row] = await rowsOf(database.db, "SELECT id FROM tickets WHERE id = ?", [id]);
      expect(row, "the row stays until it is purged").to.deep.equal({ id });
    });

    it("is refused while a session is going on", async () => {
      const id = await inState("inprogress");
      const { body } = await api.call(`DELETE /tickets/${id}`, { as: world.admin });
      expect(body).to.include({ status: 409, details: "Transition inprogress → deleted" });
    });
  });

  describe("two callers at once", () => {
    const race = async (from: string, calls: (id: number) => Promise<{ status: number }>[]) => {
      const id = await inState(from);
      const answers = await Promise.all(calls(id));
      return { id, statuses: answers.map(({ status }) => status).toSorted((a, b) => a - b) };
    };

    for (let round = 1; round <= 5; round += 1) {
      it(`take: one wins, the other gets a 409, and it is told once (round ${round})`, async () => {
        const { enterpriseId } = world;
        const one = await aTestUser(database.db, enterpriseId, "admin", { isAgent: true });
        const two = await aTestUser(database.db, enterpriseId, "admin", { isAgent: true });
        const { id, statuses } = await race("new", (ticket) => [
          act(ticket, "take", one),
          act(ticket, "take", two),
        ]);
        expect(statuses).to.deep.equal([200, 409]);
        expect(inWords(await toldSince(id))).to.deep.equal([
          "ticket.assigned",
          "ticket update opened",
        ]);
      });

      it(`close: one wins, the others get a 409, and it is told once (round ${round})`, async () => {
        const { id, statuses } = await race("done", (ticket) =>
          [1, 2, 3, 4].map(() => act(ticket, "close")),
        );
        expect(statuses).to.deep.equal([200, 409, 409, 409]);
        expect(inWords(await toldSince(id))).to.deep.equal([
          "ticket.closed",
          "ticket update closed",
        ]);
      });

      it(`approve and cancel: what is told is one legal path (round ${round})`, async () => {
        const { id, statuses } = await race("new", (ticket) => [
          act(ticket, "approve"),
          act(ticket, "cancel"),
        ]);
        const told = inWords(await toldSince(id));
        const cancelled = ["ticket.cancelled", "ticket update closed"];
        const approvedFirst = ["ticket.approved", "ticket update open", ...cancelled];
        expect(told).to.deep.equal(statuses[1] === 409 ? cancelled : approvedFirst);
      });
    }

    it("changes do not lose each other", async () => {
      const id = await create();
      const fields = ["subject", "description", "name", "reference"];
      await Promise.all(
        fields.map((field) =>
          api.call(`PATCH /tickets/${id}`, { as: world.admin, json: { [field]: "x" } }),
        ),
      );
      const { body } = await api.call(`GET /tickets/${id}`, { as: world.admin });
      expect(fields.map((field) => body[field])).to.deep.equal(["x", "x", "x", "x"]);
      expect(await toldSince(id)).to.have.length(4);
    });

    it("keep the timeline and the events in one order", async () => {
      const id = await create();
      await Promise.all(
        [1, 3, 4, 1, 3, 4].map((priority) =>
          api.call(`PATCH /tickets/${id}`, { as: world.admin, json: { priority } }),
        ),
      );
      const told = (await toldSince(id)).filter(({ object }) => object === "conversationevent");
      const { body } = await api.call(
        `GET /tickets/${id}/events?eventType=ticket.priorityChanged`,
        {
          as: world.admin,
        },
      );
      expect(told.map(({ objectId }) => objectId)).to.deep.equal(
        body.map((entry: { id: number }) => entry.id),
      );
      const [row] = await rowsOf<{ priority: number }>(
        database.db,
        "SELECT priority FROM tickets WHERE id = ?",
        [id],
      );
      expect(row?.priority).to.equal(told.at(-1)?.props["newPriority"]);
    });
  });
});
