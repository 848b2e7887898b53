import { expect } from "chai";
import type { Problem } from "../../src/contracts/problems.ts";
import { parseParticipants } from "../../src/conferences/input.ts";

describe("a list of participants", () => {
  const refusalOf = (text: string): Problem => {
    try {
      parseParticipants(text);
    } catch (thrown) {
      return thrown as Problem;
    }
    throw new Error("It was accepted");
  };

  it("is refused for its length before its items are parsed, and has each item once", () => {
    const many = Array.from({ length: 51 }, (_, index) => `+${index}`).join(",");
    expect(refusalOf(many).message).to.include("at most 50");
    const { message } = refusalOf("+3, +3 ,".repeat(2_800));
    expect(message).to.include('"+3" is neither an email address');
  });

  it("may have a blank instead of the plus sign", () => {
    const parsed = parseParticipants(" 33612345678, ann@x.test ,+33612345678,  1@x.test,,");
    expect(parsed.map(({ email, phone }) => email ?? phone)).to.deep.equal([
      "+33612345678",
      "ann@x.test",
      "1@x.test",
    ]);
  });
});
