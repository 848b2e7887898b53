import { expect } from "chai";
import { repeat, type Clock } from "../../../web/rooms/repeat.ts";

function createClock(): Clock & { waits: number[] } {
  let nowMs = 0;
  const waits: number[] = [];
  return {
    waits,
    nowMs: () => nowMs,
    wait: async (waitMs) => {
      waits.push(waitMs);
      nowMs += waitMs;
    },
  };
}

const isTemporary = (result: string): boolean => result === "later";

function attemptsWith(results: readonly string[]) {
  let count = 0;
  return async (): Promise<string> => {
    count += 1;
    return results[count - 1] ?? "later";
  };
}

describe("a repeated request", () => {
  it("ends with the first final result", async () => {
    const clock = createClock();
    const result = await repeat(attemptsWith(["later", "later", "done"]), isTemporary, {
      limitMs: 20_000,
      clock,
    });
    expect(result).to.equal("done");
    expect(clock.waits).to.have.length(2);
  });

  it("has a bounded backoff", async () => {
    const clock = createClock();
    await repeat(attemptsWith([]), isTemporary, { limitMs: 20_000, maxMs: 1_500, clock });
    expect(Math.max(...clock.waits)).to.be.at.most(1_500);
    expect(clock.waits[0]).to.be.at.most(300);
    expect(clock.nowMs()).to.be.below(20_000);
  });

  it("ends when it is cancelled", async () => {
    const clock = createClock();
    const options = { limitMs: 20_000, isWanted: () => clock.waits.length < 2, clock };
    expect(await repeat(attemptsWith([]), isTemporary, options)).to.equal("later");
    expect(clock.waits).to.have.length(2);
  });
});
