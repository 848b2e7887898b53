import { expect } from "chai";
import { toCsv } from "../../../web/console/statistics/csv.ts";
import {
  dayIn,
  daysBetween,
  isDay,
  mondayOf,
  startOfDay,
} from "../../../web/console/statistics/days.ts";
import { periodFault, periodOf } from "../../../web/console/statistics/period.ts";
import { figuresByDay } from "../../../web/console/statistics/session-figures.ts";

describe("the days of the statistics", () => {
  it("begin at midnight of the enterprise, also where its clocks change", () => {
    const startIn = (day: string, zone: string): string => startOfDay(day, zone).toISOString();
    expect(startIn("2026-11-20", "Europe/Paris")).to.equal("2026-11-19T23:00:00.000Z");
    expect(startIn("2026-03-29", "Europe/Paris")).to.equal("2026-03-28T23:00:00.000Z");
    expect(startIn("2026-03-30", "Europe/Paris")).to.equal("2026-03-29T22:00:00.000Z");
    expect(startIn("2026-11-20", "America/New_York")).to.equal("2026-11-20T05:00:00.000Z");
    expect(dayIn("Pacific/Auckland", new Date("2026-11-20T12:00:00Z"))).to.equal("2026-11-21");
  });

  it("are those of the period that the address names", () => {
    const today = "2026-11-22";
    expect(periodOf({}, today)).to.deep.equal({ since: "2026-10-24", until: today });
    expect(periodOf({ period: "week" }, today)).to.deep.equal({
      since: "2026-11-16",
      until: today,
    });
    expect(mondayOf("2026-11-16")).to.equal("2026-11-16");
    expect(periodFault({ since: "2026-11-22", until: "2026-11-21" })).to.equal("order");
    expect(periodFault({ since: "2026-08-22", until: "2026-11-22" })).to.equal("length");
    expect(periodFault({ since: "2026-08-23", until: "2026-11-22" })).to.equal(undefined);
    expect(daysBetween("2026-02-27", "2026-03-01")).to.deep.equal([
      ...["2026-02-27", "2026-02-28", "2026-03-01"],
    ]);
    expect(isDay("2026-02-30")).to.equal(false);
  });

  it("get the sessions that ended on them", () => {
    const row = {
      start_time: "2026-11-20T22:30:00+00:00",
      end_time: "2026-11-20T23:30:00+00:00",
      ...{ billing_duration: 3_600, total_participant_count: 3 },
    };
    const [first, second] = figuresByDay([row], ["2026-11-20", "2026-11-21"], "Europe/Paris");
    expect(first?.sessions).to.equal(0);
    expect(second).to.deep.equal({
      ...{ sessions: 1, participants: 3, minutes: 60, lengthMs: 3_600_000 },
    });
  });
});

describe("a table as CSV", () => {
  it("quotes what would tear a line, and disarms what would be a formula", () => {
    const csv = toCsv(
      ["a", "b"],
      [
        ['x;"y"', "=1+1"],
        ["l\nm", -3],
        [null, "é"],
      ],
    );
    expect(csv).to.equal('\uFEFFa;b\r\n"x;""y""";\'=1+1\r\n"l\nm";-3\r\n;é\r\n');
  });
});
