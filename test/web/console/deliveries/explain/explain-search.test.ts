import { expect } from "chai";
import {
  coveringTimes,
  isEventId,
  newestTimes,
} from "../../../../../web/console/deliveries/explain/explain-search.ts";

function at(minute: number): string {
  return new Date(Date.UTC(2026, 10, 22, 10, minute)).toISOString();
}

describe("an explain search", () => {
  it("uses the smallest number of requests that covers all events", () => {
    expect(coveringTimes([at(12), at(0), at(4), at(5), at(11), at(30), at(0)])).to.deep.equal([
      at(0),
      at(11),
      at(30),
    ]);
    expect(coveringTimes([])).to.deep.equal([]);
  });

  it("covers the newest eight events of a ticket with ten windows, and says that there are more", () => {
    const tenWindows = Array.from({ length: 10 }, (_, index) => at(index * 6));
    expect(newestTimes(tenWindows.toReversed())).to.deep.equal({
      around: tenWindows.slice(2),
      isTruncated: true,
    });
    expect(newestTimes(tenWindows.slice(2))).to.deep.equal({
      around: tenWindows.slice(2),
      isTruncated: false,
    });
  });

  it("recognizes an event ID in a reference", () => {
    expect(isEventId("evt_01a1fb42-5d7d-7504-84d1-e57d5187633f")).to.equal(true);
    expect(isEventId("R-4711")).to.equal(false);
  });
});
