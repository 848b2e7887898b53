import { QueryClient } from "@tanstack/react-query";
import { expect } from "chai";
import {
  servicesQuery,
  sessionsQuery,
  type SessionsOf,
} from "../../../../web/console/statistics/queries.ts";
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

describe("the sessions of the statistics", () => {
  it("skip parts of the period without sessions", async () => {
    const asked: (string | null)[] = [];
    const api = await startPagedApi({
      "/api/sessions": ({ searchParams }) => {
        asked.push(searchParams.get("until"));
        return asked.length === 3 ? numbered(30) : [];
      },
    });
    const queries = new QueryClient();
    try {
      const of: SessionsOf = {
        ...{ enterpriseId: 1, type: "ticket", serviceKey: undefined, timeZone: "UTC" },
        period: { since: "2026-08-22", until: "2026-11-20" },
      };
      const { pages } = await queries.infiniteQuery({ ...sessionsQuery(of), pages: 1 });
      expect(pages.map(({ data }) => data.length)).to.deep.equal([25]);
      expect(pages[0]?.window).to.include({ since: "2026-08-23", until: "2026-09-21" });
    } finally {
      queries.clear();
      await api.stop();
    }
  });
});
