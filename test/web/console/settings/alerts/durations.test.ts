import { expect } from "chai";
import {
  choicesWith,
  durationText,
  failingChoices,
} from "../../../../../web/console/settings/alerts/durations.ts";

describe("the selectable durations", () => {
  it("are in minutes, or whole hours, in the reader's language", () => {
    expect(durationText(30, "en")).to.equal("30 minutes");
    expect(durationText(60, "en")).to.equal("1 hour");
    expect(durationText(1_440, "fr")).to.match(/^24\sheures$/u);
    expect(durationText(90, "en")).to.equal("90 minutes");
  });

  it("include a value set through the API, in order", () => {
    expect(choicesWith([0, 5, 15], 7)).to.deep.equal([0, 5, 7, 15]);
    expect(choicesWith(failingChoices, 30)).to.deep.equal(failingChoices);
    expect(choicesWith([0, 5], null)).to.deep.equal([0, 5]);
  });
});
