import { expect } from "chai";
import { sumPerSubscription } from "../../../src/pipeline/schedule/per-subscription.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { refusal } from "../../support/refusal.ts";

describe("a pass over subscriptions", () => {
  const subjects = [1, 2, 3].map((subscriptionId) => ({ subscriptionId }));
  const timeout = (): Error => Object.assign(new Error("too slow"), { code: "57014" });

  /** Each run returns what it called, as `id/divisor`, and its result. */
  const aPass = () => {
    const divisors = new Map<number, number>();
    return async (failures: Record<number, Error> = {}, most = Infinity) => {
      const called: string[] = [];
      const budget = { isSpent: () => called.length >= most };
      const deps = { log: createLogger("silent", "test"), divisors, budget };
      const run = sumPerSubscription(deps, subjects, async ({ subscriptionId: id }, divisor) => {
        called.push(`${id}/${divisor}`);
        const failure = failures[id];
        if (failure !== undefined) {
          throw failure;
        }
        return 10;
      });
      const result = await run.catch((thrown: unknown) => refusal(Promise.reject(thrown)));
      return { called, result };
    };
  };

  it("adds up what it did", async () => {
    expect(await aPass()()).to.deep.equal({ called: ["1/1", "2/1", "3/1"], result: 30 });
  });

  it("reaches every subscription if some fail, and fails at the end", async () => {
    const run = aPass();
    const failures = { 1: new Error("first"), 2: new Error("second") };
    expect(await run({ 1: failures[1] })).to.deep.equal({
      called: ["1/1", "2/1", "3/1"],
      result: "first",
    });
    expect(await run(failures)).to.deep.equal({
      called: ["1/1", "2/1", "3/1"],
      result: "2 errors, the first: first",
    });
  });

  it("calls one that timed out last, with smaller batches that grow again", async () => {
    const run = aPass();
    await run({ 1: timeout() });
    expect((await run({ 1: timeout() })).called).to.deep.equal(["2/1", "3/1", "1/4"]);
    for (const divisor of [16, 8, 4, 2]) {
      expect((await run()).called).to.deep.equal(["2/1", "3/1", `1/${divisor}`]);
    }
    expect((await run()).called).to.deep.equal(["1/1", "2/1", "3/1"]);
  });

  it("leaves the others to the next pass once its time is over, with their batches as they are", async () => {
    const run = aPass();
    await run({ 3: timeout() });
    expect(await run({}, 2)).to.deep.equal({ called: ["1/1", "2/1"], result: 20 });
    expect((await run()).called).to.deep.equal(["1/1", "2/1", "3/4"]);
  });

  it("never makes its batches smaller than a 64th", async () => {
    const run = aPass();
    for (let i = 0; i < 5; i += 1) {
      await run({ 2: timeout() });
    }
    expect((await run()).called).to.deep.equal(["1/1", "3/1", "2/64"]);
  });
});
