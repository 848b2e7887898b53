import { expect } from "chai";
import { objectKinds, type ObjectKind } from "../../../src/contracts/events.ts";
import { createQueueCapacity } from "../../../src/pipeline/ledger/dispatcher.ts";
import { eventually } from "../../support/eventually.ts";

describe("queue capacity", () => {
  it("is polled again only for closed queues and those with new jobs", async () => {
    const polls = new Map<ObjectKind, number>();
    const full = new Set<ObjectKind>(["media"]);
    const room = createQueueCapacity({
      highWater: 10,
      queue: {
        counts: async (object) => {
          polls.set(object, (polls.get(object) ?? 0) + 1);
          return { waiting: full.has(object) ? 10 : 0, active: 0, delayed: 0, failed: 0 };
        },
      },
    });
    const stop = new AbortController();
    const running = room.run(stop.signal);
    await eventually(() => polls.size === objectKinds.length);
    await eventually(() => room.closed().join() === "media");
    room.markGrown("ticket");
    const readsAt = (object: ObjectKind): number => polls.get(object) ?? 0;
    await eventually(() => readsAt("media") - readsAt("smsmessage") >= 2);
    expect(readsAt("ticket")).to.be.greaterThan(readsAt("smsmessage"));
    full.clear();
    await eventually(() => room.closed().length === 0);
    stop.abort();
    await running;
  });

  it("is not awaited any longer if a queue does not answer", async () => {
    const room = createQueueCapacity({
      highWater: 10,
      queue: { counts: () => new Promise(() => undefined) },
    });
    const stop = new AbortController();
    const stopped = room.untilOpen(stop.signal);
    stop.abort();
    await stopped;
    await room.untilOpen(stop.signal); // aborted already
    const startedAt = performance.now();
    await room.untilOpen(new AbortController().signal);
    expect(performance.now() - startedAt).to.be.within(1_900, 4_000);
    expect(room.closed()).to.have.members([...objectKinds]);
  });
});
