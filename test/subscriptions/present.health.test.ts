import { expect } from "chai";
import { presentHealth } from "../../src/subscriptions/present.ts";

const now = new Date("2026-11-22T12:00:00Z");
const soon = new Date("2026-11-22T12:05:00Z");
const soonText = "2026-11-22T12:05:00+00:00";

const well = {
  mode: "push" as const,
  isActive: true,
  maxInFlight: null as number | null,
  failingSince: null as Date | null,
  asOf: now,
  health: {
    windowSize: 12.7,
    failuresInRow: 0,
    throttledUntil: null as Date | null,
    probeAt: null as Date | null,
    warnedAt: null,
    lastSequence: 9,
    pulledTo: 0,
    pulledAt: null,
    lastFailure: { status: null as number | null, failure: null as string | null },
  },
};

describe("health of a webhook", () => {
  it("is ok with its window", () => {
    expect(presentHealth(well)).to.deep.equal({
      state: "ok",
      window: 12,
      failures_in_row: 0,
      last_code: null,
      last_error: null,
      throttled_until: null,
      next_probe: null,
      warned: null,
      pulled_to: null,
      pulled_at: null,
    });
  });

  it("never shows a larger window than configured", () => {
    expect(presentHealth({ ...well, maxInFlight: 5 }).window).to.equal(5);
    expect(presentHealth({ ...well, maxInFlight: 50 }).window).to.equal(12);
  });

  it("is failing with what is left of its window", () => {
    const failing = { ...well, failingSince: now, health: { ...well.health, failuresInRow: 3 } };
    expect(presentHealth(failing)).to.deep.include({
      state: "failing",
      window: 12,
      failures_in_row: 3,
    });
  });

  it("reports whether the receiver answered with an error, or not at all", () => {
    const failing = (lastFailure: typeof well.health.lastFailure) =>
      presentHealth({
        ...well,
        failingSince: now,
        health: { ...well.health, lastFailure },
      });
    expect(failing({ status: 500, failure: null })).to.deep.include({
      ...{ state: "failing", last_code: 500, last_error: null },
    });
    expect(failing({ status: null, failure: "dns" })).to.deep.include({
      ...{ state: "failing", last_code: null, last_error: "dns" },
    });
  });

  it("is throttled until the time that the receiver named, and not longer", () => {
    const throttled = { ...well, health: { ...well.health, throttledUntil: soon } };
    expect(presentHealth(throttled)).to.deep.include({
      state: "throttled",
      window: 0,
      throttled_until: soonText,
    });
    expect(presentHealth({ ...throttled, asOf: soon })).to.deep.include({
      state: "ok",
      window: 12,
      throttled_until: null,
    });
  });

  it("shows no probe while throttled or off", () => {
    const health = { ...well.health, throttledUntil: soon, probeAt: soon };
    const throttled = presentHealth({ ...well, health });
    expect(throttled).to.deep.include({ state: "throttled", next_probe: null });
    const off = presentHealth({ ...well, isActive: false, health });
    expect(off).to.deep.include({ state: "off", next_probe: null });
  });

  it("is open while only probes are sent", () => {
    const health = { ...well.health, probeAt: soon };
    expect(presentHealth({ ...well, failingSince: now, health })).to.deep.include({
      state: "open",
      window: 0,
      next_probe: soonText,
    });
  });

  it("is off if disabled, and pull in pull mode", () => {
    const open = { ...well.health, probeAt: soon };
    expect(presentHealth({ ...well, isActive: false, health: open }).state).to.equal("off");
    const pulled = { ...well.health, pulledTo: 7, pulledAt: now };
    expect(presentHealth({ ...well, mode: "pull", health: pulled })).to.deep.include({
      state: "pull",
      window: 0,
      pulled_to: 7,
      pulled_at: "2026-11-22T12:00:00+00:00",
    });
  });
});
