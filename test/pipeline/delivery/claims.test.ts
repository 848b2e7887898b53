import { expect } from "chai";
import type { DeliverJob } from "../../../src/contracts/jobs.ts";
import {
  claimedByJob,
  createClaims,
  type ClaimsDeps,
} from "../../../src/pipeline/delivery/claims.ts";
import { freshForMs } from "../../../src/pipeline/ledger/reservation.ts";
import { createTestClock } from "../../support/clock.ts";

describe("the claims of a worker", () => {
  const setUp = (more: Partial<ClaimsDeps> = {}) => {
    const clock = createTestClock();
    const asked: DeliverJob[] = [];
    const requeued: DeliverJob[] = [];
    const claims = createClaims({
      claimInLedger: async (job) => {
        asked.push(job);
        return claimedByJob(job);
      },
      requeue: async (job) => void requeued.push(job),
      clock,
      ...more,
    });
    const job: DeliverJob = {
      deliveryId: 5,
      generation: 1,
      fresh: {
        subscriptionId: 9,
        revision: 3,
        sequence: 41,
        object: "ticket",
        eventId: "evt_1",
        body: "{}",
        occurredAt: clock.now().getTime(),
        queuedAt: clock.now().getTime(),
      },
    };
    return { clock, asked, requeued, claims, job };
  };

  it("need no ledger for a fresh job, for half a second, and between clocks that differ by it", async () => {
    for (const [ms, expected] of [
      [0, 0],
      [freshForMs, 0],
      [freshForMs + 1, 1],
      [-freshForMs, 0],
      [-freshForMs - 1, 1],
    ] as const) {
      const { clock, asked, claims, job } = setUp();
      clock.advance(ms);
      expect(await claims.claim(job)).to.deep.equal(claimedByJob(job));
      expect(asked, `${ms} ms`).to.have.length(expected);
    }
  });

  it("ask the ledger about every other job", async () => {
    const { asked, claims } = setUp();
    const job = { deliveryId: 5, generation: 2 };
    expect(await claims.claim(job)).to.equal(undefined);
    expect(asked).to.deep.equal([job]);
  });

  it("give a fresh job back that the ledger refuses, and no other", async () => {
    const { clock, claims, job, requeued } = setUp({ claimInLedger: async () => undefined });
    clock.advance(freshForMs + 1);
    expect(await claims.claim(job)).to.equal(undefined);
    expect(await claims.claim({ deliveryId: 6, generation: 1 })).to.equal(undefined);
    expect(requeued).to.deep.equal([job]);
  });

  it("ask the ledger for a second after a failure of the receiver", async () => {
    const { clock, asked, claims, job } = setUp();
    claims.distrust(9);
    await claims.claim(job);
    expect(asked).to.have.length(1);
    clock.advance(2 * freshForMs);
    const fresh = { ...job.fresh!, queuedAt: clock.now().getTime() };
    await claims.claim({ ...job, fresh });
    expect(asked).to.have.length(1);
  });

  /** A ledger whose first `fails` claims fail, with the claims that were requested. */
  const setUpSlow = (fails: number) => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const asked: DeliverJob[] = [];
    const claimInLedger = async (job: DeliverJob) => {
      asked.push(job);
      if (asked.length <= fails) {
        throw new Error("the database is away");
      }
      end();
      return claimedByJob(job);
    };
    return { ...setUp({ claimAfterMs: 1, claimInLedger }), asked, ended };
  };

  it("are stored for an attempt that takes long, if it has none", async () => {
    const { clock, asked, claims, job, ended } = setUpSlow(0);
    await claims.claim(job);
    await claims.claimIfSlow(job, () => ended);
    expect(asked).to.deep.equal([{ ...job, isUnderWay: true }]);
    clock.advance(freshForMs + 1);
    const old = { ...job };
    await claims.claim(old);
    await claims.claimIfSlow(old, async () => undefined);
    expect(asked.slice(1)).to.deep.equal([job]);
  });

  it("are stored as soon as the ledger can, while the attempt takes long", async () => {
    const { asked, claims, job, ended } = setUpSlow(2);
    await claims.claim(job);
    await claims.claimIfSlow(job, () => ended);
    const late = { ...job, isUnderWay: true };
    expect(asked).to.deep.equal([late, late, late]);
  });

  it("are not stored for an attempt that ends in time, or fails", async () => {
    const { asked, claims, job } = setUp();
    await claims.claim(job);
    await claims.claimIfSlow(job, async () => undefined);
    const failed = await claims
      .claimIfSlow(job, () => Promise.reject(new Error("no")))
      .catch((error: Error) => error.message);
    expect([failed, asked]).to.deep.equal(["no", []]);
  });
});
