import { QueryClient } from "@tanstack/react-query";
import { expect } from "chai";
import {
  reportSessionsQuery,
  reportTimelineQuery,
} from "../../../../../web/console/tickets/report/queries.ts";
import { numbered, startPagedApi } from "../../../../support/paged-api.ts";

describe("the report of a ticket", () => {
  it("has all sessions and all timeline entries", async () => {
    const [sessions, entries] = [numbered(201), numbered(2_000)];
    const lists = { "/api/tickets/5/sessions": sessions };
    const api = await startPagedApi(lists, { "/api/tickets/5/events": entries });
    const queries = new QueryClient();
    try {
      expect(await queries.query(reportSessionsQuery(5))).to.deep.equal(sessions);
      expect(await queries.query(reportTimelineQuery(5))).to.deep.equal(entries);
      const [first = ""] = api.asked;
      expect(new URLSearchParams(first.split("?")[1]).get("order")).to.equal("asc");
    } finally {
      queries.clear();
      await api.stop();
    }
  });
});
