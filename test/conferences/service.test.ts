import { expect } from "chai";
import { parseConferenceFilter, parseConferenceSort } from "../../src/conferences/queries.ts";
import { createConferences } from "../../src/conferences/service.ts";
import { aHeldDb } from "../support/held-db.ts";

describe("the list of conferences", () => {
  it("runs at most two searches per enterprise, while other enterprises and plain lists proceed", async () => {
    const { db, searches, release } = aHeldDb();
    const { list } = createConferences({ db } as never);
    const page = { ...parseConferenceSort({}), limit: 10, offset: 0 };
    const ask = (enterpriseId: number, query: { search?: string }) =>
      list(
        { enterpriseId, userId: 7, groupIds: [], reach: "all" },
        parseConferenceFilter(query),
        page,
      );
    const own = Array.from({ length: 3 }, () => ask(1, { search: "jane" }));
    expect(searches).to.have.length(2);
    const others = ask(2, { search: "jane" });
    expect(searches).to.have.length(3);
    expect(await ask(1, {})).to.deep.equal({ total: 0, items: [] });
    release();
    await Promise.all([...own, others]);
    expect(searches).to.have.length(4);
  });
});
