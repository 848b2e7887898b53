import { QueryClient } from "@tanstack/react-query";
import { expect } from "chai";
import { servicesQuery } from "../../../../web/console/statistics/queries.ts";
import { numbered, startPagedApi } from "../../../support/paged-api.ts";

describe("the services of the statistics", () => {
  it("are all services", async () => {
    const services = numbered(101);
    const api = await startPagedApi({ "/api/services": services });
    const queries = new QueryClient();
    try {
      expect(await queries.query(servicesQuery)).to.deep.equal(services);
    } finally {
      queries.clear();
      await api.stop();
    }
  });
});
