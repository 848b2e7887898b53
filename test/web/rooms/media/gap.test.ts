import { expect } from "chai";
import { initialGap, nextGap } from "../../../../web/rooms/media/gap.ts";

describe("a gap in the received media", () => {
  const arrived = nextGap(initialGap, 100, 5_000);

  it("is not reported before the first media", () => {
    expect(nextGap(initialGap, 0, 60_000).gap).to.equal("none");
  });

  it("is reported after one second without media, until some arrives", () => {
    expect(nextGap(arrived, 100, 5_900).gap).to.equal("none");
    const gap = nextGap(arrived, 100, 6_100);
    expect(gap.gap).to.equal("open");
    expect(nextGap(gap, 101, 9_000)).to.deep.equal({
      gap: "none",
      bytes: 101,
      arrivedAtMs: 9_000,
    });
  });

  it("causes a new connection after twelve seconds, once", () => {
    const long = nextGap(arrived, 100, 17_100);
    expect(long.gap).to.equal("long");
    expect(nextGap(long, 100, 90_000).gap).to.equal("long");
  });

  it("is not ended by a lower byte counter after a change of route", () => {
    const changed = nextGap(arrived, 20, 6_100);
    expect(changed.gap).to.equal("open");
    expect(nextGap(changed, 21, 6_200).gap).to.equal("none");
  });
});
