import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { agreed, useGuests } from "../support/guests.ts";
import { aTestUser, forceState } from "../support/tickets.ts";
import { testRoomTokens } from "../support/api.ts";
import type { Guest } from "../../src/http/route.ts";

const minute = 60_000;

describe("a ticket and its room", () => {
  const database = useDatabase();
  const harness = useGuests(database);

  const agentOf = async (id: number, as = harness.fixture.agent): Promise<Guest> => {
    const { body } = await harness.call(`POST /tickets/${id}/room-token`, { as });
    return (await testRoomTokens.verify(body.room_token)) as Guest;
  };

  const customerOf = async (secret: string): Promise<Guest> => {
    const { guest, post } = await harness.enter(secret);
    await post("consent", agreed);
    return guest;
  };

  const join = (guest: Guest) => harness.features.rooms.join({ guest, userAgent: null });

  /** Agent and customer of a new ticket, both present. */
  const meet = async () => {
    const { id, secret } = await harness.invite();
    const customer = await customerOf(secret);
    const agent = await agentOf(id);
    await join(customer);
    await join(agent);
    return { id, secret, customer, agent };
  };

  const stateOf = async (id: number): Promise<unknown> => {
    const [row] = await rowsOf<{ state: string }>(
      database.db,
      "SELECT state FROM tickets WHERE id = ?",
      [id],
    );
    return row?.state;
  };

  it("is in progress once both are present, with the entry before the ticket's event", async () => {
    const { id, customer } = await meet();
    await harness.features.rooms.established(customer);
    await harness.features.rooms.established(customer);
    expect(await harness.eventNamesSince(id)).to.deep.equal([
      "consent.accepted",
      "session.agentContacted",
      "ticket.sessionStarted",
      "ticket update inprogress",
      "session.established",
    ]);
    const { body } = await harness.call(`GET /tickets/${id}/events`, { as: harness.fixture.agent });
    expect(
      body.slice(-3).map((entry: Record<string, unknown>) => [entry["eventCode"], entry["source"]]),
    ).to.deep.equal([
      [31, "system"],
      [8, "system"],
      [30, "system"],
    ]);
  });

  it("rejects a customer without consent", async () => {
    const { secret } = await harness.invite();
    const { guest } = await harness.enter(secret);
    expect(await join(guest)).to.deep.equal({ outcome: "refused", reason: "consent" });
  });

  for (const [action, to, last] of [
    ["complete", "done", "ticket.completed"],
    ["cancel", "closed", "ticket.cancelled"],
  ] as const) {
    it(`${action} ends the room first with an entry for who left, then leads to ${to}, once`, async () => {
      const { id, customer } = await meet();
      await harness.features.rooms.established(customer);
      const before = (await harness.eventNamesSince(id)).length;
      const answers = await Promise.all(
        [1, 2].map(() =>
          harness.call(`POST /tickets/${id}/${action}`, { as: harness.fixture.agent }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([
        200, 409,
      ]);
      const notified = (await harness.eventNamesSince(id)).slice(before);
      expect(notified.slice(0, 2)).to.have.members(["session.agentLeft", "session.userLeft"]);
      expect(notified.slice(2)).to.deep.equal([last, `ticket update ${to}`]);
      expect(await stateOf(id)).to.equal(to);
      const open = await rowsOf(
        database.db,
        "SELECT 1 FROM sessions WHERE conversation_id = ? AND ended_at IS NULL",
        [customer.conversationId],
      );
      expect(open).to.deep.equal([]);
    });
  }

  it("is done when the agent ends an established session", async () => {
    const { id, customer, agent } = await meet();
    await harness.features.rooms.established(customer);
    await harness.features.rooms.end(agent);
    expect(await stateOf(id)).to.equal("done");
    const { body } = await harness.call(`GET /tickets/${id}/events`, { as: harness.fixture.agent });
    expect(body.at(-1)).to.include({ eventCode: 4, source: "agent" });
    expect(body.at(-1).agent).to.deep.equal(harness.fixture.person);
  });

  it("is done when the agent ends a session that was never established", async () => {
    const { id, agent } = await meet();
    const before = (await harness.eventNamesSince(id)).length;
    await harness.features.rooms.end(agent);
    const written = (await harness.eventNamesSince(id)).slice(before);
    expect(written.slice(2)).to.deep.equal(["ticket.completed", "ticket update done"]);
  });

  it("is done when an established session stays empty", async () => {
    const { id, agent, customer } = await meet();
    await harness.features.rooms.established(customer);
    const before = (await harness.eventNamesSince(id)).length;
    await harness.features.rooms.leave(customer);
    await harness.features.rooms.leave(agent);
    harness.features.clock.advance(5 * minute);
    await harness.features.rooms.established(customer); // processes the pending changes
    expect((await harness.eventNamesSince(id)).slice(before)).to.deep.equal([
      "session.userLeft",
      "session.agentLeft",
      "ticket.completed",
      "ticket update done",
    ]);
  });

  it("waits for the customer again when a room without a connection stays empty", async () => {
    const { id, agent, customer } = await meet();
    const before = (await harness.eventNamesSince(id)).length;
    await harness.features.rooms.leave(customer);
    await harness.features.rooms.leave(agent);
    harness.features.clock.advance(5 * minute);
    await harness.features.rooms.established(customer); // processes the pending changes
    const emitted = (await harness.eventNamesSince(id)).slice(before);
    expect(emitted).to.deep.equal([
      "session.userLeft",
      "session.agentLeft",
      "ticket update invited",
    ]);
  });

  it("is in progress again when both return before it is closed", async () => {
    const { id, secret, customer, agent } = await meet();
    await harness.features.rooms.established(customer);
    await harness.features.rooms.end(agent);
    harness.features.clock.advance(minute);
    const before = (await harness.eventNamesSince(id)).length;
    const again = await customerOf(secret);
    await join(again);
    await join(await agentOf(id));
    expect((await harness.eventNamesSince(id)).slice(before)).to.deep.equal([
      "consent.accepted",
      "session.agentContacted",
      "ticket.sessionStarted",
      "ticket update inprogress",
    ]);
  });

  it("shows the former agent when they leave after a transfer", async () => {
    const { id, agent } = await meet();
    const next = await aTestUser(database.db, harness.fixture.enterpriseId, "agent", {
      person: { firstname: "Nia" },
    });
    const json = { agent: next.login };
    await harness.call(`PUT /tickets/${id}/agent`, { as: harness.fixture.admin, json });
    const before = (await harness.eventsSince(id)).length;
    await join(await agentOf(id, next));
    await harness.features.rooms.leave(agent);
    const [left] = (await harness.eventsSince(id)).slice(before);
    expect(left?.props).to.deep.include({ eventCode: 32, agent: harness.fixture.person });
    const [stored] = await database
      .db("session_events")
      .where({ ticket_id: id })
      .orderBy("id", "desc")
      .limit(1);
    expect(stored).to.deep.include({ event_code: 32, agent_id: harness.fixture.agent.id });
    expect(await stateOf(id)).to.equal("inprogress");
  });

  for (const state of ["closed", "rejected", "expired", "declined"]) {
    it(`rejects everyone while the ticket is ${state}`, async () => {
      const { id, secret } = await harness.invite();
      const customer = await customerOf(secret);
      const agent = await agentOf(id);
      await forceState(database.db, id, state);
      for (const guest of [customer, agent]) {
        expect(await join(guest)).to.deep.equal({ outcome: "refused", reason: "over" });
      }
    });
  }
});
