import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect } from "chai";
import { agentsQuery, servicesQuery } from "../../../../web/console/tickets/queries.ts";
import { numbered, startPagedApi } from "../../../support/paged-api.ts";

describe("the choices of a ticket", () => {
  const queries = new QueryClient();
  afterEach(() => queries.clear());

  it("are all services for tickets", async () => {
    const services = numbered(202).map(({ id }) => ({
      ...{ id, kind: id % 2 === 0 ? "ticket" : "conference" },
    }));
    const api = await startPagedApi({ "/api/services": services });
    try {
      const { data } = await new QueryObserver(queries, servicesQuery).refetch();
      expect(data).to.deep.equal(services.filter(({ kind }) => kind === "ticket"));
    } finally {
      await api.stop();
    }
  });

  it("are all active agents, also after 100 other users", async () => {
    const users = numbered(103).map(({ id }) => ({
      ...{ id, isAgent: id > 101, isActive: id !== 103 },
    }));
    const api = await startPagedApi({ "/api/users": users });
    try {
      expect(await queries.query(agentsQuery("ann"))).to.deep.equal([users[101]]);
      for (const path of api.asked) {
        expect(new URLSearchParams(path.split("?")[1]).get("search")).to.equal("ann");
      }
    } finally {
      await api.stop();
    }
  });
});
