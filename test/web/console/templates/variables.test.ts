import { expect } from "chai";
import { variablesOfKind } from "../../../../src/contracts/message-templates.ts";
import * as page from "../../../../web/console/templates/variables.ts";

describe("the variables that the templates page offers", () => {
  it("are found in a text, with what is none", () => {
    const text = "Hello {{ firstname }}, {{link}} {{link}} {{age}}";
    expect(page.variablesIn(text)).to.deep.equal(["firstname", "link", "age"]);
    expect(page.unknownIn(text, "ticket")).to.deep.equal(["age"]);
    expect(page.unknownIn(text, "cancel")).to.deep.equal(["link", "age"]);
  });

  it("stand for themselves where a text is shown as it is written", () => {
    expect(page.unchangedTextOf("reminder")).to.include({
      link: "{{link}}",
      startDate: "{{startDate}}",
    });
    expect(Object.keys(page.unchangedTextOf("cancel"))).to.have.members([
      ...variablesOfKind.cancel,
    ]);
  });
});
