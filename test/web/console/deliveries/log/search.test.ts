import { expect } from "chai";
import {
  hasFilters,
  isSameSearch,
  presets,
  readSearch,
  toLogQuery,
} from "../../../../../web/console/deliveries/log/search.ts";

const now = new Date("2026-11-22T15:30:00.250Z");

describe("the filters of the log in the address", () => {
  it("are read as they were written, and nothing else is", () => {
    expect(readSearch({ status: "retry,dead", replay: " 7", other: "x", text: " " })).to.deep.equal(
      {
        status: "retry,dead",
        replay: "7",
      },
    );
  });

  it("become what the API is asked: a period as its beginning, what is open beside not at all", () => {
    expect(toLogQuery({ period: "hour", replay: "7", delivery: "3" }, now)).to.deep.equal({
      since: "2026-11-22T14:30:00Z",
      replay: 7,
    });
    expect(toLogQuery({ since: "2026-11-01T00:00:00Z", replay: "x" }, now)).to.deep.equal({
      since: "2026-11-01T00:00:00Z",
    });
  });

  it("are a preset only where they are exactly that", () => {
    expect(isSameSearch({ status: "retry", delivery: "3" }, presets.failing)).to.equal(true);
    expect(isSameSearch({ status: "retry", object: "ticket" }, presets.failing)).to.equal(false);
    expect(hasFilters({ delivery: "3" })).to.equal(false);
  });
});
