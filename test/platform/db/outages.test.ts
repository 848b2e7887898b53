import { expect } from "chai";
import { createOutageWatch } from "../../../src/platform/db/outages.ts";
import { createTestClock } from "../../support/clock.ts";

const answer = async (): Promise<number> => 1;
const away = async (): Promise<never> => {
  throw new Error("away");
};

describe("a watch for outages of Postgres", () => {
  const setUp = () => {
    const clock = createTestClock();
    return { clock, outages: createOutageWatch(clock) };
  };

  it("is settled five seconds after the first answer, and stays so", async () => {
    const { clock, outages } = setUp();
    expect(outages.isSettled()).to.equal(false);
    expect(await outages.observe(answer)).to.equal(1);
    clock.advance(4_999);
    expect(outages.isSettled()).to.equal(false);
    clock.advance(1);
    expect(outages.isSettled()).to.equal(true);
    await outages.observe(answer);
    expect(outages.isSettled()).to.equal(true);
  });

  it("passes on a failure, and starts again with the next answer", async () => {
    const { clock, outages } = setUp();
    await outages.observe(answer);
    clock.advance(5_000);
    const failure = await outages.observe(away).catch((thrown: unknown) => thrown);
    expect(failure).to.have.property("message", "away");
    clock.advance(60_000);
    expect(outages.isSettled()).to.equal(false);
    await outages.observe(answer);
    expect(outages.isSettled()).to.equal(false);
    clock.advance(5_000);
    expect(outages.isSettled()).to.equal(true);
  });

  it("takes an answer after more than two seconds for an outage", async () => {
    const { clock, outages } = setUp();
    await outages.observe(answer);
    clock.advance(5_000);
    await outages.observe(async () => clock.advance(2_000));
    expect(outages.isSettled()).to.equal(true);
    await outages.observe(async () => clock.advance(2_001));
    expect(outages.isSettled()).to.equal(false);
  });
});
