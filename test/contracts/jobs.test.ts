import { expect } from "chai";
import { deliveriesOf, shareJobs, type DeliverJob } from "../../src/contracts/jobs.ts";

const claimed = (deliveryId: number): DeliverJob => ({ deliveryId, generation: 1 });

const fresh = (deliveryId: number): DeliverJob => ({
  ...claimed(deliveryId),
  fresh: {
    subscriptionId: 1,
    revision: 1,
    sequence: deliveryId,
    object: "ticket",
    eventId: `evt_${deliveryId}`,
    body: "{}",
    occurredAt: 0,
    queuedAt: 0,
  },
});

const idsOf = (jobs: readonly DeliverJob[]): number[][] =>
  jobs.map((job) => deliveriesOf(job).map(({ deliveryId }) => deliveryId));

describe("jobs of several deliveries", () => {
  it("hold fresh deliveries next to each other, in their order", () => {
    const deliveries = [fresh(1), fresh(2), claimed(3), claimed(4), fresh(5)];
    const jobs = shareJobs(deliveries);
    expect(idsOf(jobs)).to.deep.equal([[1, 2], [3], [4], [5]]);
    expect(jobs.flatMap(deliveriesOf)).to.deep.equal(deliveries);
    expect(jobs.slice(1)).to.deep.equal(deliveries.slice(2)); // single jobs are unchanged
  });

  it("hold eight at most", () => {
    const deliveries = Array.from({ length: 20 }, (_, index) => fresh(index + 1));
    const jobs = shareJobs(deliveries);
    expect(jobs.map((job) => deliveriesOf(job).length)).to.deep.equal([8, 8, 4]);
    expect(jobs.flatMap(deliveriesOf)).to.deep.equal(deliveries);
    expect(shareJobs([])).to.deep.equal([]);
  });
});
