import { expect } from "chai";
import { endedStates, liveStates } from "../../../../../src/contracts/deliveries.ts";
import { deliveriesQuery } from "../../../../../web/console/tickets/detail/queries.ts";

/** How soon the deliveries of a ticket are asked for again, in milliseconds; false: no more. */
function refetchAfter(statuses: readonly string[], count = 1): unknown {
  const { refetchInterval } = deliveriesQuery("ticket", 1);
  const state = { data: statuses.map((status) => ({ status })), dataUpdateCount: count };
  return typeof refetchInterval === "function" ? refetchInterval({ state } as never) : undefined;
}

describe("the deliveries of a ticket on its page", () => {
  for (const status of endedStates) {
    it(`are asked for no more once each is ${status}`, () => {
      expect(refetchAfter(["delivered", status])).to.equal(false);
    });
  }

  for (const status of liveStates) {
    it(`are asked for again while one is ${status}`, () => {
      expect(refetchAfter(["delivered", status])).to.equal(5_000);
    });
  }

  it("are asked for a few times if there are none yet", () => {
    expect(refetchAfter([], 2)).to.equal(5_000);
    expect(refetchAfter([], 3)).to.equal(false);
  });
});
