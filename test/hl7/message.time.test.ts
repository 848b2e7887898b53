import { expect } from "chai";
import { parseMinutes, parseTime, formatTime } from "../../src/hl7/message.ts";

describe("HL7 times and durations", () => {
  it("are parsed with their offset, or in the enterprise's time zone", () => {
    const read = (text: string) => parseTime(text, "Europe/Paris")?.toISOString();
    expect(read("20261201093000+0530")).to.equal("2026-12-01T04:00:00.000Z");
    expect(read("20261201093000.123-0200")).to.equal("2026-12-01T11:30:00.000Z");
    expect(read("202612010930")).to.equal("2026-12-01T08:30:00.000Z");
    expect(read("202607010930")).to.equal("2026-07-01T07:30:00.000Z");
  });

  for (const text of ["", "20261201", "2026120109", "202613010930", "202602300930", "soon"]) {
    it(`reject "${text}"`, () => {
      expect(parseTime(text, "UTC")).to.equal(undefined);
    });
  }

  const bounds: [text: string, zone: string, read: string | undefined][] = [
    ["19700101000000+0000", "UTC", "1970-01-01T00:00:00.000Z"],
    ["19700101000000+0100", "UTC", undefined],
    ["197001010030", "Europe/Paris", undefined],
    ["19691231233000-0100", "UTC", "1970-01-01T00:30:00.000Z"],
    ["00500101000000", "Europe/Paris", undefined],
    ["99981231235959+0000", "UTC", "9998-12-31T23:59:59.000Z"],
    ["99981231235959-0100", "UTC", undefined],
    ["999812312000", "America/New_York", undefined],
    ["999912312359", "UTC", undefined],
  ];
  for (const [text, zone, expected] of bounds) {
    it(`are from 1970 to 9998 in UTC: ${text} in ${zone}`, () => {
      expect(parseTime(text, zone)?.toISOString()).to.equal(expected);
    });
  }

  it("are formatted in UTC", () => {
    expect(formatTime(new Date("2026-12-01T08:30:05Z"))).to.equal("20261201083005+0000");
  });

  it("are whole minutes in the unit of the message, between one minute and one day", () => {
    expect(parseMinutes("45", "")).to.equal(45);
    expect(parseMinutes("90", "S")).to.equal(2);
    expect(parseMinutes("1.5", "HR")).to.equal(90);
    const wrong: [string, string][] = [
      ["0", "min"],
      ["1441", "min"],
      ["25", "h"],
      ["x", "min"],
      ["1", "fortnight"],
    ];
    for (const [length, unit] of wrong) {
      expect(parseMinutes(length, unit)).to.equal(undefined);
    }
  });
});
