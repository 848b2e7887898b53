import { expect } from "chai";
import { parseTicketFilter, countTickets, listTickets } from "../../src/tickets/list-store.ts";
import type { Scope } from "../../src/contracts/permissions.ts";
import { useDatabase } from "../support/database.ts";
import { aTicketFixture, useTicketApi } from "../support/tickets.ts";

const minute = 60_000;

describe("searching many tickets", () => {
  const database = useDatabase();
  const api = useTicketApi(database);
  const page = { orderby: "date", order: "desc", limit: 10, offset: 0 } as const;
  let scope: Scope;
  let ids: number[];
  beforeEach("make tickets", async () => {
    const { admin, agent, enterpriseId } = await aTicketFixture(database.db);
    ids = [];
    for (const reference of ["Oldest", "old-2", "old-3", "old-4"]) {
      const json = { agent: agent.login, email: "jane@example.com", reference };
      ids.push((await api.call("POST /tickets", { as: admin, json })).body.id);
      api.features.clock.advance(minute);
    }
    scope = { enterpriseId, userId: admin.id, groupIds: [], reach: "all" };
  });

  const find = async (text: string): Promise<number[]> => {
    const asked = { ...parseTicketFilter({ search: text }), newest: 2 };
    const found = await listTickets(database.db, scope, asked, page);
    expect(await countTickets(database.db, scope, asked)).to.equal(found.length);
    return found.map(({ id }) => ids.indexOf(id) + 1);
  };

  it("scans the newest, and finds by id or exact reference at any age", async () => {
    expect(await find("old")).to.deep.equal([4, 3]);
    expect(await find("Oldest")).to.deep.equal([1]);
    expect(await find(`#${ids[1]}`)).to.deep.equal([2]);
    expect(await find("old-4")).to.deep.equal([4]);
  });
});
