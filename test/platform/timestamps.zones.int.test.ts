import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { isTimeZone } from "../../src/platform/timestamps.ts";
import { useDatabase } from "../support/database.ts";

/** The names of the IANA database without a region. */
const names = `CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich
  HST Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC
  PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu`.split(/\s+/u);

const times = ["2026-01-15T12:00:00Z", "2026-07-15T12:00:00Z"];

/** The wall clock in that zone, such as `2026-01-15 13:00`. */
function wallClock(timeZone: string, time: string): string {
  const options = { timeZone, dateStyle: "short", timeStyle: "short" } as const;
  return new Intl.DateTimeFormat("sv", options).format(new Date(time));
}

describe("time zones", () => {
  const database = useDatabase();

  it("that are accepted are the same for Postgres and for Intl, also in summer", async () => {
    const accepted = names.filter(isTimeZone);
    expect(names.filter((name) => !accepted.includes(name))).to.deep.equal([
      ...["CET", "EET", "EST", "HST", "MET", "MST", "WET"],
    ]);
    for (const time of times) {
      for (const name of [...accepted, "Europe/Paris", "Etc/GMT+5", "america/new_york"]) {
        expect(isTimeZone(name), name).to.equal(true);
        const [row] = await rowsOf<{ clock: string }>(
          database.db,
          "SELECT to_char(?::timestamptz AT TIME ZONE ?, 'YYYY-MM-DD HH24:MI') AS clock",
          [time, name],
        );
        expect(row?.clock, name).to.equal(wallClock(name, time));
      }
    }
  });

  it("are no offsets, and no abbreviations", () => {
    for (const name of ["+01:00", "IST", "pst", "CET", "Europe/Nowhere", ""]) {
      expect(isTimeZone(name), name).to.equal(false);
    }
  });
});
