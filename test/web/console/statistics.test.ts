import { expect } from "chai";
import {
  dayIn,
  fromFirst,
  isDay,
  mondayOf,
  startOfDay,
} from "../../../web/console/statistics/days.ts";
import type { SessionRow } from "../../../web/console/statistics/session-figures.ts";
import { periodFault, periodOf } from "../../../web/console/statistics/period.ts";
import {
  firstWindow,
  nextWindow,
  rowsOfPages,
  type Window,
} from "../../../web/console/statistics/session-windows.ts";
import { withOtherDayFormat } from "../../support/day-formats.ts";

describe("the days of the statistics", () => {
  it("begin at midnight of the enterprise, even on days of a clock change", () => {
    const startIn = (day: string, zone: string): string => startOfDay(day, zone).toISOString();
    expect(startIn("2026-11-20", "Europe/Paris")).to.equal("2026-11-19T23:00:00.000Z");
    expect(startIn("2026-03-29", "Europe/Paris")).to.equal("2026-03-28T23:00:00.000Z");
    expect(startIn("2026-03-30", "Europe/Paris")).to.equal("2026-03-29T22:00:00.000Z");
    expect(startIn("2026-11-20", "America/New_York")).to.equal("2026-11-20T05:00:00.000Z");
    // Clocks change at midnight: there is none, or there are two.
    expect(startIn("2026-03-29", "Atlantic/Azores")).to.equal("2026-03-29T01:00:00.000Z");
    expect(startIn("2026-10-25", "Atlantic/Azores")).to.equal("2026-10-25T00:00:00.000Z");
    expect(startIn("2026-10-26", "Atlantic/Azores")).to.equal("2026-10-26T01:00:00.000Z");
    expect(startIn("2026-09-06", "America/Santiago")).to.equal("2026-09-06T04:00:00.000Z");
    expect(dayIn("Pacific/Auckland", new Date("2026-11-20T12:00:00Z"))).to.equal("2026-11-21");
  });

  it("do not depend on how a locale writes dates", () => {
    const at = new Date("2026-11-20T23:30:00.250Z");
    const day = withOtherDayFormat(() => dayIn("Europe/Paris", at));
    expect(day).to.equal("2026-11-21");
    expect(dayIn("America/New_York", at)).to.equal("2026-11-20");
  });

  it("are those of the period in the address", () => {
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
    expect(isDay("2026-02-30")).to.equal(false);
  });

  it("are shown from the first one with data on, for at least a week", () => {
    const shown = (...counts: number[]): number[] => fromFirst(counts, (count) => count === 0);
    expect(shown(0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 1)).to.deep.equal([5, 0, 0, 0, 0, 0, 1]);
    expect(shown(0, 0, 0, 0, 0, 0, 0, 0, 0, 1)).to.deep.equal([0, 0, 0, 0, 0, 0, 1]);
    expect(shown(3, 0, 0)).to.deep.equal([3, 0, 0]);
    expect(shown(...Array.from({ length: 30 }, () => 0))).to.have.length(30);
  });
});

describe("the sessions of a long period", () => {
  it("are read in pages, newest first, until the start of the period", () => {
    const period = { since: "2026-08-22", until: "2026-11-20" };
    const read: string[] = [];
    let window: Window | undefined = firstWindow(period);
    // 40 sessions in each part, 25 per page.
    while (window !== undefined) {
      read.push(`${window.since} ${window.until} ${window.offset}`);
      const found: number = Math.min(25, 40 - window.offset);
      window = nextWindow(window, { period, found, total: 40 });
    }
    expect(read).to.deep.equal([
      ...["2026-10-22 2026-11-20 0", "2026-10-22 2026-11-20 25"],
      ...["2026-09-22 2026-10-21 0", "2026-09-22 2026-10-21 25"],
      ...["2026-08-23 2026-09-21 0", "2026-08-23 2026-09-21 25"],
      ...["2026-08-22 2026-08-22 0", "2026-08-22 2026-08-22 25"],
    ]);
  });

  it("end at an empty page, and no page is requested twice", () => {
    const period = { since: "2026-11-19", until: "2026-11-20" };
    const end = nextWindow(firstWindow(period), { period, found: 0, total: 0 });
    expect(end).to.equal(undefined);
    const gone = nextWindow({ ...period, offset: 25 }, { period, found: 0, total: 30 });
    expect(gone).to.equal(undefined);
  });

  it("are shown once, also if a page repeats the last one of the page before", () => {
    const page = (...ids: string[]) => ({ data: ids.map((id) => ({ id }) as SessionRow) });
    const rows = rowsOfPages([page("c", "b"), page("b", "a")]);
    expect(rows.map(({ id }) => id)).to.deep.equal(["c", "b", "a"]);
  });
});
