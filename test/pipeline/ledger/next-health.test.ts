import { expect } from "chai";
import type { Health } from "../../../src/pipeline/ledger/health.ts";
import {
  nextHealth,
  emptyBatchOutcome,
  type BatchOutcome,
  type WindowLimits,
} from "../../../src/pipeline/ledger/next-health.ts";

describe("the concurrency window of a subscription", () => {
  const now = new Date("2026-11-20T10:00:00Z");
  const health = (windowSize: number, more: Partial<Health> = {}): Health => ({
    subscriptionId: 1,
    lastSequence: 0,
    windowSize,
    throttledUntil: null,
    failingSince: null,
    warnedAt: null,
    failuresInRow: 0,
    probeAt: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    lastFailure: null,
    ...more,
  });
  const bounds: WindowLimits = { maxInFlight: 256, pace: "full" };
  const seen = (more: Partial<BatchOutcome>): BatchOutcome => ({ ...emptyBatchOutcome, ...more });
  const after = (size: number, more: Partial<BatchOutcome>) =>
    nextHealth(health(size), seen(more), bounds, now).windowSize;

  it("grows by one per fast success, up to its limit", () => {
    expect(after(8, { successes: 5, successMs: 250 })).to.equal(13);
    expect(after(250, { successes: 50, successMs: 500 })).to.equal(256);
  });

  it("grows only to a third of the limit for a medium-latency receiver", () => {
    let size = 8;
    for (let i = 0; i < 100; i += 1) {
      size = after(size, { successes: 5, successMs: 5 * 300 });
    }
    expect(Math.floor(size)).to.equal(85);
    expect(after(256, { successes: 5, successMs: 5 * 900 })).to.equal(128);
  });

  it("halves once per batch with congestion, for any other results", () => {
    expect(after(64, { successes: 10, failures: 3, congested: true })).to.equal(32);
  });

  it("never falls below one request", () => {
    let size = 64;
    for (let i = 0; i < 20; i += 1) {
      size = after(size, { failures: 1, congested: true });
    }
    expect(size).to.equal(1);
  });

  it("does not shrink for failures unrelated to load", () => {
    expect(after(40, { failures: 4 })).to.equal(40);
  });

  it("shrinks to a few requests for a high-latency receiver", () => {
    let size = 100;
    for (let i = 0; i < 10; i += 1) {
      size = after(size, { successes: 4, successMs: 4 * 2_000 });
    }
    expect(size).to.equal(4);
    expect(after(2, { successes: 1, successMs: 2_000 })).to.equal(3);
  });

  it("stores since when there were only failures, until the first success", () => {
    const failing = nextHealth(health(8), seen({ failures: 1 }), bounds, now);
    expect(failing.failingSince).to.deep.equal(now);
    const later = new Date(now.getTime() + 60_000);
    const still = nextHealth(failing, seen({ failures: 1 }), bounds, later);
    expect(still.failingSince).to.deep.equal(now);
    const mended = nextHealth(still, seen({ successes: 1, failures: 2 }), bounds, later);
    expect(mended.failingSince).to.equal(null);
    expect(mended.lastSuccessAt).to.deep.equal(later);
  });

  it("throttles for the longest requested time", () => {
    const long = nextHealth(health(8), seen({ failures: 1, throttleMs: 60_000 }), bounds, now);
    expect(long.throttledUntil).to.deep.equal(new Date(now.getTime() + 60_000));
    const short = nextHealth(long, seen({ failures: 1, throttleMs: 1_000 }), bounds, now);
    expect(short.throttledUntil).to.deep.equal(long.throttledUntil);
  });

  describe("its circuit", () => {
    const at = (ms: number): Date => new Date(now.getTime() + ms);
    const failing = health(16, { failuresInRow: 9, failingSince: now });
    const failed = (before: Health, ms: number, failures = 1): Health =>
      nextHealth(before, seen({ failures }), bounds, at(ms));

    it("opens after ten failures over at least five seconds", () => {
      expect(failed(failing, 4_999).probeAt).to.equal(null);
      expect(failed(health(16, { failingSince: now }), 60_000, 9).probeAt).to.equal(null);
      const open = failed(failing, 5_000);
      expect(open.probeAt).to.deep.equal(at(7_000));
      expect(open.windowSize).to.equal(1);
    });

    it("probes less often the longer it is open, but at least every two minutes", () => {
      const pauses = [8_000, 40_000, 100_000, 3_600_000].map(
        (ms) => failed(failing, ms).probeAt!.getTime() - at(ms).getTime(),
      );
      expect(pauses).to.deep.equal([2_000, 10_000, 25_000, 120_000]);
    });

    it("closes at the first success, and the window then grows from one request", () => {
      const open = failed(failing, 3_600_000);
      const closed = nextHealth(open, seen({ successes: 1, successMs: 5 }), bounds, at(3_700_000));
      expect(closed).to.include({ probeAt: null, failuresInRow: 0, windowSize: 2 });
      expect(
        nextHealth(closed, seen({ successes: 2, successMs: 9 }), bounds, now).windowSize,
      ).to.equal(4);
    });

    it("stays closed with occasional successes", () => {
      let wavering = failing;
      for (let i = 0; i < 50; i += 1) {
        wavering = nextHealth(
          wavering,
          seen({ successes: 1, successMs: 5, failures: 9 }),
          bounds,
          at(i * 10_000),
        );
      }
      expect(wavering.probeAt).to.equal(null);
    });
  });

  it("clears the warning at the first success", () => {
    const warned = health(8, { warnedAt: now, failingSince: now });
    expect(nextHealth(warned, seen({ failures: 1 }), bounds, now).warnedAt).to.deep.equal(now);
    expect(nextHealth(warned, seen({ successes: 1 }), bounds, now).warnedAt).to.equal(null);
  });

  describe("while a backlog drains", () => {
    const draining = seen({ successes: 20, successMs: 100, isCatchingUp: true });

    const sizeAfter = (
      size: number,
      pace: WindowLimits["pace"],
      { batch = draining, ms = 500 }: { batch?: BatchOutcome; ms?: number } = {},
    ): number => {
      const before = health(size, { lastSuccessAt: new Date(now.getTime() - ms) });
      return nextHealth(before, batch, { ...bounds, pace }, now).windowSize;
    };

    it("grows slowly with its successes if there is nothing else to send", () => {
      expect(sizeAfter(10, "full")).to.equal(11);
    });

    it("grows with time, not with successes, beside fresh deliveries", () => {
      expect(sizeAfter(10, "careful")).to.equal(11);
      expect(sizeAfter(10, "careful", { ms: 5 })).to.be.closeTo(10.01, 0.001);
      expect(sizeAfter(10, "careful", { ms: 60_000 })).to.equal(12);
      expect(
        nextHealth(health(10), draining, { ...bounds, pace: "careful" }, now).windowSize,
      ).to.equal(10);
    });

    it("halves in a second while fresh deliveries start late", () => {
      expect(sizeAfter(32, "reduced", { ms: 1_000 })).to.equal(16);
      expect(sizeAfter(32, "reduced", { ms: 10 })).to.be.closeTo(31.8, 0.1);
    });

    it("changes as fast if processes with different clocks take turns", () => {
      const sizeAfterSecond = (size: number, pace: WindowLimits["pace"], differenceMs: number) => {
        let latest = health(size, { lastSuccessAt: now });
        for (let ms = 10; ms <= 1_000; ms += 10) {
          const time = new Date(now.getTime() + ms + (ms % 20 === 0 ? differenceMs : 0));
          latest = nextHealth(latest, draining, { ...bounds, pace }, time);
        }
        return latest.windowSize;
      };
      expect(sizeAfterSecond(10, "careful", 300)).to.be.closeTo(12.6, 0.1);
      expect(sizeAfterSecond(200, "reduced", 300)).to.be.closeTo(200 * 0.5 ** 1.3, 1);
    });

    it("changes on after the clock was set back", () => {
      const future = health(10, { lastSuccessAt: new Date(now.getTime() + 3_600_000) });
      const limits: WindowLimits = { ...bounds, pace: "careful" };
      const first = nextHealth(future, draining, limits, now);
      const later = new Date(now.getTime() + 500);
      expect(nextHealth(first, draining, limits, later).windowSize).to.equal(11);
    });

    it("keeps a minimum of a few requests", () => {
      expect(sizeAfter(4, "reduced")).to.equal(4);
      const one = seen({ ...draining, successes: 1, successMs: 5 });
      expect(sizeAfter(1, "reduced", { batch: one })).to.equal(2);
    });

    it("does not affect subscriptions without a backlog", () => {
      const batch = seen({ successes: 5, successMs: 9 });
      expect(sizeAfter(10, "reduced", { batch })).to.equal(15);
    });
  });

  it("stores the result of the newest failure until a success", () => {
    const failedAs = { status: 500, failure: null };
    const failed = nextHealth(health(8), seen({ failures: 1, failedAs }), bounds, now);
    expect(failed.lastFailure).to.deep.equal(failedAs);
    expect(nextHealth(failed, emptyBatchOutcome, bounds, now).lastFailure).to.deep.equal(failedAs);
    const refused = { status: null, failure: "refused" };
    const again = nextHealth(failed, seen({ failures: 1, failedAs: refused }), bounds, now);
    expect(again.lastFailure).to.deep.equal(refused);
    expect(nextHealth(again, seen({ successes: 1 }), bounds, now).lastFailure).to.equal(null);
  });
});
