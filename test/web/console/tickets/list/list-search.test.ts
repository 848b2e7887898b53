import { expect } from "chai";
import {
  isFiltered,
  toQuery,
  unfiltered,
  validateListSearch,
} from "../../../../../web/console/tickets/list/list-search.ts";

describe("the query string of the ticket list", () => {
  it("keeps valid values, and drops invalid days, orders and texts", () => {
    const known = {
      ...{ state: "new,open", agent: "jane", service: "k", q: "4711", page: "2", open: "5" },
      ...{ since: "2026-02-01", until: "2026-02-28", sort: "oldest" },
    };
    expect(validateListSearch({ ...known, other: "x" })).to.deep.equal(known);
    expect(
      validateListSearch({
        since: "2026-13-45",
        until: "yesterday",
        sort: "best",
        q: " ",
        page: 2,
      }),
    ).to.deep.equal({});
  });

  it("requests whole days, both inclusive, in the reader's time zone", () => {
    const { since, until } = toQuery({ since: "2026-02-01", until: "2026-02-28" });
    expect(new Date(since ?? "")).to.deep.equal(new Date(2026, 1, 1));
    expect(new Date(until ?? "")).to.deep.equal(new Date(2026, 2, 1));
  });

  it("distinguishes filters from order and page", () => {
    expect(isFiltered({ sort: "oldest", page: "2", open: "5" })).to.equal(false);
    for (const name of Object.keys(unfiltered)) {
      expect(isFiltered({ [name]: "2026-02-01" }), name).to.equal(true);
    }
    expect(isFiltered(validateListSearch(unfiltered))).to.equal(false);
  });
});
