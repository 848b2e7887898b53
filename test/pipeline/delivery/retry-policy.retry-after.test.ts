import { expect } from "chai";
import fc from "fast-check";
import { retryAfterMs } from "../../../src/pipeline/delivery/retry-policy.ts";

const now = new Date("2026-11-20T10:00:00.000Z");
const day = 86_400_000;

describe("Retry-After", () => {
  const cases: readonly (readonly [value: string | undefined, ms: number | undefined])[] = [
    ["0", 0],
    ["7", 7_000],
    [" 120 ", 120_000],
    ["86400", day],
    ["86401", day],
    ["315360000", day],
    ["99999999999999999999999999", day],
    ["Fri, 20 Nov 2026 10:00:30 GMT", 30_000],
    ["Friday, 20-Nov-26 10:00:30 GMT", 30_000],
    ["Fri Nov 20 10:00:30 2026", 30_000],
    ["Fri, 20 Nov 2026 09:00:00 GMT", 0],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["Sat, 20 Nov 2036 10:00:00 GMT", day],
    [undefined, undefined],
    ["", undefined],
    ["soon", undefined],
    ["-5", undefined],
    ["+5", undefined],
    ["1.5", undefined],
    ["1e3", undefined],
    ["0x10", undefined],
    ["5 apples", undefined],
    ["Fri, 99 Foo 2026 10:00:30 GMT", undefined],
    ["2026-11-20T10:00:30Z", undefined],
    ["NaN", undefined],
    ["Infinity", undefined],
  ];
  for (const [value, ms] of cases) {
    it(`"${value ?? "(absent)"}" asks for ${ms ?? "nothing"}`, () => {
      expect(retryAfterMs(value, now)).to.equal(ms);
    });
  }

  it("stays within the limits for any header value", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.bigInt().map(String), fc.date().map(String)), (text) => {
        const ms = retryAfterMs(text, now);
        return ms === undefined || (ms >= 0 && ms <= day);
      }),
    );
  });
});
