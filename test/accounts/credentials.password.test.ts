import { expect } from "chai";
import { hash } from "@node-rs/argon2";
import { createPasswords, generatePassword } from "../../src/accounts/credentials.ts";
import type { Requester } from "../../src/platform/concurrency/queues.ts";
import { meetsPasswordRule } from "../../src/contracts/password-rule.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { eventually } from "../support/eventually.ts";

function stranger(group: string): Requester {
  return { group, isPreferred: false };
}

describe("passwords", () => {
  for (const [password, isValid] of [
    ["Abcdef12", true],
    ["abcdefgh1jkl", true],
    ["aaaaaaaaaaaa", true],
    ["Éàbcdef1", true],
    ["Abcdef1", false],
    ["abcdefg1", false],
    ["ABCDEFG1", false],
    ["Abcdefgh", false],
    ["😀😀😀😀😀😀", false],
    ["x".repeat(1025), false],
  ] as const) {
    it(`${isValid ? "accepts" : "rejects"} "${password.slice(0, 20)}"`, () => {
      expect(meetsPasswordRule(password)).to.equal(isValid);
    });
  }

  it("generates valid, readable, unique passwords", () => {
    const made = Array.from({ length: 50 }, () => generatePassword(randomIds));
    for (const password of made) {
      expect(password).to.match(/^([0-9A-Za-z]{5}-){3}[0-9A-Za-z]{5}$/u);
      expect(meetsPasswordRule(password)).to.equal(true);
    }
    expect(new Set(made).size).to.equal(50);
  });

  it("verifies passwords with argon2id and the configured cost", async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash("Abcdef12");
    expect(stored).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u);
    expect(await passwords.check(stored, "Abcdef12")).to.deep.equal({
      isCorrect: true,
      isOutdated: false,
    });
    expect((await passwords.check(stored, "Abcdef13")).isCorrect).to.equal(false);
  });

  it("reports an outdated cost if the password is correct", async () => {
    const stored = await hash("Abcdef12", { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    const passwords = createPasswords();
    expect((await passwords.check(stored, "Abcdef12")).isOutdated).to.equal(true);
    expect((await passwords.check(stored, "wrong")).isOutdated).to.equal(false);
  });

  it("accepts no password without a stored hash, not even the one of the decoy", async () => {
    const passwords = createPasswords();
    const { isCorrect } = await passwords.check(undefined, "nobody has this password");
    expect(isCorrect).to.equal(false);
  });

  it("takes the same time with and without a user", async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash("Abcdef12");
    await passwords.check(undefined, "warm up");
    const timeOf = async (value: string | undefined): Promise<number> => {
      const startedAt = performance.now();
      await passwords.check(value, "wrong");
      return performance.now() - startedAt;
    };
    const fastest = { without: Number.POSITIVE_INFINITY, with: Number.POSITIVE_INFINITY };
    for (let i = 0; i < 8; i += 1) {
      fastest.without = Math.min(fastest.without, await timeOf(undefined));
      fastest.with = Math.min(fastest.with, await timeOf(stored));
    }
    expect(fastest.without / fastest.with).to.be.within(0.3, 3);
  });

  it("hashes two at a time, the others in order, and continues after a failure", async () => {
    const { limitHashing } = createPasswords();
    const gates: (() => void)[] = [];
    let running = 0;
    const work = (index: number) =>
      limitHashing(stranger("a"), async () => {
        running += 1;
        await new Promise<void>((resolve) => gates.push(resolve));
        running -= 1;
        if (index === 0) {
          throw new Error("failed");
        }
        return index;
      }).catch(() => "failed");
    const all = Promise.all([0, 1, 2, 3].map(work));
    await eventually(() => gates.length === 2);
    expect(running).to.equal(2);
    gates.shift()?.();
    await eventually(() => gates.length === 2);
    expect(running).to.equal(2);
    while (gates.length > 0) {
      gates.shift()?.();
      await new Promise(setImmediate);
    }
    expect(await all).to.deep.equal(["failed", 1, 2, 3]);
  });

  it("rejects a request when the queue is full", async () => {
    const { limitHashing } = createPasswords();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const all = Array.from({ length: 103 }, () =>
      limitHashing(stranger("a"), () => held).catch((e: unknown) => e),
    );
    const last = await all.at(-1);
    expect(last).to.have.property("kind", "dependency_down");
    release();
    const results = await Promise.all(all);
    expect(results.filter((result) => result === undefined)).to.have.length(102);
  });

  describe("while one network floods the queue", () => {
    const flood = () => {
      const { limitHashing } = createPasswords();
      const order: string[] = [];
      let open = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      const send = (requester: Requester, name: string): Promise<unknown> =>
        limitHashing(requester, async () => {
          await gate;
          order.push(name);
        }).catch((thrown: unknown) => thrown);
      const sent = Array.from({ length: 400 }, () => send(stranger("192.0.2.0/24"), "flood"));
      return { send, order, sent, open };
    };

    it("serves a waiter of another network next", async () => {
      const { send, order, sent, open } = flood();
      const other = send(stranger("198.51.100.0/24"), "other");
      open();
      expect(await other).to.equal(undefined);
      await Promise.all(sent);
      expect(order.indexOf("other")).to.be.at.most(4);
      expect(order).to.have.length(102);
    });

    it("has a separate queue for known clients", async () => {
      const { send, order, sent, open } = flood();
      const others = Array.from({ length: 300 }, (_, i) => send(stranger(`net ${i}`), "other"));
      const known = send({ group: "203.0.113.0/24", isPreferred: true }, "known");
      open();
      expect(await known).to.equal(undefined);
      await Promise.all([...sent, ...others]);
      expect(order.indexOf("known")).to.be.at.most(3);
    });
  });
});
