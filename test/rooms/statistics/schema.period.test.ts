import { expect } from "chai";
import { parseSessionPeriod } from "../../../src/rooms/statistics/schema.ts";

const now = new Date("2026-11-20T10:30:00Z");

function asked(input: { since?: string; until?: string }): [string, string] {
  const { since, until } = parseSessionPeriod(input, now);
  return [since.toISOString(), until.toISOString()];
}

function refusal(input: { since?: string; until?: string }): unknown {
  try {
    parseSessionPeriod(input, now);
    return "nothing";
  } catch (thrown) {
    return (thrown as { errors: unknown }).errors;
  }
}

describe("the period of the session statistics", () => {
  const cases: readonly (readonly [
    string,
    { since?: string; until?: string },
    readonly [string, string],
  ])[] = [
    ["is today in UTC", {}, ["2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z"]],
    [
      "is one day from a start",
      { since: "2026-11-18T09:00:00+01:00" },
      ["2026-11-18T08:00:00.000Z", "2026-11-19T08:00:00.000Z"],
    ],
    [
      "is one day up to an end",
      { until: "2026-11-18T08:00:00Z" },
      ["2026-11-17T08:00:00.000Z", "2026-11-18T08:00:00.000Z"],
    ],
    [
      "has both its days",
      { since: "2026-11-01", until: "2026-11-30" },
      ["2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"],
    ],
    [
      "may have 31 days",
      { since: "2026-10-01", until: "2026-10-31" },
      ["2026-10-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z"],
    ],
  ];
  for (const [title, input, expected] of cases) {
    it(title, () => {
      expect(asked(input)).to.deep.equal(expected);
    });
  }

  it("is rejected if it is too long, empty, reversed or not a date", () => {
    const range = [{ field: "until", reason: "range" }];
    expect(refusal({ since: "2026-10-01", until: "2026-11-01" })).to.deep.equal(range);
    const time = "2026-11-01T00:00:00Z";
    expect(refusal({ since: time, until: time })).to.deep.equal(range);
    expect(refusal({ since: "2026-11-02", until: "2026-11-01" })).to.deep.equal([
      { field: "until", reason: "range" },
    ]);
    expect(refusal({ since: "2026-02-30" })).to.deep.equal([{ field: "since", reason: "format" }]);
    expect(refusal({ until: "soon" })).to.deep.equal([{ field: "until", reason: "format" }]);
  });
});
