import { expect } from "chai";
import { createLoginPacer } from "../../../src/accounts/sign-in/throttling.ts";
import type { RateVerdict } from "../../../src/http/rate-limit.ts";
import type { Requester } from "../../../src/platform/concurrency/queues.ts";
import { eventually } from "../../support/eventually.ts";

function verdict(isAllowed: boolean): RateVerdict {
  return {
    isAllowed,
    limit: 1,
    remaining: 0,
    resetSeconds: 6,
  };
}

/** A rate limiter whose permits the test grants per key. */
function createPace() {
  const turns = new Map<string, number>();
  return {
    give: (key: string): void => void turns.set(key, (turns.get(key) ?? 0) + 1),
    take: async (key: string): Promise<RateVerdict> => {
      const left = turns.get(key) ?? 0;
      turns.set(key, Math.max(0, left - 1));
      return verdict(left > 0);
    },
  };
}

function from(group: string): Requester {
  return { group, isPreferred: false };
}

function waitingFor(maxWaitMs = 60_000) {
  const pace = createPace();
  const line = createLoginPacer({ pace, pollMs: 1, maxWaitMs });
  const served: string[] = [];
  const refused: unknown[] = [];
  const wait = (key: string, requester: Requester, name: string): Promise<void> =>
    line.wait(key, requester).then(
      () => void served.push(name),
      (thrown: unknown) => void refused.push(thrown),
    );
  return { pace, wait, served, refused };
}

describe("the queue of a throttled login", () => {
  it("admits one at a time, round-robin by network, the newest of a network first", async () => {
    const { pace, wait, served } = waitingFor();
    const all = [
      wait("l", from("a"), "a1"),
      wait("l", from("a"), "a2"),
      wait("l", from("a"), "a3"),
      wait("l", from("b"), "b1"),
    ];
    for (let n = 1; n <= 4; n += 1) {
      pace.give("l");
      await eventually(() => served.length === n);
    }
    await Promise.all(all);
    expect(served).to.deep.equal(["b1", "a3", "a2", "a1"]);
  });

  it("is separate for each login", async () => {
    const { pace, wait, served } = waitingFor();
    const first = wait("l", from("a"), "l");
    pace.give("m");
    await wait("m", from("a"), "m");
    expect(served).to.deep.equal(["m"]);
    pace.give("l");
    await first;
  });

  it("rejects a waiter that times out, with Retry-After", async () => {
    const { wait, refused } = waitingFor(5);
    await wait("l", from("a"), "a");
    expect(refused).to.have.length(1);
    expect(refused[0]).to.include({ kind: "rate_limited" });
    expect(refused[0]).to.have.nested.property("headers.Retry-After", "30");
  });

  it("rejects the oldest waiter of the largest network if the queue is full", async () => {
    const { pace, wait, served, refused } = waitingFor();
    const flood = Array.from({ length: 30 }, () => wait("l", from("a"), "a"));
    await eventually(() => refused.length === 10);
    const other = wait("l", from("b"), "b");
    await eventually(() => refused.length === 11);
    pace.give("l");
    await other;
    expect(served).to.deep.equal(["b"]);
    Array.from({ length: 19 }, () => pace.give("l"));
    await Promise.all(flood);
  });

  it("admits a waiter that arrives after a flood from the same network next", async () => {
    const { pace, wait, served, refused } = waitingFor();
    const flood = Array.from({ length: 40 }, (_, n) => wait("l", from("a"), `a${n}`));
    await eventually(() => refused.length === 20);
    const user = wait("l", from("a"), "user");
    pace.give("l");
    await user;
    expect(served).to.deep.equal(["user"]);
    await eventually(() => refused.length === 21);
    for (let n = 0; n < 19; n += 1) {
      pace.give("l");
    }
    await Promise.all(flood);
  });

  it("remembers the served networks while it was empty", async () => {
    const { pace, wait, served } = waitingFor();
    const attackers = ["a", "b", "c", "d", "e", "f"];
    for (let round = 1; round <= 2; round += 1) {
      const all = attackers.map((group) => wait("l", from(group), group));
      attackers.forEach(() => pace.give("l"));
      await Promise.all(all);
    }
    const user = wait("l", from("user"), "user");
    const again = attackers.map((group) => wait("l", from(group), group));
    pace.give("l");
    await user;
    expect(served.slice(12)).to.deep.equal(["user"]);
    attackers.forEach(() => pace.give("l"));
    await Promise.all(again);
  });

  it("keeps room for known clients while unknown clients fill the queues of all logins", async () => {
    const { pace, wait, served, refused } = waitingFor(500);
    const flood = Array.from({ length: 1_000 }, (_, n) =>
      wait(`login ${n % 100}`, from(`network ${n}`), "stranger"),
    );
    await wait("login", from("another"), "stranger");
    expect(refused).to.have.length(1);
    pace.give("client");
    await wait("client", { group: "home", isPreferred: true }, "user");
    expect(served).to.deep.equal(["user"]);
    await Promise.all(flood);
  });
});
