import { expect } from "chai";
import { useTimeZone } from "../../support/time-zone.ts";
import {
  clockText,
  formatAgo,
  formatExact,
  formatNumber,
  formatPrecise,
  formatRelative,
  formatShare,
  formatWholeDuration,
  setFormatLanguage,
  zoneName,
} from "../../../web/base/format.ts";

const hourMs = 3_600_000;

describe("formatted durations", () => {
  afterEach(() => setFormatLanguage("en"));

  it("use the largest unit of which they are a multiple", () => {
    const texts = [60_000, hourMs, 24 * hourMs, 36 * hourMs, 72 * hourMs].map(formatWholeDuration);
    expect(texts).to.deep.equal(["1 minute", "1 hour", "1 day", "36 hours", "3 days"]);
  });

  it("use the language of the page", () => {
    setFormatLanguage("fr");
    expect([hourMs, 168 * hourMs].map(formatWholeDuration)).to.deep.equal([
      "1\u00A0heure",
      "7\u00A0jours",
    ]);
  });
});

describe("formatted times", () => {
  useTimeZone("Europe/Paris");
  afterEach(() => setFormatLanguage("en"));

  const minute = 60;
  const hour = 3_600;
  const day = 86_400;
  // Noon in Paris.
  const now = new Date("2026-11-22T11:00:00Z");
  const texts = (seconds: number): string =>
    formatRelative(new Date(now.getTime() + seconds * 1_000), now);

  it("use the largest whole unit", () => {
    const words = [
      ...[0, -0.9, -1, -59.9, -minute, -hour + 1, -hour, -day + 1, -2 * day],
      ...[-30 * day + 1, -30 * day, -365 * day + 1, -365 * day, -800 * day],
    ].map(texts);
    expect(words).to.deep.equal([
      ...["now", "now", "1 second ago", "59 seconds ago", "1 minute ago", "59 minutes ago"],
      ...["1 hour ago", "23 hours ago", "2 days ago", "30 days ago", "1 month ago"],
      ...["12 months ago", "1 year ago", "2 years ago"],
    ]);
  });

  it("support the future", () => {
    const words = [0.5, 1, 59.9, minute, hour, day, 2 * day, 45 * day, 365 * day].map(texts);
    expect(words).to.deep.equal([
      ...["now", "in 1 second", "in 59 seconds", "in 1 minute", "in 1 hour", "tomorrow"],
      ...["in 2 days", "in 1 month", "in 1 year"],
    ]);
  });

  it("support French", () => {
    setFormatLanguage("fr");
    const times = [
      0,
      -20,
      -minute,
      -3 * hour,
      -day,
      -2 * day,
      -3 * day,
      -30 * day,
      5 * minute,
      day,
    ];
    expect(times.map(texts)).to.deep.equal([
      ...["maintenant", "il y a 20 secondes", "il y a 1 minute", "il y a 3 heures", "hier"],
      ...["avant-hier", "il y a 3 jours", "il y a 1 mois", "dans 5 minutes", "demain"],
    ]);
  });

  it('say "yesterday" only for the previous calendar day of the reader', () => {
    const late = new Date("2026-11-22T22:30:00Z"); // 23:30 in Paris
    const from = (at: string): string => formatRelative(new Date(at), late);
    expect(from("2026-11-21T22:30:00Z")).to.equal("yesterday");
    expect(from("2026-11-20T23:00:00Z")).to.equal("yesterday"); // midnight in Paris
    expect(from("2026-11-20T22:59:00Z")).to.equal("2 days ago");
    const early = new Date("2026-11-21T23:30:00Z"); // 00:30 of the 22nd in Paris
    expect(formatRelative(new Date("2026-11-20T22:30:00Z"), early)).to.equal("2 days ago");
    expect(formatRelative(new Date("2026-11-23T22:30:00Z"), early)).to.equal("tomorrow");
  });

  it('say "yesterday" on the day before a day with 25 hours', () => {
    const late = new Date("2026-10-25T22:30:00Z");
    expect(formatRelative(new Date("2026-10-24T22:15:00Z"), late)).to.equal("yesterday");
  });

  it("show the clock time within a day", () => {
    expect(clockText("2026-11-22T23:04:05Z")).to.equal("00:04:05");
    setFormatLanguage("fr");
    expect(clockText("2026-11-22T13:04:05Z")).to.equal("14:04:05");
  });

  it("have an exact form in the reader's time zone, which is named", () => {
    const winter = new Date("2026-11-22T23:04:05Z");
    const summer = new Date("2026-07-14T10:04:05Z");
    expect(formatExact(winter)).to.equal("23 Nov 2026, 00:04:05 CET");
    expect(formatExact(summer)).to.equal("14 Jul 2026, 12:04:05 CEST");
    setFormatLanguage("fr");
    expect(formatExact(winter)).to.equal("23 nov. 2026, 00:04:05 UTC+1");
    expect(formatExact(summer)).to.equal("14 juil. 2026, 12:04:05 UTC+2");
  });

  it("follow the reader's variant of English or French", () => {
    const written = (language: string, wanted: string[]): string[] => {
      setFormatLanguage(language, wanted);
      return [clockText("2026-11-22T13:04:05Z"), formatNumber(1_234.5), zoneName(now)];
    };
    expect(written("en", ["en-GB"])).to.deep.equal(["14:04:05", "1,234.5", "CET"]);
    expect(written("en", ["en-US", "en"])).to.deep.equal(["02:04:05 PM", "1,234.5", "GMT+1"]);
    expect(written("en", ["fr-FR", "en"])).to.deep.equal(["14:04:05", "1,234.5", "CET"]);
    expect(written("fr", ["en-GB", "fr-CA"])[1]).to.equal("1\u00A0234,5");
    expect(written("fr", ["en-GB"]).slice(0, 2)).to.deep.equal(["14:04:05", "1\u202F234,5"]);
  });

  it("have a short form for lists, which is never in the future", () => {
    const after = (seconds: number): string =>
      formatAgo(now, new Date(now.getTime() + seconds * 1_000)).replaceAll(/\s/gu, " ");
    expect([-5, 1, 5, 59, 60, 3 * hour + 5, 2 * day].map(after)).to.deep.equal([
      ...["just now", "just now", "5s ago", "59s ago", "1m ago", "3h ago", "2d ago"],
    ]);
    setFormatLanguage("fr");
    expect([0, 5, 2 * day].map(after)).to.deep.equal(["à l’instant", "il y a 5 s", "il y a 2 j"]);
  });

  it("show milliseconds only if there are any", () => {
    expect(formatPrecise(now)).to.equal("22 Nov 2026, 12:00:00 CET");
    expect(formatPrecise(new Date(now.getTime() + 7))).to.equal("22 Nov 2026, 12:00:00.007 CET");
  });
});

describe("formatted shares", () => {
  it("are 100 % only for everything", () => {
    const shares = [0, 0.004, 0.42, 0.989, 0.998, 0.9995, 0.99999, 1].map(formatShare);
    expect(shares).to.deep.equal(["0%", "0.4%", "42%", "99%", "99.8%", "99.9%", "99.9%", "100%"]);
  });
});
