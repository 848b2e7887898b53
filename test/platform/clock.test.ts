import { expect } from "chai";
import { createFollowingClock } from "../../src/platform/clock.ts";

describe("a following clock", () => {
  /** `trips`: how long each reading takes; then 100 ms. The remote clock is 50 s ahead. */
  const setUp = (trips: number[] = []) => {
    const host = { steadyMs: 1_000, wallMs: 1_000 };
    const advance = (ms: number): void => {
      host.steadyMs += ms;
      host.wallMs += ms;
    };
    const seen = { offsets: [] as number[], jumps: 0, readings: 0 };
    const clock = createFollowingClock({
      readReferenceMs: async () => {
        const tripMs = trips.shift() ?? 100;
        seen.readings += 1;
        const atStart = host.steadyMs + 50_000;
        advance(tripMs);
        // The wait for a connection comes first, so a long trip is not symmetric.
        return tripMs > 500 ? host.steadyMs + 50_000 : atStart + tripMs / 2;
      },
      reportOffset: (offsetMs) => void seen.offsets.push(offsetMs),
      onJump: () => {
        seen.jumps += 1;
      },
      host: { steadyMs: () => host.steadyMs, wallMs: () => host.wallMs },
    });
    return { host, advance, seen, clock, nowMs: () => clock.now().getTime() };
  };

  it("keeps the offset to its reference, corrected by half the round trip", async () => {
    const { advance, clock, seen, nowMs } = setUp();
    expect(nowMs()).to.equal(1_000);
    await clock.resync();
    expect(nowMs()).to.equal(51_100);
    expect(seen.offsets).to.deep.equal([50_000]);
    advance(500);
    expect(nowMs()).to.equal(51_600);
  });

  it("does not move when the host's clock is set, and asks to be measured again", async () => {
    const { host, clock, seen, nowMs } = setUp();
    await clock.resync();
    host.wallMs += 40_000;
    expect(nowMs()).to.equal(51_100);
    expect(nowMs()).to.equal(51_100);
    expect(seen.jumps).to.equal(1);
    await clock.resync();
    expect(seen.offsets.at(-1)).to.equal(10_000);
    expect(nowMs()).to.equal(51_200);
    expect(seen.jumps).to.equal(1);
  });

  it("asks again after a jump until it was measured, and then takes a slow reading", async () => {
    const { host, advance, clock, seen, nowMs } = setUp([100, 9_000, 700, 600]);
    await clock.resync();
    host.wallMs += 600_000;
    nowMs();
    advance(1_100);
    nowMs();
    expect(seen.jumps).to.equal(2);
    await clock.resync();
    expect(seen).to.deep.include({ readings: 4, jumps: 2 });
    expect(seen.offsets).to.have.length(2);
    advance(1_100);
    nowMs();
    expect(seen.jumps).to.equal(2);
  });

  it("ignores a reading that waited for seconds", async () => {
    const { clock, seen, nowMs } = setUp([100, 9_000]);
    await clock.resync();
    await clock.resync();
    expect(seen.offsets).to.deep.equal([50_000]);
    expect(nowMs()).to.equal(1_000 + 100 + 9_000 + 50_000);
  });

  it("takes the best of three first readings, even if all are slow", async () => {
    const fast = setUp([4_000, 100]);
    await fast.clock.resync();
    expect(fast.seen).to.deep.include({ readings: 2, offsets: [50_000] });
    const slow = setUp([4_000, 600, 2_000]);
    await slow.clock.resync();
    expect(slow.seen).to.deep.include({ readings: 3, offsets: [50_300] });
  });
});
