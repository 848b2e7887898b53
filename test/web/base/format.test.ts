import { expect } from "chai";
import { formatWholeDuration, setFormatLanguage } from "../../../web/base/format.ts";

const hourMs = 3_600_000;

describe("lengths of time in words", () => {
  afterEach(() => setFormatLanguage("en"));

  it("are told in the largest unit that they are a multiple of", () => {
    const told = [60_000, hourMs, 24 * hourMs, 36 * hourMs, 72 * hourMs].map(formatWholeDuration);
    expect(told).to.deep.equal(["1 minute", "1 hour", "1 day", "36 hours", "3 days"]);
  });

  it("are told in the language of the page", () => {
    setFormatLanguage("fr");
    expect([hourMs, 168 * hourMs].map(formatWholeDuration)).to.deep.equal([
      "1\u00A0heure",
      "7\u00A0jours",
    ]);
  });
});
