import { expect } from "chai";
import { defaultSchedule as serverSchedule } from "../../../../../src/pipeline/delivery/retry-policy.ts";
import {
  durationsOf,
  durationsText,
  defaultSchedule,
  scheduleFault,
} from "../../../../../web/console/webhooks/form/schedule.ts";

describe("a schedule of retries as people write it", () => {
  it("is read with units, and seconds without", () => {
    expect(durationsOf("10s, 1m, 2h 1d; 45")).to.deep.equal([10, 60, 7_200, 86_400, 45]);
    expect(durationsOf("10S")).to.deep.equal([10]);
    expect(durationsOf("  ")).to.deep.equal([]);
    expect(durationsOf("10 apples")).to.equal(undefined);
    expect(durationsOf("-5s")).to.equal(undefined);
  });

  it("is written in the largest unit that fits, and read back as it was", () => {
    expect(durationsText([10, 60, 90, 7_200, 86_400])).to.equal("10s, 1m, 90s, 2h, 1d");
    for (const durations of [[1], [3_600, 61], defaultSchedule]) {
      expect(durationsOf(durationsText(durations))).to.deep.equal(durations);
    }
  });

  it("says what is wrong before the platform has to", () => {
    expect(scheduleFault("soon")).to.equal("format");
    expect(scheduleFault("0s")).to.equal("range");
    expect(scheduleFault("2d")).to.equal("range");
    expect(scheduleFault(Array.from({ length: 21 }, () => "1s").join(","))).to.equal("count");
    expect(scheduleFault(Array.from({ length: 8 }, () => "1d").join(","))).to.equal("total");
    expect(scheduleFault(Array.from({ length: 7 }, () => "1d").join(","))).to.equal(undefined);
    expect(scheduleFault("")).to.equal(undefined);
  });

  it("copies the server's default schedule", () => {
    expect(defaultSchedule).to.deep.equal(serverSchedule);
  });
});
