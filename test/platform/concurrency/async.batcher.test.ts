import { expect } from "chai";
import { createBatcher, type Gathering } from "../../../src/platform/concurrency/async.ts";
import { eventually } from "../../support/eventually.ts";

describe("a batcher", () => {
  /** `ends` resolve or reject the batches. */
  const setUp = (maxBatch = 100, gathering?: Gathering) => {
    const batches: number[][] = [];
    const ends: ((error?: Error) => void)[] = [];
    const batcher = createBatcher<number, string>(
      (items) => {
        batches.push([...items]);
        return new Promise((resolve, reject) => {
          ends.push((error) =>
            error === undefined ? resolve(items.map((item) => `r${item}`)) : reject(error),
          );
        });
      },
      maxBatch,
      gathering,
    );
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    return { batcher, batches, ends, turn };
  };

  it("batches the calls of one tick, and collects the next batch while one runs", async () => {
    const { batcher, batches, ends, turn } = setUp();
    const first = [batcher.add(1), batcher.add(2)];
    await turn();
    const second = [batcher.add(3), batcher.add(4), batcher.add(5)];
    await turn();
    expect(batches).to.deep.equal([[1, 2]]);
    expect(batcher.size).to.equal(5);
    ends[0]?.();
    expect(await Promise.all(first)).to.deep.equal(["r1", "r2"]);
    await turn();
    ends[1]?.();
    expect(await Promise.all(second)).to.deep.equal(["r3", "r4", "r5"]);
    expect(batches).to.deep.equal([
      [1, 2],
      [3, 4, 5],
    ]);
    expect(batcher.size).to.equal(0);
  });

  it("never exceeds the maximum batch size", async () => {
    const { batcher, batches, ends, turn } = setUp(2);
    const all = [1, 2, 3].map((item) => batcher.add(item));
    await turn();
    ends[0]?.();
    await all[0];
    await turn();
    ends[1]?.();
    await Promise.all(all);
    expect(batches).to.deep.equal([[1, 2], [3]]);
  });

  it("rejects every item of a failed batch, and continues with the next", async () => {
    const { batcher, ends, turn } = setUp();
    const failed = batcher.add(1).catch((error: Error) => error.message);
    await turn();
    const fine = batcher.add(2);
    ends[0]?.(new Error("away"));
    expect(await failed).to.equal("away");
    await turn();
    ends[1]?.();
    expect(await fine).to.equal("r2");
  });

  describe("that gathers", () => {
    const gathering = { busyCount: 2, fullCount: 4, waitMs: 20, mayWait: () => true };

    it("lets calls wait for each other after a busy batch, and starts at once after a lone one", async () => {
      const { batcher, batches, ends, turn } = setUp(100, gathering);
      const all = [batcher.add(1), batcher.add(2)];
      await turn();
      ends[0]?.();
      await Promise.all(all);
      all.push(batcher.add(3));
      await turn();
      await turn();
      expect(batches).to.have.length(1);
      all.push(batcher.add(4));
      await eventually(() =>
        expect(batches).to.deep.equal([
          [1, 2],
          [3, 4],
        ]),
      );
      ends[1]?.();
      await Promise.all(all);
    });

    it("starts at once when nothing came while it gathered", async () => {
      const { batcher, batches, ends, turn } = setUp(100, { ...gathering, waitMs: 0 });
      const all = [batcher.add(1), batcher.add(2)];
      await turn();
      ends[0]?.();
      await Promise.all(all);
      await new Promise((resolve) => setTimeout(resolve)); // after the timer of the batcher
      void batcher.add(3);
      await turn();
      expect(batches).to.deep.equal([[1, 2], [3]]);
    });

    it("does not wait while it may not", async () => {
      const mayNot = { ...gathering, waitMs: 60_000, mayWait: () => false };
      const { batcher, batches, ends, turn } = setUp(100, mayNot);
      const first = [batcher.add(1), batcher.add(2)];
      await turn();
      ends[0]?.();
      await Promise.all(first);
      const second = batcher.add(3);
      await turn();
      expect(batches).to.deep.equal([[1, 2], [3]]);
      ends[1]?.();
      await second;
    });

    it("does not wait after a full batch, or with a full one waiting", async () => {
      const { batcher, batches, ends, turn } = setUp(100, { ...gathering, waitMs: 60_000 });
      const first = [1, 2, 3, 4].map((item) => batcher.add(item));
      await turn();
      ends[0]?.();
      await Promise.all(first);
      const second = [batcher.add(5), batcher.add(6)];
      await turn();
      const third = [7, 8, 9, 10].map((item) => batcher.add(item));
      ends[1]?.();
      await Promise.all(second);
      await turn();
      expect(batches).to.deep.equal([
        [1, 2, 3, 4],
        [5, 6],
        [7, 8, 9, 10],
      ]);
      ends[2]?.();
      await Promise.all(third);
    });
  });

  describe("with patience", () => {
    const gathering = { busyCount: 10, fullCount: 3, waitMs: 0, mayWait: () => true };

    it("waits for others, and starts when the first has waited enough", async () => {
      const { batcher, batches, ends } = setUp(100, gathering);
      const all = [batcher.add(1, 20), batcher.add(2, 60_000)];
      await eventually(() => expect(batches).to.deep.equal([[1, 2]]));
      ends[0]?.();
      await Promise.all(all);
    });

    it("starts with the first item that has none", async () => {
      const { batcher, batches, ends, turn } = setUp(100, gathering);
      const all = [batcher.add(1, 60_000)];
      await turn();
      expect(batches).to.deep.equal([]);
      all.push(batcher.add(2));
      await turn();
      expect(batches).to.deep.equal([[1, 2]]);
      ends[0]?.();
      await Promise.all(all);
      all.push(batcher.add(3, 60_000));
      await turn();
      expect(batches).to.have.length(1);
      batcher.hurry();
      await turn();
      ends[1]?.();
      await Promise.all(all);
    });

    it("starts when it is full", async () => {
      const { batcher, batches, ends, turn } = setUp(100, gathering);
      const all = [1, 2, 3].map((item) => batcher.add(item, 60_000));
      await turn();
      expect(batches).to.deep.equal([[1, 2, 3]]);
      ends[0]?.();
      await Promise.all(all);
    });

    it("ends it for those that wait, also behind a batch that runs, and not for later ones", async () => {
      const { batcher, batches, ends, turn } = setUp(100, gathering);
      batcher.hurry(); // nothing waits
      const all = [batcher.add(1)];
      await turn();
      all.push(batcher.add(2, 60_000));
      batcher.hurry();
      ends[0]?.();
      await all[0];
      await turn();
      expect(batches).to.deep.equal([[1], [2]]);
      ends[1]?.();
      await all[1];
      all.push(batcher.add(3, 60_000));
      await turn();
      expect(batches).to.have.length(2);
      batcher.hurry();
      await turn();
      ends[2]?.();
      await Promise.all(all);
    });
  });
});
