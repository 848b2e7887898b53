import { expect } from "chai";
import {
  createDnsPool,
  type DnsPoolOptions,
  type DnsSlot,
} from "../../../src/platform/concurrency/bulkhead.ts";

function setUp(options: Partial<DnsPoolOptions> = {}) {
  const pool = createDnsPool({ slots: 2, maxLate: 1, perGroup: 2, maxWaiting: 3, ...options });
  const slots = new Map<string, DnsSlot>();
  return {
    /** Names in the order of their start. */
    started: () => [...slots.keys()],
    slot: (name: string): DnsSlot => slots.get(name) ?? expect.fail(`${name} has not started`),
    acquire: (name: string, group = name) => pool.acquire(group, (slot) => slots.set(name, slot)),
  };
}

describe("a DNS pool", () => {
  it("starts as many lookups as it has slots, and the next ones in order", () => {
    const { acquire, started, slot } = setUp();
    ["a", "b", "c", "d"].forEach((name) => acquire(name));
    expect(started()).to.deep.equal(["a", "b"]);
    slot("b").release();
    expect(started()).to.deep.equal(["a", "b", "c"]);
    slot("a").release();
    slot("c").release();
    expect(started()).to.deep.equal(["a", "b", "c", "d"]);
  });

  it("gives the slot of a late lookup to the next one, up to its limit of late ones", () => {
    const { acquire, started, slot } = setUp();
    ["a", "b", "c", "d"].forEach((name) => acquire(name));
    slot("a").markLate();
    expect(started()).to.deep.equal(["a", "b", "c"]);
    slot("b").markLate();
    expect(started()).to.deep.equal(["a", "b", "c"]);
    slot("a").release();
    expect(started()).to.deep.equal(["a", "b", "c", "d"]);
  });

  it("limits a group, late lookups included, and lets other groups pass", () => {
    const { acquire, started, slot } = setUp({ slots: 3, maxLate: 3 });
    ["a1", "a2", "a3"].forEach((name) => acquire(name, "a"));
    expect(started()).to.deep.equal(["a1", "a2"]);
    slot("a1").markLate();
    acquire("b");
    expect(started()).to.deep.equal(["a1", "a2", "b"]);
    slot("a1").release();
    expect(started()).to.deep.equal(["a1", "a2", "b", "a3"]);
  });

  it("does not start an abandoned lookup", () => {
    const { acquire, started, slot } = setUp({ slots: 1 });
    acquire("a");
    const giveUp = acquire("b");
    acquire("c");
    giveUp?.();
    slot("a").release();
    expect(started()).to.deep.equal(["a", "c"]);
  });

  it("rejects a lookup when the queue is full", () => {
    const { acquire, started, slot } = setUp({ slots: 1, maxWaiting: 1 });
    acquire("a");
    expect(acquire("b")).to.be.a("function");
    expect(acquire("c")).to.equal(undefined);
    slot("a").release();
    slot("b").release();
    expect(started()).to.deep.equal(["a", "b"]);
    expect(acquire("d")).to.be.a("function");
  });
});
