import { expect } from "chai";
import {
  createDnsPool,
  type DnsPoolOptions,
  type DnsSlot,
} from "../../../src/platform/concurrency/dns-pool.ts";

function setUp(options: Partial<DnsPoolOptions> = {}) {
  const lane = createDnsPool({ slots: 2, maxLate: 1, perGroup: 2, maxWaiting: 3, ...options });
  const turns = new Map<string, DnsSlot>();
  return {
    /** Names in the order in which they started. */
    started: () => [...turns.keys()],
    turn: (name: string): DnsSlot => turns.get(name) ?? expect.fail(`${name} has not started`),
    enter: (name: string, group = name) => lane.acquire(group, (turn) => turns.set(name, turn)),
  };
}

describe("a lane of lookups", () => {
  it("starts as many as it has slots, and the next in turn order", () => {
    const { enter, started, turn } = setUp();
    ["a", "b", "c", "d"].forEach((name) => enter(name));
    expect(started()).to.deep.equal(["a", "b"]);
    turn("b").release();
    expect(started()).to.deep.equal(["a", "b", "c"]);
    turn("a").release();
    turn("c").release();
    expect(started()).to.deep.equal(["a", "b", "c", "d"]);
  });

  it("gives the slot of a late one to the next, up to its bound of late ones", () => {
    const { enter, started, turn } = setUp();
    ["a", "b", "c", "d"].forEach((name) => enter(name));
    turn("a").markLate();
    expect(started()).to.deep.equal(["a", "b", "c"]);
    turn("b").markLate();
    expect(started()).to.deep.equal(["a", "b", "c"]);
    turn("a").release();
    expect(started()).to.deep.equal(["a", "b", "c", "d"]);
  });

  it("does not start more of a group than it may, late or not, and lets others pass", () => {
    const { enter, started, turn } = setUp({ slots: 3, maxLate: 3 });
    ["a1", "a2", "a3"].forEach((name) => enter(name, "a"));
    expect(started()).to.deep.equal(["a1", "a2"]);
    turn("a1").markLate();
    enter("b");
    expect(started()).to.deep.equal(["a1", "a2", "b"]);
    turn("a1").release();
    expect(started()).to.deep.equal(["a1", "a2", "b", "a3"]);
  });

  it("does not start who has given up waiting", () => {
    const { enter, started, turn } = setUp({ slots: 1 });
    enter("a");
    const giveUp = enter("b");
    enter("c");
    giveUp?.();
    turn("a").release();
    expect(started()).to.deep.equal(["a", "c"]);
  });

  it("takes nobody more where enough wait", () => {
    const { enter, started, turn } = setUp({ slots: 1, maxWaiting: 1 });
    enter("a");
    expect(enter("b")).to.be.a("function");
    expect(enter("c")).to.equal(undefined);
    turn("a").release();
    turn("b").release();
    expect(started()).to.deep.equal(["a", "b"]);
    expect(enter("d")).to.be.a("function");
  });
});
