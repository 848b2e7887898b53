import { expect } from "chai";
import {
  dayIn,
  fromWallClock,
  offsetMinutes,
  showWallClock,
} from "../../src/platform/timestamps.ts";
import { withOtherDayFormat } from "../support/day-formats.ts";

const paris = "Europe/Paris";
function wall(text: string): Date {
  return new Date(`${text}Z`);
}

describe("wall clocks", () => {
  it("show the zone's time with its offset on that day", () => {
    expect(showWallClock(paris, new Date("2026-11-20T10:00:05Z"))).to.equal(
      "2026-11-20 11:00:05 (GMT +01:00)",
    );
    expect(showWallClock(paris, new Date("2026-07-01T10:00:00Z"))).to.equal(
      "2026-07-01 12:00:00 (GMT +02:00)",
    );
    expect(showWallClock("America/St_Johns", new Date("2026-11-20T02:00:00Z"))).to.equal(
      "2026-11-19 22:30:00 (GMT -03:30)",
    );
    expect(offsetMinutes("UTC", new Date())).to.equal(0);
  });

  it("give the zone's day, however a locale writes dates", () => {
    const at = new Date("2026-11-20T23:30:00.250Z");
    expect(withOtherDayFormat(() => dayIn(paris, at))).to.equal("2026-11-21");
    expect(dayIn("America/New_York", at)).to.equal("2026-11-20");
  });

  it("are parsed in the zone, on both sides of a daylight saving change", () => {
    const read = (text: string): string => fromWallClock(paris, wall(text)).toISOString();
    expect(read("2026-11-20T11:00:00")).to.equal("2026-11-20T10:00:00.000Z");
    expect(read("2026-07-01T12:00:00")).to.equal("2026-07-01T10:00:00.000Z");
    expect(read("2026-03-29T01:30:00")).to.equal("2026-03-29T00:30:00.000Z");
    expect(read("2026-03-29T03:30:00")).to.equal("2026-03-29T01:30:00.000Z");
    expect(read("2026-10-25T04:00:00")).to.equal("2026-10-25T03:00:00.000Z");
  });

  it("map a skipped hour to the one after it, and a repeated one to the first", () => {
    expect(fromWallClock(paris, wall("2026-03-29T02:30:00")).toISOString()).to.equal(
      "2026-03-29T01:30:00.000Z",
    );
    expect(fromWallClock(paris, wall("2026-10-25T02:30:00")).toISOString()).to.equal(
      "2026-10-25T00:30:00.000Z",
    );
  });
});
