import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useActing } from "../support/acting.ts";
import { useDatabase } from "../support/database.ts";
import { aTestUser, inWords } from "../support/tickets.ts";

describe("concurrent callers of one ticket", () => {
  const database = useDatabase();
  const harness = useActing(database);
  const { create, inState, act, eventsSince } = harness;

  const race = async (from: string, calls: (id: number) => Promise<{ status: number }>[]) => {
    const id = await inState(from);
    const answers = await Promise.all(calls(id));
    return { id, statuses: answers.map(({ status }) => status).toSorted((a, b) => a - b) };
  };

  for (let round = 1; round <= 5; round += 1) {
    it(`take: one wins, the other gets a 409, one event (round ${round})`, async () => {
      const { enterpriseId } = harness.fixture;
      const one = await aTestUser(database.db, enterpriseId, "admin", { isAgent: true });
      const two = await aTestUser(database.db, enterpriseId, "admin", { isAgent: true });
      const { id, statuses } = await race("new", (ticket) => [
        act(ticket, "take", one),
        act(ticket, "take", two),
      ]);
      expect(statuses).to.deep.equal([200, 409]);
      expect(inWords(await eventsSince(id))).to.deep.equal([
        "ticket.assigned",
        "ticket update opened",
      ]);
    });

    it(`close: one wins, the others get a 409, one event (round ${round})`, async () => {
      const { id, statuses } = await race("done", (ticket) =>
        [1, 2, 3, 4].map(() => act(ticket, "close")),
      );
      expect(statuses).to.deep.equal([200, 409, 409, 409]);
      expect(inWords(await eventsSince(id))).to.deep.equal([
        "ticket.closed",
        "ticket update closed",
      ]);
    });

    it(`approve and cancel: the events are one legal path (round ${round})`, async () => {
      const { id, statuses } = await race("new", (ticket) => [
        act(ticket, "approve"),
        act(ticket, "cancel"),
      ]);
      const notified = inWords(await eventsSince(id));
      const cancelled = ["ticket.cancelled", "ticket update closed"];
      const approvedFirst = ["ticket.approved", "ticket update open", ...cancelled];
      expect(notified).to.deep.equal(statuses[1] === 409 ? cancelled : approvedFirst);
    });
  }

  it("do not overwrite each other's changes", async () => {
    const id = await create();
    const fields = ["subject", "description", "name", "reference"];
    await Promise.all(
      fields.map((field) =>
        harness.api.call(`PATCH /tickets/${id}`, {
          as: harness.fixture.admin,
          json: { [field]: "x" },
        }),
      ),
    );
    const { body } = await harness.api.call(`GET /tickets/${id}`, { as: harness.fixture.admin });
    expect(fields.map((field) => body[field])).to.deep.equal(["x", "x", "x", "x"]);
    expect(await eventsSince(id)).to.have.length(4);
  });

  it("keep the timeline and the events in the same order", async () => {
    const id = await create();
    await Promise.all(
      [1, 3, 4, 1, 3, 4].map((priority) =>
        harness.api.call(`PATCH /tickets/${id}`, { as: harness.fixture.admin, json: { priority } }),
      ),
    );
    const written = (await eventsSince(id)).filter(({ object }) => object === "conversationevent");
    const { body } = await harness.api.call(
      `GET /tickets/${id}/events?eventType=ticket.priorityChanged`,
      {
        as: harness.fixture.admin,
      },
    );
    expect(written.map(({ objectId }) => objectId)).to.deep.equal(
      body.map((entry: { id: number }) => entry.id),
    );
    const [row] = await rowsOf<{ priority: number }>(
      database.db,
      "SELECT priority FROM tickets WHERE id = ?",
      [id],
    );
    expect(row?.priority).to.equal(written.at(-1)?.props["newPriority"]);
  });
});
