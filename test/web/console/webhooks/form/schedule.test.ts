import { expect } from "chai";
import { defaultSchedule as serverSchedule } from "../../../../../src/pipeline/delivery/retry-policy.ts";
import {
  durationsOf,
  durationsText,
  defaultSchedule,
  scheduleFault,
} from "../../../../../web/console/webhooks/form/schedule.ts";

describe("a retry schedule as text", () => {
  it("is parsed with units, by default seconds", () => {
    expect(durationsOf("10s, 1m, 2h 1d; 45")).to.deep.equal([10, 60, 7_200, 86_400, 45]);
    expect(durationsOf("10S")).to.deep.equal([10]);
    expect(durationsOf("  ")).to.deep.equal([]);
    expect(durationsOf("10 apples")).to.equal(undefined);
    expect(durationsOf("-5s")).to.equal(undefined);
  });

  it("is formatted in the largest unit that fits, and round-trips", () => {
    expect(durationsText([10, 60, 90, 7_200, 86_400])).to.equal("10s, 1m, 90s, 2h, 1d");
    for (const durations of [[1], [3_600, 61], defaultSchedule]) {
      expect(durationsOf(durationsText(durations))).to.deep.equal(durations);
    }
  });

  it("is validated before it is sent", () => {
    expect(scheduleFault("soon")).to.equal("format");
    expect(scheduleFault("0s")).to.equal("range");
    expect(scheduleFault("2d")).to.equal("range");
    expect(scheduleFault(Array.from({ length: 21 }, () => "1s").join(","))).to.equal("count");
    expect(scheduleFault(Array.from({ length: 8 }, () => "1d").join(","))).to.equal("total");
    expect(scheduleFault(Array.from({ length: 7 }, () => "1d").join(","))).to.equal(undefined);
    expect(scheduleFault("")).to.equal(undefined);
  });

  it("defaults to the schedule of the server", () => {
    expect(defaultSchedule).to.deep.equal(serverSchedule);
  });
});
