import { expect } from "chai";
import { variablesOfKind } from "../../../../src/contracts/message-templates.ts";
import * as page from "../../../../web/console/templates/variables.ts";

describe("the template variables", () => {
  it("are found in a text, together with unknown ones", () => {
    const text = "Hello {{ firstname }}, {{link}} {{link}} {{age}}";
    expect(page.variablesIn(text)).to.deep.equal(["firstname", "link", "age"]);
    expect(page.unknownIn(text, "ticket")).to.deep.equal(["age"]);
    expect(page.unknownIn(text, "cancel")).to.deep.equal(["link", "age"]);
  });

  it("are shown by name in the preview", () => {
    expect(page.unchangedTextOf("reminder")).to.include({
      link: "{{link}}",
      startDate: "{{startDate}}",
    });
    expect(Object.keys(page.unchangedTextOf("cancel"))).to.have.members([
      ...variablesOfKind.cancel,
    ]);
  });
});
