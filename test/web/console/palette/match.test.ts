import { expect } from "chai";
import { matching, moveSelection, type Command } from "../../../../web/console/palette/match.ts";

function command(label: string, note?: string): Command {
  return {
    id: label,
    label,
    ...(note === undefined ? {} : { note }),
    group: "pages",
    run: () => undefined,
  };
}

const commands = [
  command("Delivery log"),
  command("Disable webhook CRM"),
  command("Réglages de l’entreprise"),
  command("Ticket 4711", "Jane Doe · R-4010"),
  command("Webhooks"),
];

function labels(typed: string): string[] {
  return matching(commands, typed).map(({ label }) => label);
}

describe("the commands that match a text", () => {
  it("are all of them for an empty text", () => {
    expect(labels("  ")).to.have.length(commands.length);
  });

  it("have a word with each typed prefix, in any order", () => {
    expect(labels("crm dis")).to.deep.equal(["Disable webhook CRM"]);
    expect(labels("og")).to.deep.equal([]);
    expect(labels("doe")).to.deep.equal(["Ticket 4711"]);
    expect(labels("log xyz")).to.deep.equal([]);
  });

  it("ignore accents and case", () => {
    expect(labels("REGLAGES entre")).to.deep.equal(["Réglages de l’entreprise"]);
  });

  it("have those first that begin with the text", () => {
    expect(labels("webhook")).to.deep.equal(["Webhooks", "Disable webhook CRM"]);
  });

  it("wrap around with the arrow keys", () => {
    expect(moveSelection(0, 1, 3)).to.equal(1);
    expect(moveSelection(2, 1, 3)).to.equal(0);
    expect(moveSelection(0, -1, 3)).to.equal(2);
    expect(moveSelection(-1, 1, 0)).to.equal(-1);
  });
});
