import { expect } from "chai";
import { parseSeriesPeriod } from "../../src/deliveries/series.ts";
import { Problem } from "../../src/contracts/problems.ts";

const now = new Date("2026-11-20T12:00:03Z");
function iso(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}
function ago(hours: number): string {
  return iso(new Date(now.getTime() - hours * 3_600_000));
}

function refused(input: { since?: string; until?: string }): string {
  try {
    parseSeriesPeriod(input, now);
    return "taken";
  } catch (thrown) {
    return thrown instanceof Problem ? thrown.kind : "another fault";
  }
}

describe("parseSeriesPeriod", () => {
  it("defaults to the last hour in steps of ten seconds", () => {
    const { since, until, stepSeconds } = parseSeriesPeriod({}, now);
    expect(stepSeconds).to.equal(10);
    expect(since.toISOString()).to.equal("2026-11-20T11:00:00.000Z");
    expect(until.toISOString()).to.equal("2026-11-20T12:00:10.000Z");
  });

  it("uses longer steps for longer periods, with at most about 720 points", () => {
    const steps = [1, 12, 24, 120, 168, 720, 2_000, 9_600].map((hours) => {
      const { since, until, stepSeconds } = parseSeriesPeriod({ since: ago(hours) }, now);
      expect((until.getTime() - since.getTime()) / 1_000 / stepSeconds).to.be.at.most(722);
      return stepSeconds;
    });
    expect(steps).to.deep.equal([10, 60, 600, 600, 3_600, 3_600, 86_400, 86_400]);
  });

  it("uses longer steps for old periods, whose details are deleted", () => {
    const hourOf = (hours: number): number =>
      parseSeriesPeriod({ since: ago(hours), until: ago(hours - 1) }, now).stepSeconds;
    expect([5, 24, 100, 1_000].map(hourOf)).to.deep.equal([10, 60, 600, 3_600]);
  });

  it("refuses invalid, inverted and too long periods", () => {
    expect(refused({ since: "yesterday" })).to.equal("invalid_parameter");
    expect(refused({ since: ago(1), until: ago(2) })).to.equal("invalid_parameter");
    expect(refused({ since: "2024-01-01" })).to.equal("invalid_parameter");
  });
});
