import { expect } from "chai";
import { parseMessage, readHeader } from "../../src/hl7/message.ts";

const printable = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n));
const marks = printable.filter((character) => /[^A-Za-z0-9]/u.test(character));

describe("an HL7 message", () => {
  it("may use any ASCII punctuation as any delimiter", () => {
    expect(marks).to.have.length(32);
    for (const mark of marks) {
      const [a = "", b = "", c = "", d = ""] = ["!", "#", "%", ";", "="].filter((x) => x !== mark);
      const orders: [string, string, string, string, string][] = [
        [mark, a, b, c, d],
        [a, mark, b, c, d],
        [a, b, mark, c, d],
        [a, b, c, mark, d],
        [a, b, c, d, mark],
      ];
      for (const [field, component, repetition, escape, sub] of orders) {
        const coded = ["F", "S", "R", "E", "T"].map((code) => `${escape}${code}${escape}`).join("");
        const text = [
          `MSH${field}${component}${repetition}${escape}${sub}`,
          `NTE${field}${coded}${component}x${sub}y${repetition}z`,
        ].join("\r");
        const message = parseMessage(text);
        const all = [field, component, repetition, escape, sub].join("");
        expect(message.value("NTE", 1), text).to.equal(all);
        expect(message.value("NTE", 1, { component: 2, subcomponent: 2 }), text).to.equal("y");
        expect(message.repetitions("NTE", 1), text).to.equal(2);
      }
    }
  });

  it("has a readable header even if the rest is invalid", () => {
    const line = "MSH|^~\\&|EHR|WARD|||||SIU^S12|C7|P|2.5";
    const rest = Buffer.from([0x0d, 0xff, 0x00, 0xfe]);
    const { controlId, sendingFacility } = readHeader(Buffer.concat([Buffer.from(line), rest]));
    expect([controlId, sendingFacility]).to.deep.equal(["C7", "WARD"]);
    for (const other of ["", "Hello", "MSH", "MSH||||||||||C7", "\r\r"]) {
      expect(readHeader(Buffer.from(other)).controlId, other).to.equal("");
    }
  });
});
