import { expect } from "chai";
import { failureClasses } from "../../../src/contracts/deliveries.ts";
import { classify, type AttemptOutcome } from "../../../src/pipeline/delivery/retry-policy.ts";
import { type Failure, type SendResult } from "../../../src/pipeline/delivery/send-result.ts";

const now = new Date("2026-11-20T10:00:00.000Z");
const day = 86_400_000;
const phases = { total: 1 };

function answered(status: number, retryAfter?: string): SendResult {
  return {
    kind: "answered",
    status,
    headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
    body: "",
    durationMs: 1,
    phases,
  };
}

function failed(failure: Failure): SendResult {
  return {
    kind: "failed",
    failure,
    detail: "",
    durationMs: 1,
    phases,
  };
}

function classified(result: SendResult, attempt = 1): AttemptOutcome {
  return classify(result, attempt, { now, random: () => 0.5 });
}

describe("classification of results", () => {
  for (const status of [200, 201, 202, 204, 206, 299]) {
    it(`${status}: delivered`, () => {
      expect(classified(answered(status))).to.deep.equal({ kind: "delivered" });
    });
  }

  for (const status of [
    101, 301, 302, 304, 307, 308, 400, 401, 403, 404, 422, 500, 502, 504, 599,
  ]) {
    it(`${status}: tried again on the schedule, without congestion`, () => {
      expect(classified(answered(status))).to.deep.equal({
        kind: "retry",
        delayMs: 5_000,
        congested: false,
      });
    });
  }

  for (const status of [429, 503]) {
    it(`${status} with Retry-After: the subscription waits that long, and this delivery with it`, () => {
      expect(classified(answered(status, "60"))).to.deep.equal({
        kind: "retry",
        delayMs: 60_000,
        congested: true,
        throttleMs: 60_000,
      });
    });

    it(`${status} with a short Retry-After: the delivery still waits for its schedule`, () => {
      expect(classified(answered(status, "60"), 2)).to.deep.include({
        delayMs: 300_000,
        throttleMs: 60_000,
      });
    });

    it(`${status} with a date: counts from now`, () => {
      const outcome = classified(answered(status, "Fri, 20 Nov 2026 10:01:00 GMT"));
      expect(outcome).to.deep.include({ delayMs: 60_000, throttleMs: 60_000 });
    });

    it(`${status} without a usable Retry-After: congestion only`, () => {
      for (const value of [undefined, "garbage", "0", "Thu, 01 Jan 1970 00:00:00 GMT"]) {
        expect(classified(answered(status, value))).to.deep.equal({
          kind: "retry",
          delayMs: 5_000,
          congested: true,
        });
      }
    });

    it(`${status} with ten years: one day`, () => {
      expect(classified(answered(status, "315360000"))).to.deep.include({
        delayMs: day,
        throttleMs: day,
      });
    });
  }

  it("another failure with Retry-After: delays only this delivery", () => {
    expect(classified(answered(500, "3600"))).to.deep.equal({
      kind: "retry",
      delayMs: 3_600_000,
      congested: false,
    });
  });

  it("410: gone, at any attempt", () => {
    expect(classified(answered(410))).to.deep.equal({
      kind: "gone",
      delayMs: 5_000,
      congested: false,
    });
    expect(classified(answered(410), 10).kind).to.equal("gone");
  });

  const congested: readonly Failure[] = [
    "timeout_connect",
    "timeout_response",
    "dns",
    "refused",
    "reset",
    "unreachable",
    "tls",
    "oauth2",
  ];
  for (const failure of failureClasses) {
    if (failure === "aborted" || failure === "interrupted") {
      continue;
    }
    it(`${failure}: tried again${congested.includes(failure) ? ", with congestion" : ""}`, () => {
      expect(classified(failed(failure))).to.deep.equal({
        kind: "retry",
        delayMs: 5_000,
        congested: congested.includes(failure),
      });
      expect(classified(failed(failure), 10)).to.deep.equal({
        kind: "dead",
        congested: congested.includes(failure),
      });
    });
  }

  it("an attempt that we aborted is retried soon and never ends a delivery", () => {
    for (const attempt of [1, 5, 10]) {
      expect(classified(failed("aborted"), attempt)).to.deep.equal({
        kind: "retry",
        delayMs: 5_000,
        congested: false,
      });
    }
  });

  it("follows the schedule from attempt to attempt, and is dead after the tenth", () => {
    const delays = Array.from({ length: 10 }, (_, index) => {
      const outcome = classified(answered(500), index + 1);
      return outcome.kind === "retry" ? outcome.delayMs / 1000 : outcome.kind;
    });
    expect(delays).to.deep.equal([
      5,
      300,
      1_800,
      7_200,
      18_000,
      36_000,
      50_400,
      72_000,
      86_400,
      "dead",
    ]);
  });

  it("keeps the throttling of a dead delivery", () => {
    expect(classified(answered(503, "60"), 10)).to.deep.equal({
      kind: "dead",
      congested: true,
      throttleMs: 60_000,
    });
  });

  it("never exceeds a day, including jitter", () => {
    const outcome = classify(answered(500), 9, { now, random: () => 0.99 });
    expect(outcome).to.deep.include({ kind: "retry", delayMs: day });
  });

  describe("with a custom schedule", () => {
    const own = (
      result: SendResult,
      attempt: number,
      schedule: readonly number[],
    ): AttemptOutcome => classify(result, attempt, { now, random: () => 0.5, schedule });

    it("follows it from attempt to attempt, and is dead after the last", () => {
      const outcomes = [1, 2, 3].map((attempt) => own(answered(500), attempt, [30, 7_200]));
      expect(outcomes.map((one) => (one.kind === "retry" ? one.delayMs : one.kind))).to.deep.equal([
        30_000,
        7_200_000,
        "dead",
      ]);
    });

    it("is dead after one attempt if it is empty, for any Retry-After", () => {
      expect(own(failed("refused"), 1, []).kind).to.equal("dead");
      expect(own(answered(503, "60"), 1, [])).to.deep.include({ kind: "dead", throttleMs: 60_000 });
    });

    it("uses Retry-After if that is longer", () => {
      expect(own(answered(503, "60"), 1, [1])).to.deep.include({ kind: "retry", delayMs: 60_000 });
    });

    it("does not count attempts that we aborted, and keeps a delivery after a 410", () => {
      expect(own(failed("aborted"), 1, [])).to.deep.include({ kind: "retry", delayMs: 5_000 });
      expect(own(answered(410), 1, [])).to.deep.include({ kind: "gone", delayMs: 5_000 });
    });

    it("uses the default without one", () => {
      const outcome = classify(answered(500), 1, { now, random: () => 0.5, schedule: null });
      expect(outcome).to.deep.include({ kind: "retry", delayMs: 5_000 });
    });
  });
});
