import { expect } from "chai";
import { endedStates, liveStates } from "../../../../../src/contracts/deliveries.ts";
import { deliveriesQuery } from "../../../../../web/console/tickets/detail/queries.ts";

/**
 * The interval in milliseconds after which the deliveries of a ticket are requested again; false
 * for never.
 */
function refetchAfter(statuses: readonly string[], count = 1): unknown {
  const { refetchInterval } = deliveriesQuery("ticket", 1);
  const state = { data: statuses.map((status) => ({ status })), dataUpdateCount: count };
  return typeof refetchInterval === "function" ? refetchInterval({ state } as never) : undefined;
}

describe("the deliveries on the page of a ticket", () => {
  for (const status of endedStates) {
    it(`are no longer polled once each is ${status}`, () => {
      expect(refetchAfter(["delivered", status])).to.equal(false);
    });
  }

  for (const status of liveStates) {
    it(`are polled while one is ${status}`, () => {
      expect(refetchAfter(["delivered", status])).to.equal(5_000);
    });
  }

  it("are polled a few times if there are none yet", () => {
    expect(refetchAfter([], 2)).to.equal(5_000);
    expect(refetchAfter([], 3)).to.equal(false);
  });
});
