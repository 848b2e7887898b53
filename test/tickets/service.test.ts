import { expect } from "chai";
import { parseTicketFilter, parseTicketSort } from "../../src/tickets/list-store.ts";
import { createTickets } from "../../src/tickets/service.ts";
import { aHeldDb } from "../support/held-db.ts";

describe("the list of tickets", () => {
  it("allows three concurrent searches per enterprise, and does not limit plain lists", async () => {
    const { db, searches, release } = aHeldDb();
    const { list } = createTickets({ db } as never);
    const page = { ...parseTicketSort({}), limit: 10, offset: 0 };
    const ask = (enterpriseId: number, query: { search?: string }) =>
      list({ enterpriseId, userId: 7, groupIds: [], reach: "all" }, parseTicketFilter(query), page);
    const own = Array.from({ length: 4 }, () => ask(1, { search: "jane" }));
    expect(searches).to.have.length(3);
    const others = ask(2, { search: "jane" });
    expect(searches).to.have.length(4);
    expect(await ask(1, {})).to.deep.equal({ total: 0, items: [] });
    release();
    await Promise.all([...own, others]);
    expect(searches).to.have.length(5);
  });
});
