import { expect } from "chai";
import {
  createFairQueue,
  type FairQueue,
  type Requester,
} from "../../../src/platform/concurrency/queues.ts";

type Waiter = { name: string };

function unknown(group: string): Requester {
  return { group, isPreferred: false };
}
function known(group: string): Requester {
  return { group, isPreferred: true };
}

function add(queue: FairQueue<Waiter>, requester: Requester, name: string) {
  return queue.add(requester, { name });
}

function drain(queue: FairQueue<Waiter>): string[] {
  const names: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    names.push(next.name);
  }
  return names;
}

describe("a fair queue", () => {
  it("serves groups round-robin", () => {
    const queue = createFairQueue<Waiter>(10);
    for (const name of ["a1", "a2", "a3"]) {
      add(queue, unknown("a"), name);
    }
    add(queue, unknown("b"), "b1");
    add(queue, unknown("c"), "c1");
    expect(queue.size()).to.equal(5);
    expect(drain(queue)).to.deep.equal(["a1", "b1", "c1", "a2", "a3"]);
    expect(queue.size()).to.equal(0);
  });

  it("serves preferred waiters three times of four", () => {
    const queue = createFairQueue<Waiter>(10);
    for (let i = 1; i <= 5; i += 1) {
      add(queue, unknown("a"), `a${i}`);
      add(queue, known("b"), `b${i}`);
    }
    const order = ["b1", "b2", "b3", "a1", "b4", "b5", "a2", "a3", "a4", "a5"];
    expect(drain(queue)).to.deep.equal(order);
  });

  it("makes room for a new waiter in the largest group, newest first", () => {
    const queue = createFairQueue<Waiter>(3);
    for (const name of ["a1", "a2", "a3"]) {
      expect(add(queue, unknown("a"), name)).to.deep.equal({ isAccepted: true });
    }
    expect(add(queue, unknown("a"), "a4")).to.deep.equal({ isAccepted: false });
    const displaced = { name: "a3" };
    expect(add(queue, unknown("b"), "b1")).to.deep.equal({ isAccepted: true, displaced });
    expect(add(queue, unknown("b"), "b2")).to.deep.equal({ isAccepted: false });
    expect(drain(queue)).to.deep.equal(["a1", "b1", "a2"]);
  });

  it("rejects a waiter if every group has one, and keeps preferred waiters apart", () => {
    const queue = createFairQueue<Waiter>(2);
    add(queue, unknown("a"), "a1");
    add(queue, unknown("b"), "b1");
    expect(add(queue, unknown("c"), "c1").isAccepted).to.equal(false);
    expect(add(queue, known("c"), "c1").isAccepted).to.equal(true);
    expect(drain(queue)).to.deep.equal(["c1", "a1", "b1"]);
  });

  it("removes waiters that stopped waiting", () => {
    const queue = createFairQueue<Waiter>(1);
    const waiter = { name: "a1" };
    queue.add(unknown("a"), waiter);
    queue.remove(unknown("a"), waiter);
    queue.remove(unknown("a"), waiter);
    expect(queue.size()).to.equal(0);
    expect(add(queue, unknown("b"), "b1").isAccepted).to.equal(true);
    expect(drain(queue)).to.deep.equal(["b1"]);
  });

  it("can serve the newest of a group first; a flood displaces itself", () => {
    const queue = createFairQueue<Waiter>(3, { isNewestFirst: true });
    for (const name of ["a1", "a2", "a3"]) {
      add(queue, unknown("a"), name);
    }
    const { isAccepted, displaced } = add(queue, unknown("a"), "a4");
    expect([isAccepted, displaced?.name]).to.deep.equal([true, "a1"]);
    expect(add(queue, unknown("b"), "b1").displaced?.name).to.equal("a2");
    expect(queue.size()).to.equal(3);
    expect(drain(queue)).to.deep.equal(["b1", "a4", "a3"]);
  });

  it("serves a new group before groups already served, even after they left", () => {
    const queue = createFairQueue<Waiter>(10);
    add(queue, unknown("a"), "a1");
    add(queue, unknown("b"), "b1");
    expect(drain(queue)).to.deep.equal(["a1", "b1"]);
    for (const name of ["b", "a", "c"]) {
      add(queue, unknown(name), `${name}2`);
    }
    expect(drain(queue)).to.deep.equal(["c2", "a2", "b2"]);
  });

  it("displaces from the group that would be served last if all have one size", () => {
    const queue = createFairQueue<Waiter>(2, { isNewestFirst: true });
    const enter = (name: string) => add(queue, unknown(name), name);
    enter("a");
    enter("b");
    expect(enter("c").displaced?.name).to.equal("a"); // neither was served before: the oldest entry
    expect(drain(queue)).to.deep.equal(["c", "b"]);
    enter("b");
    enter("c");
    expect(enter("d").displaced?.name).to.equal("b"); // b was served most recently
    expect(enter("b")).to.deep.equal({ isAccepted: false });
    expect(drain(queue)).to.deep.equal(["d", "c"]);
  });

  it("serves a new group next during a flood from many groups", () => {
    const queue = createFairQueue<Waiter>(20, { isNewestFirst: true });
    const attackers = Array.from({ length: 40 }, (_, n) => unknown(`attacker ${n}`));
    const flood = () => attackers.forEach((attacker) => add(queue, attacker, attacker.group));
    const served = new Set<string | undefined>();
    while (served.size < attackers.length) {
      flood();
      served.add(queue.next()?.name);
    }
    add(queue, unknown("user"), "user");
    flood();
    expect(queue.next()?.name).to.equal("user");
  });

  it("remembers when 200 groups were served", () => {
    const queue = createFairQueue<Waiter>(1, { isNewestFirst: true });
    for (let n = 0; n <= 200; n += 1) {
      add(queue, unknown(`${n}`), `${n}`);
      queue.next();
    }
    add(queue, unknown("1"), "1");
    expect(add(queue, unknown("0"), "0").displaced?.name).to.equal("1");
  });
});
