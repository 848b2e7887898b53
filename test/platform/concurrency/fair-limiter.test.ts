import { expect } from "chai";
import { Problem } from "../../../src/contracts/problems.ts";
import { createFairLimiter } from "../../../src/platform/concurrency/fair-limiter.ts";

async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (thrown) {
    return thrown instanceof Problem ? [thrown.kind, thrown.headers["Retry-After"]] : thrown;
  }
}

const refused = ["rate_limited", "5"];

describe("a turnstile", () => {
  /** Work of some enterprise that has begun, by its name, and how to end it. */
  const setUp = (limits: { perEnterprise: number; inAll: number }, waitMs?: number) => {
    const enter = createFairLimiter(limits, "Too many.", waitMs);
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const ask = (enterpriseId: number, name: string): Promise<string> =>
      enter(enterpriseId, () => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, () => resolve(name)));
      });
    const end = async (name: string): Promise<void> => {
      ends.get(name)?.();
      await new Promise(setImmediate);
    };
    return { enter, ask, begun, end };
  };

  it("lets whoever is too much at once wait for a turn, each in theirs", async () => {
    const { ask, begun, end } = setUp({ perEnterprise: 1, inAll: 2 });
    const all = ["first", "second", "third"].map((name) => ask(1, name));
    const other = ask(2, "another's");
    expect(begun).to.deep.equal(["first", "another's"]);
    await end("first");
    expect(begun).to.deep.equal(["first", "another's", "second"]);
    await end("second");
    await end("third");
    await end("another's");
    expect(await Promise.all([...all, other])).to.have.length(4);
  });

  it("lets an enterprise that has nothing under way in before those that filled the process", async () => {
    const { ask, begun, end } = setUp({ perEnterprise: 2, inAll: 4 });
    const names = ["a1", "a2", "b1", "b2", "a3", "b3", "a4", "c1", "c2"];
    const all = names.map((name) => ask(name.charCodeAt(0), name));
    expect(begun).to.deep.equal(["a1", "a2", "b1", "b2"]);
    await end("a1");
    expect(begun.at(-1), "nothing of theirs is under way").to.equal("c1");
    await end("b1");
    expect(begun.at(-1), "one of each is under way: who waits longest").to.equal("a3");
    await end("a2");
    expect(begun.at(-1)).to.equal("b3");
    for (const name of ["b2", "a3", "b3", "a4", "c1", "c2"]) {
      await end(name);
    }
    expect(await Promise.all(all)).to.deep.equal(names);
  });

  it("refuses whom no turn came for, says when to come back, and forgets them", async () => {
    const { enter, ask, begun, end } = setUp({ perEnterprise: 1, inAll: 2 }, 20);
    const first = ask(1, "first");
    expect(await refusalOf(ask(1, "second"))).to.deep.equal(refused);
    expect(await enter(2, async () => "another's")).to.equal("another's");
    await end("first");
    expect(await first).to.equal("first");
    expect(begun).to.deep.equal(["first"]);
    expect(await enter(1, async () => "next")).to.equal("next");
  });

  it("lets twenty of an enterprise wait and refuses one more at once", async () => {
    const { ask, end } = setUp({ perEnterprise: 1, inAll: 2 });
    const names = Array.from({ length: 21 }, (_, index) => `work ${index}`);
    const all = names.map((name) => ask(1, name));
    expect(await refusalOf(ask(1, "one more"))).to.deep.equal(refused);
    const other = ask(2, "another's");
    await end("another's");
    expect(await other).to.equal("another's");
    for (const name of names) {
      await end(name);
    }
    expect(await Promise.all(all)).to.deep.equal(names);
  });

  it("lets the next one in after one that failed", async () => {
    const { enter } = setUp({ perEnterprise: 1, inAll: 1 });
    const fault = new Error("no database");
    const failing = refusalOf(enter(1, () => Promise.reject(fault)));
    const next = enter(1, async () => "next");
    expect(await failing).to.equal(fault);
    expect(await next).to.equal("next");
  });
});
