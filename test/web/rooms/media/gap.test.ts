import { expect } from "chai";
import { initialGap, nextGap } from "../../../../web/rooms/media/gap.ts";

describe("a connection that receives nothing", () => {
  const arrived = nextGap(initialGap, 100, 5_000);

  it("is not one that has not begun", () => {
    expect(nextGap(initialGap, 0, 60_000).gap).to.equal("none");
  });

  it("has a gap after a second, until something arrives", () => {
    expect(nextGap(arrived, 100, 5_900).gap).to.equal("none");
    const gap = nextGap(arrived, 100, 6_100);
    expect(gap.gap).to.equal("open");
    expect(nextGap(gap, 101, 9_000)).to.deep.equal({
      gap: "none",
      bytes: 101,
      arrivedAtMs: 9_000,
    });
  });

  it("sends again after twelve seconds, and stays so", () => {
    const long = nextGap(arrived, 100, 17_100);
    expect(long.gap).to.equal("long");
    expect(nextGap(long, 100, 90_000).gap).to.equal("long");
  });

  it("does not take fewer bytes, after a change of the way, for something that arrived", () => {
    const changed = nextGap(arrived, 20, 6_100);
    expect(changed.gap).to.equal("open");
    expect(nextGap(changed, 21, 6_200).gap).to.equal("none");
  });
});
