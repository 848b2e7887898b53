import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import type { DeliverJob } from "../../../src/contracts/jobs.ts";
import { eventually } from "../../support/eventually.ts";
import { setUpSlowReceivers as setUp } from "../../support/slow-receivers.ts";

describe("the slow receivers of a worker", () => {
  it("are not limited while their requests are quick", async () => {
    const { start, limitOf, endAll, advance } = setUp();
    start(2, 10);
    advance(1);
    start(1, 60);
    advance(499);
    expect(await limitOf(1)).to.equal(undefined);
    expect(await limitOf(2)).to.equal(8);
    await endAll();
  });

  it("get an eighth of the overflow that is left", async () => {
    const { start, limitOf, endAll, advance } = setUp();
    start(1, 10);
    advance(500);
    expect(await limitOf(1)).to.equal(8);
    start(2, 7);
    start(3, 6);
    advance(500);
    expect(await limitOf(1)).to.equal(7);
    expect(await limitOf(2), "has its share").to.equal(7);
    expect(await limitOf(3), "has less than its share").to.equal(undefined);
    await endAll();
  });

  it("keep a request each, whatever there is", async () => {
    const { start, limitOf, endAll, advance } = setUp();
    start(1, 90);
    start(2, 1);
    advance(500);
    expect(await limitOf(1)).to.equal(1);
    expect(await limitOf(2)).to.equal(1);
    expect(await limitOf(3)).to.equal(undefined);
    await endAll();
  });

  it("limit all others when half of the overflow is used, but not their windows", async () => {
    const { receivers, jobFor, start, limitOf, hang, endAll, advance, ...seen } = setUp();
    const { narrowed, requeued, running } = seen;
    start(1, 39);
    advance(500);
    start(2, 20);
    expect(await limitOf(2), "half is still free").to.equal(undefined);
    start(1, 1);
    advance(500);
    // Those that are about to start are counted, too.
    const jobs = Array.from({ length: 18 }, () => jobFor(3));
    running.push(...jobs.map((job) => receivers.handle(job, "ticket", hang)));
    await eventually(() =>
      expect(requeued).to.deep.equal(jobs.slice(16).map(({ deliveryId }) => deliveryId)),
    );
    expect(narrowed).to.deep.equal([]);
    await endAll();
    expect(await limitOf(3)).to.equal(undefined);
  });

  it("are counted once per request, from its job to its end", async () => {
    const { receivers, jobFor, start, limitOf, hang, endAll, advance, running, requeued } = setUp();
    const jobs = Array.from({ length: 16 }, () => jobFor(1));
    const send = ({ deliveryId, fresh }: (typeof jobs)[number]) =>
      receivers.watch({ ...fresh, deliveryId }, hang);
    running.push(...jobs.map((job) => receivers.handle(job, "ticket", () => send(job))));
    // The queue may give a job to the same process again.
    running.push(receivers.handle(jobs[0]!, "ticket", hang));
    advance(500);
    expect(await limitOf(1)).to.equal(8);
    await endAll();
    expect(await limitOf(1)).to.equal(undefined);
    start(1, 20);
    advance(500);
    const requeuedBefore = requeued.length;
    await receivers.handle(jobs[0]!, "ticket", hang);
    expect(requeued.slice(requeuedBefore), "its first run is over").to.deep.equal([1]);
    await endAll();
  });

  it("are limited whether their jobs are fresh or not, but not if a job does not name them", async () => {
    const { receivers, start, endAll, advance, requeued } = setUp();
    start(1, 20);
    advance(500);
    const handled: DeliverJob[] = [];
    const handle = (job: DeliverJob) =>
      receivers.handle(job, "ticket", async (one) => void handled.push(one));
    const unnamed = { deliveryId: 1_000, generation: 2 };
    await handle(unnamed);
    await handle({ deliveryId: 1_001, generation: 2, subscriptionId: 1 });
    expect(handled).to.deep.equal([unnamed]);
    expect(requeued).to.deep.equal([1_001]);
    await endAll();
  });

  it("are not limited if slow requests keep their slots", async () => {
    const { start, limitOf, endAll, advance, narrowed } = setUp({ capacity: 0 });
    start(1, 3);
    advance(500);
    expect(await limitOf(1)).to.equal(undefined);
    expect(narrowed).to.deep.equal([]);
    await endAll();
  });

  it("have a smaller window before their deliveries are due again", async () => {
    const order: string[] = [];
    const { start, limitOf, receivers, jobFor, endAll, advance } = setUp({
      narrow: async () => {
        await nextTurn();
        order.push("narrowed");
        return true;
      },
      requeue: async () => void order.push("due"),
    });
    start(1, 20);
    advance(500);
    await receivers.handle(jobFor(1), "ticket", async () => void order.push("sent"));
    expect(order).to.deep.equal(["narrowed", "due"]);
    await endAll();
    expect(await limitOf(1)).to.equal(undefined);
  });

  it("leave a job to the queue if their window could not be narrowed", async () => {
    const { start, receivers, jobFor, endAll, advance, requeued } = setUp({
      narrow: () => Promise.reject(new Error("Postgres is away")),
    });
    start(1, 20);
    advance(500);
    const sent: number[] = [];
    const failure = await receivers
      .handle(jobFor(1), "ticket", async (job) => void sent.push(job.deliveryId))
      .catch(String);
    expect(failure).to.equal("Error: Postgres is away");
    expect([sent, requeued]).to.deep.equal([[], []]);
    await endAll();
  });

  it("are limited per queue", async () => {
    const { start, limitOf, endAll, advance } = setUp();
    start(1, 20);
    advance(500);
    expect(await limitOf(1)).to.equal(7);
    expect(await limitOf(1, "media")).to.equal(undefined);
    await endAll();
  });

  it("are not limited any more once they have answered", async () => {
    const { start, limitOf, endAll, advance } = setUp();
    start(1, 20);
    advance(500);
    expect(await limitOf(1)).to.equal(7);
    await endAll();
    expect(await limitOf(1)).to.equal(undefined);
  });

  it("pass results and errors on", async () => {
    const { receivers, jobFor } = setUp();
    const { deliveryId, fresh } = jobFor(1);
    const one = { ...fresh, deliveryId };
    expect(await receivers.watch(one, async () => "an answer")).to.equal("an answer");
    const failure = await receivers.watch(one, () => Promise.reject(new Error("no"))).catch(String);
    expect(failure).to.equal("Error: no");
  });
});
