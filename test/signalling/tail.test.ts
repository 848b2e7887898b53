import { expect } from "chai";
import { createTail } from "../../src/signalling/tail.ts";
import { eventually } from "../support/eventually.ts";

type Row = { id: number; enterpriseId: number; place: string };

/** A fake table whose rows are committed out of order. */
function setUp() {
  let nowMs = 0;
  const committed = new Map<number, Row>();
  const events: number[] = [];
  const connected = [7];
  const asked: number[] = [];
  const faults = { left: 0, place: "", isAway: false };
  const gates: Promise<void>[] = [];
  const commit = (id: number, enterpriseId = 7, place = "a") =>
    void committed.set(id, { id, enterpriseId, place });
  const tail = createTail<Row>({
    read: async (ask) => {
      if (faults.isAway) {
        throw new Error("the database is away");
      }
      const rows = [...committed.values()]
        .filter(({ enterpriseId }) => ask.enterpriseIds.includes(enterpriseId))
        .toSorted((a, b) => a.id - b.id);
      if ("after" in ask) {
        asked.push(ask.after);
        return rows.filter(({ id }) => id > ask.after);
      }
      return rows.filter(({ id }) => ask.ids.includes(id));
    },
    last: async () => Math.max(0, ...committed.keys()),
    enterprises: () => connected,
    orderingKey: ({ place }) => place,
    emit: async ({ id, place }) => {
      await gates.shift();
      if (faults.left > 0 || faults.place === place) {
        faults.left -= 1;
        throw new Error("nobody can be asked who may read it");
      }
      events.push(id);
    },
    nowMs: () => nowMs,
  });
  const pass = (ms: number): void => void (nowMs += ms);
  return { tail, commit, emitted: events, connected, asked, faults, gates, pass };
}

describe("the tail of messages", () => {
  it("emits each message once, by wake-up, by poll, or by both", async () => {
    const { tail, commit, emitted: events } = setUp();
    await tail.ready();
    commit(1);
    commit(2);
    tail.onWakeup(7, 1);
    await eventually(() => events.includes(1));
    await tail.poll();
    tail.onWakeup(7, 2);
    await tail.poll();
    expect(events).to.deep.equal([1, 2]);
  });

  it("finds a message that commits after one with a higher id", async () => {
    const { tail, commit, emitted: notified, pass } = setUp();
    await tail.ready();
    commit(9);
    await tail.poll();
    pass(14_000);
    commit(8);
    await tail.poll();
    expect(notified).to.deep.equal([9, 8]);
  });

  it("finds it even after a period in which nothing could be read", async () => {
    const { tail, commit, emitted: written, faults, pass } = setUp();
    await tail.ready();
    commit(11);
    tail.onWakeup(7, 11);
    await eventually(() => written.length === 1);
    commit(10);
    faults.isAway = true;
    for (let polls = 0; polls < 4; polls += 1) {
      pass(31_000);
      expect(await tail.poll().catch((error: unknown) => error)).to.be.instanceOf(Error);
    }
    faults.isAway = false;
    await tail.poll();
    expect(written).to.deep.equal([11, 10]);
  });

  it("retries a failed message later, once", async () => {
    const { tail, commit, emitted, faults } = setUp();
    await tail.ready();
    commit(1);
    commit(2);
    faults.left = 2;
    tail.onWakeup(7, 1);
    await eventually(() => faults.left === 1);
    const failed = await tail.poll().catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    await tail.poll();
    await tail.poll();
    expect(emitted).to.deep.equal([1, 2]);
  });

  it("emits messages of one key in order, even if some are slow or fail", async () => {
    const { tail, commit, emitted, faults, gates } = setUp();
    await tail.ready();
    let open = (): void => {};
    gates.push(new Promise((resolve) => (open = resolve)));
    commit(10);
    tail.onWakeup(7, 10);
    await new Promise(setImmediate);
    commit(11);
    const polled = tail.poll();
    await new Promise(setImmediate);
    open();
    await polled;
    expect(emitted, "the poll waits for the wake-up before it").to.deep.equal([10, 11]);
    commit(12);
    faults.left = 1;
    tail.onWakeup(7, 12);
    await eventually(() => faults.left === 0);
    commit(13);
    tail.onWakeup(7, 13);
    await eventually(() => emitted.length === 4);
    expect(emitted).to.deep.equal([10, 11, 12, 13]);
  });

  it("continues with other keys if one fails", async () => {
    const { tail, commit, emitted, faults, pass } = setUp();
    await tail.ready();
    faults.place = "broken";
    commit(1, 7, "broken");
    commit(2);
    commit(3, 7, "broken");
    for (let polls = 0; polls < 3; polls += 1) {
      const failed = await tail.poll().catch((error: unknown) => error);
      expect(failed, "the fault is known").to.be.instanceOf(Error);
      pass(31_000);
    }
    expect(emitted).to.deep.equal([2]);
    faults.place = "";
    await tail.poll();
    expect(emitted).to.deep.equal([2, 1, 3]);
  });

  it("moves its cursor past emitted messages", async () => {
    const { tail, commit, emitted, asked, pass } = setUp();
    await tail.ready();
    commit(5);
    await tail.poll();
    pass(31_000);
    await tail.poll();
    await tail.poll();
    expect(asked).to.deep.equal([0, 0, 5]);
    expect(emitted).to.deep.equal([5]);
  });

  it("emits nothing older than the first connection, and nothing of unconnected enterprises", async () => {
    const { tail, commit, emitted, connected } = setUp();
    commit(1);
    await tail.ready();
    tail.onWakeup(8, 1);
    await tail.poll();
    connected.pop();
    commit(2);
    await tail.poll();
    connected.push(7);
    await tail.poll();
    expect(emitted).to.deep.equal([]);
    commit(3);
    await tail.poll();
    expect(emitted).to.deep.equal([3]);
  });

  it("emits nothing older than the connection of its own enterprise", async () => {
    const { tail, commit, emitted, connected } = setUp();
    await tail.ready();
    commit(1, 8);
    commit(2, 8);
    await tail.poll();
    connected.push(8);
    await tail.ready();
    commit(3, 8);
    await tail.poll();
    expect(emitted).to.deep.equal([3]);
    connected.pop();
    commit(4, 8);
    await tail.poll();
    connected.push(8);
    await tail.poll();
    expect(emitted).to.deep.equal([3]);
  });
});
