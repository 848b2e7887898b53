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
