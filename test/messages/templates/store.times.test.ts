import { expect } from "chai";
import { dutch, german } from "../../../src/messages/templates/built-in/de-nl.ts";
import { formatDay, formatTime } from "../../../src/messages/templates/store.ts";

const winter = new Date("2026-12-24T17:30:00Z");
const timeZone = "Europe/Paris";

describe("dates and times in messages", () => {
  it("are in the enterprise's time zone, which mails name and SMS do not", () => {
    expect(formatTime(winter, { channel: "email", language: "en", timeZone })).to.equal(
      "18:30 CET",
    );
    expect(formatTime(winter, { channel: "email", language: "fr", timeZone })).to.equal(
      "18:30 UTC+1",
    );
    expect(formatTime(winter, { channel: "sms", language: "fr", timeZone })).to.equal("18:30");
  });

  it("are never followed by Uhr or uur in a mail, which names the zone there", () => {
    for (const wording of [german, dutch].flatMap((language) => Object.values(language))) {
      const { sms: _sms, ...mail } = wording;
      expect(JSON.stringify(mail)).to.not.match(/Time\}\} (?:Uhr|uur)/u);
    }
  });

  it("are formatted for the reader's language, shorter in an SMS", () => {
    expect(formatDay(winter, { channel: "email", language: "de", timeZone })).to.equal(
      "24. Dezember 2026",
    );
    expect(formatDay(winter, { channel: "sms", language: "de", timeZone })).to.equal("24.12.2026");
  });
});
