import { QueryClient } from "@tanstack/react-query";
import { expect } from "chai";
import { excludedEventsQuery } from "../../../../web/console/webhooks/data.ts";
import { startJsonApi } from "../../../support/paged-api.ts";

/** The API shows at most this number of matches, whatever the limit. */
const maxShown = 100;

describe("the excluded events of a webhook", () => {
  it("are not those that match, although others arrive between the requests", async () => {
    const queries = new QueryClient();
    let newest = 1_000;
    const api = await startJsonApi((_url, body) => {
      const { limit } = JSON.parse(body) as { limit: number };
      const events = Array.from({ length: Math.min(limit, maxShown) }, (_, age) => ({
        ...{ object: "ticket", event: "create", event_type: null },
        event_id: `evt_${newest - age}`,
      }));
      newest += 20;
      return { events };
    });
    try {
      const question = { filters: ["*"], conditions: null };
      expect(await queries.query(excludedEventsQuery(question))).to.deep.equal([]);
      expect(api.asked).to.have.lengthOf(2);
    } finally {
      queries.clear();
      await api.stop();
    }
  });
});
