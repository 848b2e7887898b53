import { expect } from "chai";
import fc from "fast-check";
import {
  parsePeriodBound,
  parseTimestamp,
  toTimestamp,
  toTimestampOrNull,
  toUnixSeconds,
} from "../../src/platform/timestamps.ts";

describe("timestamps", () => {
  it("are formatted in UTC with +00:00 and no fraction", () => {
    const date = new Date("2026-11-20T11:30:00.987Z");
    expect(toTimestamp(date)).to.equal("2026-11-20T11:30:00+00:00");
    expect(toTimestampOrNull(date)).to.equal("2026-11-20T11:30:00+00:00");
    expect(toTimestampOrNull(null)).to.equal(null);
    expect(toUnixSeconds(date)).to.equal(1_795_174_200);
  });

  it("are parsed back to the same time", () => {
    const aDate = fc.date({
      min: new Date("1970-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(aDate, (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000;
        expect(parseTimestamp(toTimestamp(date))?.getTime()).to.equal(seconds);
      }),
    );
  });

  const accepted: [string, string][] = [
    ["2026-11-20T11:30:00+00:00", "2026-11-20T11:30:00.000Z"],
    ["2026-11-20T11:30:00 00:00", "2026-11-20T11:30:00.000Z"],
    ["2026-11-20T11:30:00 01:00", "2026-11-20T10:30:00.000Z"],
    ["2026-11-20T11:30:00-05:30", "2026-11-20T17:00:00.000Z"],
    ["2026-11-20T11:30:00+0100", "2026-11-20T10:30:00.000Z"],
    ["2026-11-20T11:30Z", "2026-11-20T11:30:00.000Z"],
    ["2026-11-20t11:30:00.25z", "2026-11-20T11:30:00.250Z"],
    ["2024-02-29 00:00:00Z", "2024-02-29T00:00:00.000Z"],
  ];
  for (const [text, instant] of accepted) {
    it(`reads ${text} as ${instant}`, () => {
      expect(parseTimestamp(text)?.toISOString()).to.equal(instant);
    });
  }

  const refused = [
    "",
    "now",
    "2026-11-20",
    "2026-11-20T11:30:00",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-11-20T25:00:00Z",
    "2026-11-20T11:60:00Z",
    "2026-11-20T11:30:00+99:00",
    "12026-11-20T11:30:00Z",
    "1795174200",
  ];
  for (const text of refused) {
    it(`does not take ${JSON.stringify(text)} for a timestamp`, () => {
      expect(parseTimestamp(text)).to.equal(undefined);
    });
  }

  it("accept a date as a bound, for the whole day in UTC", () => {
    expect(parsePeriodBound("2026-11-20", "since")?.toISOString()).to.equal(
      "2026-11-20T00:00:00.000Z",
    );
    expect(parsePeriodBound("2026-11-20", "until")?.toISOString()).to.equal(
      "2026-11-21T00:00:00.000Z",
    );
    expect(parsePeriodBound("2026-02-30", "until")).to.equal(undefined);
    expect(parsePeriodBound("2026-11-20T11:30:00Z", "until")?.toISOString()).to.equal(
      "2026-11-20T11:30:00.000Z",
    );
  });

  it("refuse a bound from which a day or an offset could leave the four-digit years", () => {
    for (const text of ["9999-12-31", "9999-12-31T23:59:59-14:00", "0000-01-01"]) {
      expect(parsePeriodBound(text, "since"), text).to.equal(undefined);
      expect(parsePeriodBound(text, "until"), text).to.equal(undefined);
    }
    expect(parsePeriodBound("9998-12-30", "until")?.getUTCFullYear()).to.equal(9998);
  });
});
