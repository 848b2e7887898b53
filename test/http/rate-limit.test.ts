import { expect } from "chai";
import { createRateLimiter, type RateLimiter } from "../../src/http/rate-limit.ts";
import type { RateStore } from "../../src/http/rate-store.ts";
import { eventually } from "../support/eventually.ts";
import { promised } from "../support/promised.ts";

/** A store that counts its calls, and responds when the test says so. */
function createStore(windowMs = 60_000) {
  const counts = new Map<string, number>();
  const asked: number[] = [];
  const state = { mode: "ok" as "ok" | "failing" | "hanging" };
  const store: RateStore = {
    add: async (key, points) => {
      asked.push(points);
      if (state.mode === "failing") {
        throw new Error("down");
      }
      if (state.mode === "hanging") {
        return new Promise(() => undefined);
      }
      counts.set(key, (counts.get(key) ?? 0) + points);
      return { total: counts.get(key) ?? 0, resetMs: windowMs };
    },
    reset: async (key) => {
      counts.delete(key);
    },
  };
  return { store, counts, asked, state };
}

async function times(limiter: RateLimiter, count: number, key = "u"): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (let i = 0; i < count; i += 1) {
    answers.push((await limiter.take(key)).isAllowed);
  }
  return answers;
}

function allowedOf(answers: boolean[]): number {
  return answers.filter(Boolean).length;
}

describe("rate limiter", () => {
  it("allows exactly the limit sequentially", async () => {
    const { store } = createStore();
    const limiter = createRateLimiter({ store, limit: 10, windowMs: 60_000 });
    const answers = await times(limiter, 15);
    expect(answers).to.deep.equal([...Array(10).fill(true), ...Array(5).fill(false)]);
  });

  it("allows exactly the limit concurrently", async () => {
    const { store } = createStore();
    const limiter = createRateLimiter({ store, limit: 100, windowMs: 60_000 });
    const verdicts = await Promise.all(Array.from({ length: 250 }, () => limiter.take("u")));
    expect(allowedOf(verdicts.map(({ isAllowed }) => isAllowed))).to.equal(100);
  });

  it("allows exactly the limit when two processes alternate", async () => {
    const { store, counts } = createStore();
    const deps = { store, limit: 60, windowMs: 60_000, flushEveryMs: 1 };
    const [a, b] = [createRateLimiter(deps), createRateLimiter(deps)];
    let allowed = 0;
    for (let i = 1; i <= 80; i += 1) {
      allowed += allowedOf(await times(i % 2 === 0 ? a : b, 1));
      await eventually(() => (counts.get("u") ?? 0) >= Math.min(i, 60), { everyMs: 1 });
    }
    expect(allowed).to.equal(60);
  });

  it("allows exactly the limit when two processes get all calls concurrently", async () => {
    const { store } = createStore();
    const deps = { store, limit: 60, windowMs: 60_000 };
    const [a, b] = [createRateLimiter(deps), createRateLimiter(deps)];
    const verdicts = await Promise.all(
      Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? a : b).take("u")),
    );
    expect(allowedOf(verdicts.map(({ isAllowed }) => isAllowed))).to.equal(60);
  });

  it("returns limit, remaining calls and reset time", async () => {
    const { store } = createStore(30_000);
    const limiter = createRateLimiter({ store, limit: 3, windowMs: 60_000 });
    const { limit, remaining, resetSeconds } = await limiter.take("u");
    expect({ limit, remaining, resetSeconds }).to.deep.equal({
      limit: 3,
      remaining: 2,
      resetSeconds: 30,
    });
  });

  it("counts keys separately", async () => {
    const { store } = createStore();
    const limiter = createRateLimiter({ store, limit: 1, windowMs: 60_000 });
    expect((await limiter.take("a")).isAllowed).to.equal(true);
    expect((await limiter.take("b")).isAllowed).to.equal(true);
    expect((await limiter.take("a")).isAllowed).to.equal(false);
  });

  it("resets at the end of the window", async () => {
    const { store, counts } = createStore();
    let nowMs = 0;
    const limiter = createRateLimiter({ store, limit: 1, windowMs: 60_000, nowMs: () => nowMs });
    await limiter.take("u");
    expect((await limiter.take("u")).isAllowed).to.equal(false);
    nowMs = 60_001;
    counts.clear();
    expect((await limiter.take("u")).isAllowed).to.equal(true);
  });

  it("resets at the end of the window although the host's clock was set back", async () => {
    const { store, counts } = createStore(20);
    const hostNow = Date.now;
    let setBackMs = 0;
    Date.now = () => hostNow() - setBackMs;
    try {
      const limiter = createRateLimiter({ store, limit: 1, windowMs: 20 });
      await limiter.take("u");
      setBackMs = 3_600_000;
      counts.clear();
      await eventually(async () => (await limiter.take("u")).isAllowed);
    } finally {
      Date.now = hostNow;
    }
  });

  it("flushes calls far from the limit in few batches, without losing any", async () => {
    const { store, counts, asked } = createStore();
    const limiter = createRateLimiter({ store, limit: 600, windowMs: 60_000, flushEveryMs: 20 });
    await times(limiter, 300);
    await eventually(() => expect(counts.get("u")).to.equal(300));
    expect(asked.length).to.be.lessThan(30);
  });

  it("waits for no answer of the store far from the limit, once it knows the count", async () => {
    const { store, asked, state } = createStore();
    const deps = { store, limit: 600, windowMs: 60_000, flushEveryMs: 1, waitMs: 60_000 };
    const limiter = createRateLimiter(deps);
    await limiter.take("u");
    state.mode = "hanging";
    await limiter.take("u");
    await eventually(() => asked.length === 2); // from here on, a response is outstanding
    expect(await limiter.take("u")).to.include({ isAllowed: true, remaining: 597 });
  });

  it("does not use the store once the limit is reached", async () => {
    const { store, asked } = createStore();
    const limiter = createRateLimiter({ store, limit: 2, windowMs: 60_000 });
    await times(limiter, 100);
    expect(asked.length).to.be.at.most(3);
  });

  it("counts locally while the store fails, and retries after a pause", async () => {
    const { store, asked, state, counts } = createStore();
    let nowMs = 0;
    const limiter = createRateLimiter({
      store,
      limit: 10,
      windowMs: 60_000,
      backOffMs: 1_000,
      nowMs: () => nowMs,
    });
    state.mode = "failing";
    expect(allowedOf(await times(limiter, 15))).to.equal(10);
    expect(asked).to.have.length(1);
    state.mode = "ok";
    nowMs = 1_001;
    expect((await limiter.take("other")).isAllowed).to.equal(true);
    expect(counts.get("other")).to.equal(1);
  });

  it("waits briefly for a hanging store once, not on every call", async () => {
    const { store, state } = createStore();
    const limiter = createRateLimiter({ store, limit: 100, windowMs: 60_000, waitMs: 30 });
    state.mode = "hanging";
    const startedAt = performance.now();
    expect(allowedOf(await times(limiter, 120))).to.equal(100);
    expect(performance.now() - startedAt).to.be.within(25, promised(500));
  });

  it("peeks without counting", async () => {
    const { store } = createStore();
    const limiter = createRateLimiter({ store, limit: 2, windowMs: 60_000, nearShare: 0 });
    await limiter.peek("u");
    await limiter.take("u");
    expect(await limiter.peek("u")).to.include({ isAllowed: true, remaining: 1 });
    await limiter.take("u");
    expect(await limiter.peek("u")).to.include({ isAllowed: false, remaining: 0 });
  });

  it("sees the counts of other processes at once if nearShare is 0", async () => {
    const { store } = createStore();
    const deps = { store, limit: 5, windowMs: 60_000, nearShare: 0 };
    const [a, b] = [createRateLimiter(deps), createRateLimiter(deps)];
    await times(a, 5);
    expect((await b.peek("u")).isAllowed).to.equal(false);
  });

  it("resets a key together with its pending calls", async () => {
    const { store, counts } = createStore();
    const limiter = createRateLimiter({ store, limit: 100, windowMs: 60_000, flushEveryMs: 10 });
    await times(limiter, 5);
    await limiter.reset("u");
    expect((await limiter.take("u")).remaining).to.equal(99);
    expect(counts.get("u")).to.equal(1);
  });

  it("refunds a call, for all processes", async () => {
    const { store, counts } = createStore();
    const deps = { store, limit: 2, windowMs: 60_000, flushEveryMs: 1, nearShare: 0 };
    const [a, b] = [createRateLimiter(deps), createRateLimiter(deps)];
    expect(await times(a, 3)).to.deep.equal([true, true, false]);
    a.refund("u");
    await eventually(() => counts.get("u") === 1);
    expect(await times(b, 2)).to.deep.equal([true, false]);
  });

  it("ignores a refund for an unknown key", async () => {
    const { store, asked } = createStore();
    createRateLimiter({ store, limit: 2, windowMs: 60_000, flushEveryMs: 1 }).refund("u");
    expect(asked).to.deep.equal([]);
  });
});
