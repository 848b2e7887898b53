import { expect } from "chai";
import { createEventLoopYielder } from "../../../src/platform/concurrency/sleep.ts";

function workMs(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt) {
    // what holds the process up
  }
}

describe("work that breathes", () => {
  it("lets others run while it takes long, and hurries while it does not", async () => {
    const breathe = createEventLoopYielder();
    let turns = 0;
    const other = setInterval(() => {
      turns += 1;
    }, 0);
    try {
      for (let step = 0; step < 1_000; step += 1) {
        await breathe();
      }
      const whileQuick = turns;
      for (let step = 0; step < 5; step += 1) {
        workMs(20);
        await breathe();
      }
      expect(turns - whileQuick).to.be.within(2, 6);
    } finally {
      clearInterval(other);
    }
  });
});
