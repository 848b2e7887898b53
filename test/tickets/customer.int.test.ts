import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { useActing } from "../support/acting.ts";
import { useDatabase } from "../support/database.ts";
import { aTicketFixture, inWords } from "../support/tickets.ts";

describe("changes by the customer", () => {
  const database = useDatabase();
  const harness = useActing(database);

  const note = (ticketId: number, enterpriseId = harness.fixture.enterpriseId) => {
    const { ofGuests, clock } = harness.api.features;
    const sent = {
      eventType: "media.pictureSent",
      source: "guest",
      attributes: { mediaId: 7 },
    } as const;
    return inTransaction(database.db, (trx) =>
      ofGuests.recordCustomerInput(trx, { enterpriseId, ticketId }, clock.now(), [sent]),
    );
  };

  for (const [from, to] of [
    ["open", "updated"],
    ["opened", "updated"],
    ["done", "updated"],
    ["new", "new"],
    ["invited", "invited"],
    ["inprogress", "inprogress"],
    ["updated", "updated"],
    ["closed", "closed"],
    ["rejected", "rejected"],
  ]) {
    it(`moves from ${from} to ${to} when the customer sends something`, async () => {
      const id = await harness.inState(String(from));
      await note(id);
      const events = await harness.eventsSince(id);
      expect(inWords(events)).to.deep.equal([
        "media.pictureSent",
        ...(from === to ? [] : [`ticket update ${to}`]),
      ]);
      expect(events[0]?.props).to.include({ eventCode: 42, mediaId: 7 });
      expect((await harness.read(id)).body.state).to.equal(to);
    });
  }

  it("ignores a deleted ticket and one of another enterprise", async () => {
    const id = await harness.create();
    const other = await aTicketFixture(database.db);
    await note(id, other.enterpriseId);
    await note(999_999);
    expect(await harness.eventsSince(id)).to.deep.equal([]);
  });

  it("stores the customer's user agent, shortened, without an event", async () => {
    const id = await harness.create();
    const { ofGuests } = harness.api.features;
    const { enterpriseId } = harness.fixture;
    const { body: before } = await harness.read(id);
    harness.api.features.clock.advance(1_000);
    await inTransaction(database.db, async (trx) => {
      const ticket = await ofGuests.lock(trx, { enterpriseId, ticketId: id });
      if (ticket !== undefined) {
        await ofGuests.recordUserAgent(trx, ticket, "x".repeat(600));
      }
    });
    const [row] = await rowsOf<{ user_agent: string }>(
      database.db,
      "SELECT user_agent FROM tickets WHERE id = ?",
      [id],
    );
    expect(row?.user_agent).to.equal("x".repeat(512));
    expect((await harness.read(id)).body).to.deep.equal(before);
    expect(await harness.eventsSince(id)).to.deep.equal([]);
  });

  it("find the ticket by either link, unless it was deleted", async () => {
    const id = await harness.create();
    const { ofGuests } = harness.api.features;
    const { body } = await harness.read(id);
    const secret = body.requestor_url.split("/v/")[1];
    const informationCode = body.information_page_url.split("/i/")[1];
    const found = async () => [
      (await ofGuests.findBySecret(database.db, secret))?.id,
      (await ofGuests.findByCode(database.db, informationCode))?.id,
      await ofGuests.wasDeleted(database.db, { secret }),
      await ofGuests.wasDeleted(database.db, { informationCode }),
    ];
    expect(await found()).to.deep.equal([id, id, false, false]);
    await harness.api.call(`DELETE /tickets/${id}`, { as: harness.fixture.admin });
    expect(await found()).to.deep.equal([undefined, undefined, true, true]);
  });
});
