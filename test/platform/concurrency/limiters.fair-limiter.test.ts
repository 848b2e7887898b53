import { expect } from "chai";
import { createFairLimiter } from "../../../src/platform/concurrency/limiters.ts";

const busy = new Error("busy");

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.catch((thrown: unknown) => thrown);
}

describe("a fair limiter", () => {
  /** Names of the started work, and functions that end it. */
  const setUp = (limits: { perTenant: number; total: number }, waitMs?: number) => {
    const limit = createFairLimiter(limits, () => busy, waitMs);
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (tenantId: number, name: string): Promise<string> =>
      limit(tenantId, () => {
        started.push(name);
        return new Promise((resolve) => ends.set(name, () => resolve(name)));
      });
    const end = async (name: string): Promise<void> => {
      ends.get(name)?.();
      await new Promise(setImmediate);
    };
    return { limit, run, started, end };
  };

  it("queues excess work of a tenant in order of arrival", async () => {
    const { run, started, end } = setUp({ perTenant: 1, total: 2 });
    const all = ["first", "second", "third"].map((name) => run(1, name));
    const other = run(2, "another's");
    expect(started).to.deep.equal(["first", "another's"]);
    await end("first");
    expect(started).to.deep.equal(["first", "another's", "second"]);
    await end("second");
    await end("third");
    await end("another's");
    expect(await Promise.all([...all, other])).to.have.length(4);
  });

  it("admits the tenant with the least running work first", async () => {
    const { run, started, end } = setUp({ perTenant: 2, total: 4 });
    const names = ["a1", "a2", "b1", "b2", "a3", "b3", "a4", "c1", "c2"];
    const all = names.map((name) => run(name.charCodeAt(0), name));
    expect(started).to.deep.equal(["a1", "a2", "b1", "b2"]);
    await end("a1");
    expect(started.at(-1), "none of theirs is running").to.equal("c1");
    await end("b1");
    expect(started.at(-1), "one of each is running: the longest wait").to.equal("a3");
    await end("a2");
    expect(started.at(-1)).to.equal("b3");
    for (const name of ["b2", "a3", "b3", "a4", "c1", "c2"]) {
      await end(name);
    }
    expect(await Promise.all(all)).to.deep.equal(names);
  });

  it("throws after the maximum wait, and forgets the waiter", async () => {
    const { limit, run, started, end } = setUp({ perTenant: 1, total: 2 }, 20);
    const first = run(1, "first");
    expect(await errorOf(run(1, "second"))).to.equal(busy);
    expect(await limit(2, async () => "another's")).to.equal("another's");
    await end("first");
    expect(await first).to.equal("first");
    expect(started).to.deep.equal(["first"]);
    expect(await limit(1, async () => "next")).to.equal("next");
  });

  it("queues twenty waiters of a tenant and rejects the next at once", async () => {
    const { run, end } = setUp({ perTenant: 1, total: 2 });
    const names = Array.from({ length: 21 }, (_, index) => `work ${index}`);
    const all = names.map((name) => run(1, name));
    expect(await errorOf(run(1, "one more"))).to.equal(busy);
    const other = run(2, "another's");
    await end("another's");
    expect(await other).to.equal("another's");
    for (const name of names) {
      await end(name);
    }
    expect(await Promise.all(all)).to.deep.equal(names);
  });

  it("admits the next waiter after work that failed", async () => {
    const { limit } = setUp({ perTenant: 1, total: 1 });
    const fault = new Error("no database");
    const failing = errorOf(limit(1, () => Promise.reject(fault)));
    const next = limit(1, async () => "next");
    expect(await failing).to.equal(fault);
    expect(await next).to.equal("next");
  });
});
