import { ticketReachSql } from "../../src/access/reach.ts";
import type { Scope } from "../../src/contracts/permissions.ts";
import { expect } from "chai";
import type { Trx } from "../../src/platform/db/pool.ts";
import { listTicketIds, readTicketFigures } from "../../src/statistics/ticket-store.ts";
import { parseTicketFilter, countTickets, listTickets } from "../../src/tickets/list-store.ts";
import type { ListTicketsQuery } from "../../src/tickets/schema.ts";
import { useDatabase } from "../support/database.ts";
import { explain, mostRead, mostReadInVain } from "../support/explain.ts";
import { manyTickets, type ManyTickets } from "../../bench/support/many-tickets.ts";

const days = 120;
const perDay = 250;

describe("a list of many tickets", function () {
  this.timeout(60_000);
  const database = useDatabase();
  let many: ManyTickets;
  before("fill the enterprise", async () => {
    many = await manyTickets(database.db, { count: days * perDay, days });
  });

  const scope = (reach: Scope["reach"]): Scope => ({
    enterpriseId: many.enterpriseId,
    userId: many.agentId,
    groupIds: [many.groupId],
    reach,
  });
  const explainPage = (query: ListTicketsQuery, reach: Scope["reach"] = "all") =>
    explain(database.db, (db: Trx) =>
      listTickets(db, scope(reach), parseTicketFilter(query), {
        orderby: query.orderby ?? "date",
        order: "desc",
        limit: 10,
        offset: 0,
      }),
    );
  const explainCount = (query: ListTicketsQuery, reach: Scope["reach"] = "all") =>
    explain(database.db, (db: Trx) => countTickets(db, scope(reach), parseTicketFilter(query)));

  const orders = {
    date: "tickets_list",
    modified: "tickets_modified_bin",
    start_time: "tickets_start",
    id: "tickets_enterprise_id_id_key",
  } as const;
  for (const orderby of Object.keys(orders) as (keyof typeof orders)[]) {
    it(`reads only its page from the index of ${orderby}`, async () => {
      const plan = await explainPage({ orderby });
      expect(plan).to.match(
        new RegExp(`Index Scan Backward using (?:${orders[orderby]}|tickets_pkey) `, "u"),
      );
      expect(plan).to.not.include("Seq Scan on tickets");
      // Of the changes of five minutes, all are read.
      expect(mostRead(plan)).to.be.at.most(orderby === "modified" ? 15 : 10);
    });
  }

  it("counts the total with an index-only scan", async () => {
    const plan = await explainCount({});
    expect(plan).to.match(/Index Only Scan using tickets_(?:agent|figures) /u);
    expect(plan).to.include("Heap Fetches: 0");
  });

  it("finds a reference by its index", async () => {
    const query = { reference: "R-77" };
    expect(await explainPage(query)).to.include("tickets_reference");
    expect(await explainCount(query)).to.include("tickets_reference");
  });

  it("finds an agent's tickets by an index, in its order", async () => {
    const plan = await explainPage({ agent: many.agentLogin });
    expect(plan).to.match(/Index Scan Backward using tickets_(?:agent|list) /u);
    expect(mostReadInVain(plan)).to.be.at.most(perDay * 20);
    const own = await explainPage({}, "own");
    expect(own).to.include("Index Scan Backward using tickets_agent");
    expect(mostRead(own)).to.be.at.most(10);
  });

  const counted: Record<string, () => ListTicketsQuery> = {
    "a rare state": () => ({ state: "open" }),
    "the state that nearly all are in": () => ({ state: "closed" }),
    "several states of one service": () => ({
      state: "new,open",
      service_key: many.serviceKey,
    }),
    "a service": () => ({ service_key: many.serviceKey }),
    "a state of an agent's": () => ({ state: "closed", agent: many.agentLogin }),
  };
  for (const [what, query] of Object.entries(counted)) {
    it(`counts ${what} with an index-only scan`, async () => {
      const plan = await explainCount(query());
      expect(plan).to.match(
        /Index Only Scan using tickets_(?:agent|figures) |Bitmap .*tickets_agent/u,
      );
      expect(plan).to.not.include("Seq Scan on tickets");
    });
  }

  it("counts tickets in a manager's reach with an index-only scan", async () => {
    const plan = await explainCount({}, "group");
    expect(plan).to.include("Index Only Scan using tickets_figures");
  });

  it("finds a rare state without scanning all others", async () => {
    const plan = await explainPage({ state: "rejected" });
    expect(plan).to.not.include("Seq Scan on tickets");
    expect(mostRead(plan)).to.be.at.most(days * perDay * 0.01);
  });

  it("scans a bounded number of the newest tickets for a text without matches", async () => {
    const filter = parseTicketFilter({ search: "zqzq", state: "closed" });
    const page = { orderby: "date", order: "desc", limit: 10, offset: 0 } as const;
    const plan = await explain(database.db, (db: Trx) =>
      listTickets(db, scope("all"), { ...filter, newest: 500 }, page),
    );
    expect(plan).to.include("Index Scan Backward using tickets_list");
    expect(plan).to.include("tickets_reference").and.not.include("Seq Scan on tickets");
    expect(mostRead(plan)).to.be.at.most(500);
    expect(mostReadInVain(plan)).to.be.at.most(500);
  });

  describe("statistics of a day", () => {
    it("read only that day's tickets and their related rows", async () => {
      const period = { since: many.day, until: many.day };
      const order = { period, timeZone: "UTC", hasDeleted: false, limit: 100_001 };
      const ofIds = await explain(database.db, (db: Trx) =>
        listTicketIds(db, ticketReachSql, { ...order, scope: scope("all") }),
      );
      expect(ofIds).to.include("tickets_list").and.not.include("Seq Scan on tickets");
      expect(mostRead(ofIds)).to.be.at.most(perDay + 1);
      const ids = await listTicketIds(database.db, ticketReachSql, {
        ...order,
        scope: scope("all"),
      });
      expect(ids).to.have.lengthOf.within(perDay - 1, perDay + 1);
      const ofFigures = await explain(database.db, (db: Trx) =>
        readTicketFigures(db, { enterpriseId: many.enterpriseId, timeZone: "UTC", ids }),
      );
      expect(ofFigures).to.not.match(/Seq Scan on (?:tickets|conversations)\b/u);
      // Each ticket has twelve timeline entries, half of which are read.
      expect(mostRead(ofFigures)).to.be.at.most(ids.length * 12);
    });
  });
});
