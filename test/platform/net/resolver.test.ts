import type { LookupAddress } from "node:dns";
import { expect } from "chai";
import {
  createResolver,
  DnsError,
  domainOf,
  type ResolverOptions,
} from "../../../src/platform/net/resolver.ts";
import { eventually } from "../../support/eventually.ts";

function answerOf(address: string): LookupAddress[] {
  return [{ address, family: 4 }];
}

const never = new Promise<LookupAddress[]>(() => undefined);

async function hangForEver(): Promise<LookupAddress[]> {
  return never;
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "no failure",
    (error: unknown) => error,
  );
}

/** A scripted DNS server, and a clock that the test controls. */
function setUp(
  answers: Record<string, () => Promise<LookupAddress[]>>,
  options: Partial<ResolverOptions> = {},
) {
  const asked: string[] = [];
  let now = 0;
  const resolver = createResolver({
    lookup: async (hostname) => {
      asked.push(hostname);
      return (answers[hostname] ?? (async () => answerOf("8.8.8.8")))();
    },
    timeoutMs: 30,
    freshMs: 1_000,
    staleMs: 10_000,
    nowMs: () => now,
    ...options,
  });
  return {
    resolver,
    asked,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe("the resolver", () => {
  it("shares one lookup between concurrent callers", async () => {
    const { resolver, asked } = setUp({});
    await Promise.all([resolver.resolve("a.test"), resolver.resolve("a.test")]);
    expect(asked).to.deep.equal(["a.test"]);
  });

  it("returns a fresh answer from the cache, and refreshes an old one in the background", async () => {
    let address = "8.8.8.8";
    const { resolver, asked, pass } = setUp({ "a.test": async () => answerOf(address) });
    expect(await resolver.resolve("a.test")).to.deep.equal(answerOf("8.8.8.8"));
    pass(999);
    expect(await resolver.resolve("a.test")).to.deep.equal(answerOf("8.8.8.8"));
    expect(asked).to.have.length(1);
    address = "1.1.1.1";
    pass(1);
    expect(await resolver.resolve("a.test")).to.deep.equal(answerOf("8.8.8.8"));
    await eventually(async () => {
      expect(await resolver.resolve("a.test")).to.deep.equal(answerOf("1.1.1.1"));
    });
    expect(asked).to.have.length(2);
  });

  it("does not use an expired answer", async () => {
    let address = "8.8.8.8";
    const { resolver, pass } = setUp({ "a.test": async () => answerOf(address) });
    await resolver.resolve("a.test");
    address = "1.1.1.1";
    pass(11_000);
    expect(await resolver.resolve("a.test")).to.deep.equal(answerOf("1.1.1.1"));
  });

  it("uses cached answers during a DNS outage", async () => {
    let isDown = false;
    const { resolver, asked, pass } = setUp({
      "a.test": async () => {
        if (isDown) {
          throw Object.assign(new Error("down"), { code: "EAI_AGAIN" });
        }
        return answerOf("8.8.8.8");
      },
    });
    await resolver.resolve("a.test");
    isDown = true;
    pass(5_000);
    expect(await resolver.resolve("a.test")).to.deep.equal(answerOf("8.8.8.8"));
    await eventually(() => expect(asked).to.have.length(2));
    expect(await resolver.resolve("a.test")).to.deep.equal(answerOf("8.8.8.8"));
  });

  it("rejects with the error code, and retries the next time", async () => {
    const { resolver, asked } = setUp({
      "gone.test": async () => {
        throw Object.assign(new Error("x"), { code: "ENOTFOUND" });
      },
      "odd.test": async () => {
        throw new Error("no code");
      },
    });
    const failure = await failureOf(resolver.resolve("gone.test"));
    expect(failure).to.be.instanceOf(DnsError).and.to.have.property("code", "ENOTFOUND");
    await failureOf(resolver.resolve("gone.test"));
    expect(asked).to.have.length(2);
    expect(await failureOf(resolver.resolve("odd.test"))).to.have.property("code", "EAI_FAIL");
  });

  it("times out for a slow name, without a second thread", async () => {
    const { resolver, asked } = setUp({ "slow.test": async () => never });
    const failure = await failureOf(resolver.resolve("slow.test"));
    expect(failure).to.have.property("code", "EDNSTIMEOUT");
    expect(await failureOf(resolver.resolve("slow.test"))).to.have.property("code", "EDNSTIMEOUT");
    expect(asked).to.deep.equal(["slow.test"]);
  });

  it("uses a late answer the next time", async () => {
    let answer: (addresses: LookupAddress[]) => void = () => undefined;
    const late = new Promise<LookupAddress[]>((resolve) => {
      answer = resolve;
    });
    const { resolver } = setUp({ "slow.test": async () => late });
    await failureOf(resolver.resolve("slow.test"));
    answer(answerOf("8.8.8.8"));
    await late;
    await eventually(async () => {
      expect(await resolver.resolve("slow.test")).to.deep.equal(answerOf("8.8.8.8"));
    });
  });

  it("lets slow names wait only for each other", async () => {
    let late: ((addresses: LookupAddress[]) => void)[] = [];
    const hang = async (): Promise<LookupAddress[]> =>
      new Promise((resolve) => {
        late.push(resolve);
      });
    const names = ["s1.test", "s2.test", "s3.test"];
    const { resolver, asked, pass } = setUp(Object.fromEntries(names.map((name) => [name, hang])));
    const failures = await Promise.all(names.map((name) => failureOf(resolver.resolve(name))));
    expect(failures.map((failure) => (failure as DnsError).code)).to.deep.equal(
      names.map(() => "EDNSTIMEOUT"),
    );
    late.forEach((answer) => answer(answerOf("8.8.8.8")));
    late = [];
    for (const name of names) {
      await eventually(() => resolver.resolve(name));
    }
    pass(20_000); // their answers have expired, but they are still marked as slow
    asked.length = 0;
    const [first] = names.map((name) => failureOf(resolver.resolve(name)));
    expect(await resolver.resolve("good.test")).to.deep.equal(answerOf("8.8.8.8"));
    expect(asked).to.deep.equal(["s1.test", "good.test"]);
    expect(await first).to.have.property("code", "EDNSTIMEOUT");
  });

  it("limits concurrent lookups", async () => {
    const open: ((addresses: LookupAddress[]) => void)[] = [];
    const wait = async (): Promise<LookupAddress[]> =>
      new Promise((resolve) => {
        open.push(resolve);
      });
    const { resolver, asked } = setUp(
      { "1.test": wait, "2.test": wait, "3.test": wait },
      { maxRunning: 2 },
    );
    const answers = ["1.test", "2.test", "3.test"].map((name) => resolver.resolve(name));
    expect(asked).to.deep.equal(["1.test", "2.test"]);
    open[0]?.(answerOf("8.8.8.8"));
    await answers[0];
    await eventually(() => expect(asked).to.deep.equal(["1.test", "2.test", "3.test"]));
    open.forEach((answer) => answer(answerOf("8.8.8.8")));
    await Promise.all(answers);
  });

  const hanging = (names: string[]) => Object.fromEntries(names.map((name) => [name, hangForEver]));
  const numbered = (count: number, name: (n: number) => string): string[] =>
    Array.from({ length: count }, (_, n) => name(n));

  /** The result for a valid name while all earlier names hang. */
  const validAmong = async (slow: string[]): Promise<unknown> => {
    const { resolver } = setUp(hanging(slow), { timeoutMs: 2_000, lateMs: 5 });
    const failures = slow.map((name) => failureOf(resolver.resolve(name)));
    const isSettled = Promise.race(failures).then(() => true);
    const found = await resolver.resolve("good.test");
    expect(await Promise.race([isSettled, Promise.resolve(false)])).to.equal(false);
    await Promise.all(failures);
    return found;
  };

  it("does not delay a fast name behind a dozen slow ones", async () => {
    const slow = numbered(12, (n) => `slow.domain${n}.test`);
    expect(await validAmong(slow)).to.deep.equal(answerOf("8.8.8.8"));
  });

  it("does not delay a fast name behind any number of slow ones of another domain", async () => {
    const slow = numbered(400, (n) => `s${n}.slow.test`);
    expect(await validAmong(slow)).to.deep.equal(answerOf("8.8.8.8"));
    expect(await validAmong(slow.map((name) => `${name}.au`))).to.deep.equal(answerOf("8.8.8.8"));
  });

  it("uses at most 13 threads for slow names", async () => {
    const slow = numbered(50, (n) => `slow.domain${n}.test`);
    const { resolver, asked } = setUp(hanging(slow), { timeoutMs: 1_000, lateMs: 2 });
    const failures = await Promise.all(slow.map((name) => failureOf(resolver.resolve(name))));
    expect(failures.map((failure) => (failure as DnsError).code)).to.deep.equal(
      slow.map(() => "EDNSTIMEOUT"),
    );
    expect(asked).to.deep.equal(slow.slice(0, 13));
  });

  it("marks the whole domain of a slow name, except proven names", async () => {
    const { resolver, asked } = setUp(hanging(["a.slow.test", "b.slow.test"]));
    await resolver.resolve("proven.slow.test");
    await failureOf(resolver.resolve("a.slow.test"));
    await failureOf(resolver.resolve("b.slow.test")); // occupies the slow slot
    asked.length = 0;
    const unproven = failureOf(resolver.resolve("c.slow.test"));
    expect(await resolver.resolve("other.test")).to.deep.equal(answerOf("8.8.8.8"));
    expect(await unproven).to.have.property("code", "EDNSTIMEOUT");
    expect(asked).to.deep.equal(["other.test"]);
  });

  it("keeps refreshing a proven name of a slow domain", async () => {
    const { resolver, asked, pass } = setUp(hanging(["a.slow.test", "b.slow.test"]));
    await resolver.resolve("proven.slow.test");
    await failureOf(resolver.resolve("a.slow.test"));
    const slow = failureOf(resolver.resolve("b.slow.test"));
    asked.length = 0;
    pass(20_000);
    expect(await resolver.resolve("proven.slow.test")).to.deep.equal(answerOf("8.8.8.8"));
    expect(asked).to.deep.equal(["proven.slow.test"]);
    await slow;
  });

  it("times out a queued name too, and resolves it later", async () => {
    const open: ((addresses: LookupAddress[]) => void)[] = [];
    const wait = async (): Promise<LookupAddress[]> =>
      new Promise((resolve) => {
        open.push(resolve);
      });
    const { resolver, asked } = setUp({ "1.test": wait }, { maxRunning: 1, lateMs: 1_000 });
    const first = failureOf(resolver.resolve("1.test"));
    const second = failureOf(resolver.resolve("2.test"));
    expect(await first).to.have.property("code", "EDNSTIMEOUT");
    expect(await second).to.have.property("code", "EDNSTIMEOUT");
    open[0]?.(answerOf("8.8.8.8"));
    await eventually(() => resolver.resolve("1.test"));
    expect(await resolver.resolve("2.test")).to.deep.equal(answerOf("8.8.8.8"));
    expect(asked).to.deep.equal(["1.test", "2.test"]);
  });

  it("rejects immediately if too many names wait, and resolves them later", async () => {
    let answer: (addresses: LookupAddress[]) => void = () => undefined;
    const { resolver } = setUp(
      {
        "1.test": async () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      },
      { maxRunning: 1, maxWaiting: 1, timeoutMs: 2_000, lateMs: 2_000 },
    );
    const taken = [resolver.resolve("1.test"), resolver.resolve("2.test")];
    const failure = await failureOf(resolver.resolve("3.test"));
    expect(failure).to.be.instanceOf(DnsError).and.to.have.property("code", "EAI_AGAIN");
    answer(answerOf("8.8.8.8"));
    await Promise.all(taken);
    expect(await resolver.resolve("3.test")).to.deep.equal(answerOf("8.8.8.8"));
  });

  it("uses the last two labels as the domain, or three below a public suffix", () => {
    const domains = {
      "a.b.example.com": "example.com",
      "EXAMPLE.com.": "example.com",
      "hook.shop.co.uk": "shop.co.uk",
      "hook.shop.com.br": "shop.com.br",
      localhost: "localhost",
    };
    expect(Object.keys(domains).map(domainOf)).to.deep.equal(Object.values(domains));
  });

  it("resolves names like every program of the host", async () => {
    const found = await createResolver().resolve("localhost");
    expect(found.map(({ address }) => address)).to.satisfy((all: string[]) =>
      all.every((address) => address === "127.0.0.1" || address === "::1"),
    );
  });
});
