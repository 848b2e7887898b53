import { expect } from "chai";
import { formatPace, setFormatLanguage } from "../../../web/base/format.ts";

describe("formatted rates", () => {
  afterEach(() => setFormatLanguage("en"));

  it("use the unit in which the number is readable", () => {
    const texts = [1_234.5, 12, 1.25, 1, 0.5, 0.05, 0.017, 0.003, 0].map(formatPace);
    expect(texts).to.deep.equal([
      ...["1,235/s", "12/s", "1.3/s", "1/s", "30/min", "3/min", "1/min", "0.2/min", "0/s"],
    ]);
  });

  it("use the language of the page", () => {
    setFormatLanguage("fr");
    expect([1.25, 0.05].map(formatPace)).to.deep.equal(["1,3/s", "3/min"]);
  });
});
