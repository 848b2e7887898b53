import { expect } from "chai";
import { matchingChoices } from "../../../../web/components/choice.ts";
import { choiceOf } from "../../../../web/console/tickets/agent-choice.ts";

const ann = choiceOf({
  ...{ login: "a.martin", email: "am@clinic.example", nickname: "Ann" },
  ...{ firstname: "Annette", lastname: "Martin-Dupont" },
});
const bob = choiceOf({
  ...{ login: "bob", email: "bob@clinic.example", nickname: "", firstname: "", lastname: "" },
});

const labelsFor = (text: string): string[] =>
  matchingChoices([ann, bob], text).map(({ label }) => label);

describe("the agents of a select", () => {
  it("are found by login, address and every name, as by the API", () => {
    for (const text of ["ann", "A.MARTIN", " am@", "annette", "dupont", "ann annette"]) {
      expect(labelsFor(text), text).to.deep.equal(["Ann"]);
    }
    expect(labelsFor("clinic")).to.deep.equal(["Ann", "bob"]);
    expect(labelsFor("nobody")).to.deep.equal([]);
    expect(labelsFor("")).to.deep.equal(["Ann", "bob"]);
  });
});
