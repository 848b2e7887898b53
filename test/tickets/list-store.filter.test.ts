import { expect } from "chai";
import { parseTicketFilter } from "../../src/tickets/list-store.ts";

function searchOf(search: string) {
  return parseTicketFilter({ search }).search;
}

describe("the filter of the list of tickets", () => {
  it("matches a national number within the international one", () => {
    expect(searchOf("06 12.34-56 78")?.phoneDigits).to.equal("612345678");
    expect(searchOf("+33 6 12 34")?.phoneDigits).to.equal("3361234");
  });

  it("treats a number as an id too, and words as neither", () => {
    expect(searchOf("#4711")).to.include({ text: "#4711", phoneDigits: undefined, id: 4711 });
    expect(searchOf(" Jane ")).to.include({
      text: "Jane",
      phoneDigits: undefined,
      id: undefined,
    });
  });

  it("ignores an empty search", () => {
    expect(searchOf("  ")).to.equal(undefined);
  });
});
