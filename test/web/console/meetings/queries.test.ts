import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect } from "chai";
import { servicesQuery } from "../../../../web/console/meetings/queries.ts";
import { numbered, startPagedApi } from "../../../support/paged-api.ts";

describe("the services of a meeting", () => {
  it("are all services for meetings", async () => {
    const services = numbered(202).map(({ id }) => ({
      ...{ id, kind: id % 2 === 0 ? "ticket" : "conference" },
    }));
    const api = await startPagedApi({ "/api/services": services });
    const queries = new QueryClient();
    try {
      const { data } = await new QueryObserver(queries, servicesQuery).refetch();
      expect(data).to.deep.equal(services.filter(({ kind }) => kind === "conference"));
    } finally {
      queries.clear();
      await api.stop();
    }
  });
});
