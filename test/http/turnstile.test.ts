import { expect } from "chai";
import { Problem } from "../../src/contracts/problems.ts";
import { createTurnstile } from "../../src/http/turnstile.ts";

const refusalOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return await work;
  } catch (thrown) {
    return thrown instanceof Problem ? [thrown.kind, thrown.headers["Retry-After"]] : thrown;
  }
};

describe("a turnstile", () => {
  it("refuses what is too much at once, and says when to come back", async () => {
    const enter = createTurnstile({ perEnterprise: 1, inAll: 2 }, "Too many.");
    let resolve: (value: string) => void = () => undefined;
    const first = enter(1, () => new Promise<string>((done) => (resolve = done)));
    expect(await refusalOf(enter(1, async () => "second"))).to.deep.equal(["rate_limited", "5"]);
    expect(await enter(2, async () => "another's")).to.equal("another's");
    resolve("first");
    expect(await first).to.equal("first");
    expect(await enter(1, async () => "next")).to.equal("next");
  });

  it("lets the next one in after one that failed", async () => {
    const enter = createTurnstile({ perEnterprise: 1, inAll: 1 }, "Too many.");
    const fault = new Error("no database");
    expect(await refusalOf(enter(1, () => Promise.reject(fault)))).to.equal(fault);
    expect(await enter(1, async () => "next")).to.equal("next");
  });
});
