import { expect } from "chai";
import type { Problem } from "../../src/contracts/problems.ts";
import { readText, readLine, type SocketInput } from "../../src/signalling/parse-input.ts";

function kindOf(read: () => unknown): string {
  try {
    read();
    return "ok";
  } catch (thrown) {
    return (thrown as Problem).kind;
  }
}

const controls = ["\u0000", "\u0007", "\u001b[2J", "\u007f", "\u0085", "\u009b"];

describe("text from a client", () => {
  it("keeps line breaks and tabs in chat, and no other control characters", () => {
    expect(readText({ text: "one\r\n\ttwo" })).to.equal("one\r\n\ttwo");
    for (const control of controls) {
      expect(kindOf(() => readText({ text: `a${control}b` }))).to.equal("invalid_parameter");
    }
  });

  it("has no line breaks or control characters in a single-line field", () => {
    const word = (value: SocketInput) => readLine(value, "reference", 9);
    expect(word({ reference: "Ä-4711 é" })).to.equal("Ä-4711 é");
    for (const none of [undefined, null, ""]) {
      expect(word({ reference: none })).to.equal(undefined);
    }
    for (const wrong of [...controls, "\n", "\r", "\t"].map((control) => `a${control}`)) {
      expect(
        kindOf(() => word({ reference: wrong })),
        JSON.stringify(wrong),
      ).to.equal("invalid_parameter");
    }
    expect(kindOf(() => word({ reference: "0123456789" }))).to.equal("invalid_parameter");
    expect(kindOf(() => word({ reference: 7 }))).to.equal("invalid_parameter");
  });
});
