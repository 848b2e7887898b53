import { channels } from "../../../../src/contracts/invitations.ts";
import { expect } from "chai";
import { templateKinds, variablesOfKind } from "../../../../src/messages/templates/model.ts";
import * as page from "../../../../web/console/templates/variables.ts";

describe("the variables that the templates page offers", () => {
  it("are of the very kinds and channels that the platform sends", () => {
    expect(page.kinds).to.deep.equal(templateKinds);
    expect(page.channels).to.have.members([...channels]);
  });

  for (const kind of templateKinds) {
    it(`are those that a text of the kind ${kind} may name, each once`, () => {
      expect(page.variablesOfKind[kind]).to.have.members([...variablesOfKind[kind]]);
      expect(page.variablesOfKind[kind]).to.have.length(variablesOfKind[kind].length);
    });
  }

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
