import { expect } from "chai";
import { createEarlySignals } from "../../../../web/rooms/media/early-signals.ts";

describe("signals that arrive before the change to a mesh", () => {
  it("are buffered in order, once, for 5 s", () => {
    let nowMs = 0;
    const early = createEarlySignals(() => nowMs);
    early.add("ann", { candidate: null });
    nowMs = 4_000;
    early.add("ben", { candidate: null });
    nowMs = 6_000;
    early.add("ann", { candidate: null });
    expect(early.take().map(({ from }) => from)).to.deep.equal(["ben", "ann"]);
    expect(early.take()).to.deep.equal([]);
  });
});
