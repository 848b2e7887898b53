import { expect } from "chai";
import { createTail } from "../../src/signalling/tail.ts";
import { eventually } from "../support/eventually.ts";

/** A table of ids, of which some are committed later than others. */
const setUp = () => {
  let nowMs = 0;
  const committed = new Set<number>();
  const told: number[] = [];
  const connected = [7];
  const asked: number[] = [];
  const faults = { left: 0 };
  const tail = createTail<{ id: number }>({
    read: async (ask) => {
      const ids = [...committed].toSorted((a, b) => a - b);
      if ("after" in ask) {
        asked.push(ask.after);
        return ids.filter((id) => id > ask.after).map((id) => ({ id }));
      }
      return ids.filter((id) => ask.ids.includes(id)).map((id) => ({ id }));
    },
    last: async () => Math.max(0, ...committed),
    enterprises: () => connected,
    emit: async ({ id }) => {
      if (faults.left > 0) {
        faults.left -= 1;
        throw new Error("nobody can be asked who may read it");
      }
      told.push(id);
    },
    nowMs: () => nowMs,
  });
  return {
    tail,
    committed,
    told,
    connected,
    asked,
    faults,
    pass: (ms: number) => void (nowMs += ms),
  };
};

describe("the tail of messages", () => {
  it("tells each message once, whether it was hinted, found, or both", async () => {
    const { tail, committed, told } = setUp();
    await tail.ready();
    committed.add(1).add(2);
    tail.hint(7, 1);
    await eventually(() => told.length === 1);
    await tail.look();
    tail.hint(7, 2);
    await tail.look();
    expect(told).to.deep.equal([1, 2]);
  });

  it("finds a message that commits after one with a higher id", async () => {
    const { tail, committed, told, pass } = setUp();
    await tail.ready();
    committed.add(9);
    await tail.look();
    pass(14_000);
    committed.add(8);
    await tail.look();
    expect(told).to.deep.equal([9, 8]);
  });

  it("tells later what could not be told at first, once", async () => {
    const { tail, committed, told, faults } = setUp();
    await tail.ready();
    committed.add(1).add(2);
    faults.left = 2;
    tail.hint(7, 1);
    await eventually(() => faults.left === 1);
    const failed = await tail.look().catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    await tail.look();
    await tail.look();
    expect(told).to.deep.equal([1, 2]);
  });

  it("reads no more than it has to: what is long told is behind it", async () => {
    const { tail, committed, told, asked, pass } = setUp();
    await tail.ready();
    committed.add(5);
    await tail.look();
    pass(31_000);
    await tail.look();
    await tail.look();
    expect(asked).to.deep.equal([0, 5, 5]);
    expect(told).to.deep.equal([5]);
  });

  it("tells nothing of before anybody was there, nor of enterprises of which nobody is", async () => {
    const { tail, committed, told, connected } = setUp();
    committed.add(1);
    await tail.ready();
    tail.hint(8, 1);
    await tail.look();
    connected.pop();
    committed.add(2);
    await tail.look();
    connected.push(7);
    await tail.look();
    expect(told).to.deep.equal([]);
    committed.add(3);
    await tail.look();
    expect(told).to.deep.equal([3]);
  });
});
