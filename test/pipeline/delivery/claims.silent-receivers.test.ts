import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { setUpSlowReceivers as setUp } from "../../support/slow-receivers.ts";

describe("silent receivers", () => {
  it("get four requests if they leave five without an answer for a second", async () => {
    const { start, endAll, advance, narrowed } = setUp();
    start(1, 5);
    start(2, 4);
    advance(1_000);
    await eventually(() => expect(narrowed).to.deep.equal([{ subscriptionId: 1, size: 4 }]));
    start(3, 5);
    advance(1_000);
    const later = [
      { subscriptionId: 1, size: 4 },
      { subscriptionId: 3, size: 4 },
    ];
    await eventually(() => expect(narrowed, "once").to.deep.equal(later));
    await endAll();
    start(3, 5);
    advance(1_000);
    await eventually(() => expect(narrowed).to.deep.equal([...later, later[1]]));
    await endAll();
  });

  it("keep their window if one of their requests was answered, until they are silent", async () => {
    const { start, ends, endAll, advance, narrowed, running } = setUp();
    start(1, 7);
    start(2, 5);
    advance(600);
    ends[0]!();
    await running[0];
    advance(400);
    await eventually(() => expect(narrowed).to.deep.equal([{ subscriptionId: 2, size: 4 }]));
    advance(600);
    await eventually(() => expect(narrowed[1]).to.deep.equal({ subscriptionId: 1, size: 4 }));
    ends[1]!();
    await running[1];
    advance(1_000);
    await eventually(() => expect(narrowed[2]).to.deep.equal({ subscriptionId: 1, size: 4 }));
    await endAll();
  });

  it("are not silent because of requests that were not sent", async () => {
    const { receivers, jobFor, start, hang, endAll, advance, narrowed, running } = setUp();
    const jobs = Array.from({ length: 6 }, () => jobFor(1));
    running.push(...jobs.map((job) => receivers.handle(job, "ticket", hang)));
    start(2, 5);
    advance(1_000);
    await eventually(() => expect(narrowed).to.deep.equal([{ subscriptionId: 2, size: 4 }]));
    await endAll();
  });

  it("are not silent because this process was paused", async () => {
    let nowMs = 0;
    let onLook = (): void => undefined;
    const { start, endAll, narrowed } = setUp({
      now: () => {
        onLook();
        return nowMs;
      },
    });
    start(1, 5);
    nowMs = 5_000;
    const answered = new Promise<void>((resolve) => {
      // The answers are read right after the first look.
      onLook = () => {
        onLook = () => undefined;
        setImmediate(() => void endAll().then(resolve));
      };
    });
    await answered;
    expect(narrowed).to.deep.equal([]);
  });

  it("have their windows narrowed at the next tick if it failed", async () => {
    let calls = 0;
    const { start, endAll, advance } = setUp({
      narrow: async () => {
        calls += 1;
        if (calls === 1) {
          throw new Error("Postgres is away");
        }
        return true;
      },
    });
    start(1, 5);
    advance(1_000);
    await eventually(() => expect(calls).to.equal(2));
    await endAll();
  });
});
