import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useActing } from "../support/acting.ts";
import { useDatabase } from "../support/database.ts";
import { aTestUser, aTicketFixture, forceState, inWords } from "../support/tickets.ts";

describe("ticket actions", () => {
  const database = useDatabase();
  const harness = useActing(database);
  const { create, inState, act, eventsSince } = harness;

  /** The user whom the newest timeline entry names. */
  const newestAgentIdOf = async (ticketId: number): Promise<number | null | undefined> => {
    const [entry] = await rowsOf<{ agent_id: number | null }>(
      database.db,
      "SELECT agent_id FROM session_events WHERE ticket_id = ? ORDER BY id DESC LIMIT 1",
      [ticketId],
    );
    return entry?.agent_id;
  };

  const moves: [string, string, string, number, string][] = [
    // Action, from, to, code of the timeline entry, its type.
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
    it(`${action} moves from ${from} to ${to} and emits the entry before the ticket`, async () => {
      const id = await inState(from);
      harness.api.features.clock.advance(1_000);
      const { status, body } = await act(id, action);
      expect(status).to.equal(200);
      expect(body).to.include({ id, state: to, status: to });
      expect(Date.parse(body.modified)).to.be.greaterThan(Date.parse(body.created));
      const [entry, ticket, ...rest] = await eventsSince(id);
      expect(entry?.props).to.deep.include({ eventType, eventCode, agent: harness.fixture.person });
      expect(ticket).to.deep.include({ event: "update", object: "ticket", props: { state: to } });
      expect(rest).to.deep.equal([]);
    });
  }

  it("returns a changed ticket like a created one, with the other fields and the position", async () => {
    const id = await inState("new");
    const { body } = await act(id, "approve");
    const { body: read } = await harness.api.call(`GET /tickets/${id}`, {
      as: harness.fixture.admin,
    });
    const { body: made } = await harness.api.call("POST /tickets", {
      as: harness.fixture.admin,
      json: { agent: harness.fixture.agent.login, email: "jane@example.com" },
    });
    expect(Object.keys(body)).to.deep.equal([
      ...Object.keys(made),
      ...["priority", "language", "geoloc"],
    ]);
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
    it(`rejects ${action} of a ticket that is ${from} with a 409 and no event`, async () => {
      const id = await inState(from);
      const { status, body } = await act(id, action);
      expect(status).to.equal(409);
      expect(body).to.include({ code: 11, details: `Transition ${from} → ${wanted}` });
      expect(await eventsSince(id)).to.deep.equal([]);
      const { body: read } = await harness.api.call(`GET /tickets/${id}`, {
        as: harness.fixture.admin,
      });
      expect(read.state).to.equal(from);
    });
  }

  it("stores why a ticket was closed", async () => {
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
    await harness.api.call(`DELETE /tickets/${other}`, { as: harness.fixture.admin });
    expect(await tokensOf(other)).to.equal(0);
  });

  it("returns the last position of the ticket, if known", async () => {
    const id = await inState("done");
    await database.db("tickets").where({ id }).update({ geoloc_lat: 48.65, geoloc_lng: -3.36 });
    await act(id, "close");
    const [, ticket] = await eventsSince(id);
    expect(JSON.stringify(ticket?.props)).to.equal(
      JSON.stringify({ state: "closed", geoloc: { lat: 48.65, lng: -3.36 } }),
    );
  });

  it("shows who acted if the ticket has no agent", async () => {
    const id = await inState("open");
    await database.db("tickets").where({ id }).update({ agent_id: null });
    const boss = await aTestUser(database.db, harness.fixture.enterpriseId, "admin", {
      person: { firstname: "Bo", lastname: "Boss" },
    });
    const { body } = await act(id, "reject", boss);
    expect(body.agent).to.equal("");
    const [entry] = await eventsSince(id);
    expect(entry?.props["agent"]).to.include({ firstname: "Bo", lastname: "Boss" });
    expect(await newestAgentIdOf(id)).to.equal(boss.id);
  });

  describe("taking", () => {
    it("writes no entry when its own agent takes it", async () => {
      const id = await create();
      const { body } = await act(id, "take", harness.fixture.agent);
      expect(body).to.include({ state: "opened", agent: harness.fixture.agent.login });
      expect(inWords(await eventsSince(id))).to.deep.equal(["ticket update opened"]);
    });

    it("makes another agent the ticket's agent, with an entry that shows the new one", async () => {
      const id = await inState("updated");
      const boss = await aTestUser(database.db, harness.fixture.enterpriseId, "admin", {
        isAgent: true,
        person: { firstname: "Bo" },
      });
      const { body } = await act(id, "take", boss);
      expect(body).to.include({ state: "opened", agent: boss.login });
      const events = await eventsSince(id);
      expect(inWords(events)).to.deep.equal(["ticket.assigned", "ticket update opened"]);
      expect(events[0]?.props["agent"]).to.include({ firstname: "Bo" });
      expect(await newestAgentIdOf(id)).to.equal(boss.id);
    });

    it("is done for the ticket's agent by a caller who is not an agent", async () => {
      const id = await create();
      const { body } = await act(id, "take", harness.fixture.admin);
      expect(body).to.include({ state: "opened", agent: harness.fixture.agent.login });
    });

    it("is rejected for a caller who is not an agent if the ticket has none", async () => {
      const id = await inState("open");
      await database.db("tickets").where({ id }).update({ agent_id: null });
      const { body } = await act(id, "take", harness.fixture.admin);
      expect(body).to.include({ status: 403, code: 6 });
    });
  });

  describe("transferring", () => {
    const transfer = (id: number, login: string, as = harness.fixture.admin) =>
      harness.api.call(`PUT /tickets/${id}/agent`, { as, json: { agent: login } });

    for (const from of ["new", "opened", "inprogress", "expired", "done"]) {
      it(`keeps the state ${from} and changes only the agent`, async () => {
        const id = await inState(from);
        const { body: before } = await harness.api.call(`GET /tickets/${id}`, {
          as: harness.fixture.admin,
        });
        const next = await aTestUser(database.db, harness.fixture.enterpriseId, "agent", {
          person: { firstname: "Nia" },
        });
        const { status, body } = await transfer(id, next.login.toUpperCase());
        expect(status).to.equal(200);
        expect(body).to.deep.equal({ ...before, agent: next.login, modified: body.modified });
        const notified = await eventsSince(id);
        expect(inWords(notified)).to.deep.equal(["ticket.assigned", `ticket update ${from}`]);
        expect(notified[0]?.props["agent"]).to.include({ firstname: "Nia" });
      });
    }

    it("ends the former agent's link, unless the agent stays", async () => {
      const tokensOf = async (id: number): Promise<number> =>
        (await rowsOf(database.db, "SELECT 1 FROM tokens WHERE ticket_id = ?", [id])).length;
      const id = await create({ scope: "sso" });
      await transfer(id, harness.fixture.agent.login);
      expect(await tokensOf(id)).to.equal(1);
      const next = await aTestUser(database.db, harness.fixture.enterpriseId, "agent");
      await transfer(id, next.login);
      expect(await tokensOf(id)).to.equal(0);
    });

    it("emits nothing when the agent is the same", async () => {
      const id = await create();
      expect((await transfer(id, harness.fixture.agent.login)).status).to.equal(200);
      expect(await eventsSince(id)).to.deep.equal([]);
    });

    it("rejects an unknown, foreign or inactive agent, and a ticket that is over", async () => {
      const id = await create();
      const other = await aTicketFixture(database.db);
      for (const login of ["nobody", other.agent.login, harness.fixture.admin.login]) {
        const { body } = await transfer(id, login);
        expect(body).to.include({ status: 400, code: 10, details: "Parameter agent" });
      }
      await forceState(database.db, id, "closed");
      const { body } = await transfer(id, harness.fixture.agent.login);
      expect(body).to.include({ status: 409, details: "Transition closed → closed" });
    });
  });
});
