import { expect } from "chai";
import { parseEmail, parsePhone } from "../../src/platform/contact.ts";
import { promised } from "../support/promised.ts";

const local64 = "a".repeat(64);
const label63 = "b".repeat(63);

describe("the customer's email address", () => {
  const accepted: [string, string][] = [
    ["jane@example.com", "jane@example.com"],
    ["Jane.Doe+x@EXAMPLE.Com", "Jane.Doe+x@example.com"],
    ["  jane@example.com ", "jane@example.com"],
    ["o'brien@sub.example.co.uk", "o'brien@sub.example.co.uk"],
    ["jane@exämple.com", "jane@xn--exmple-cua.com"],
    ["jane@EXÄMPLE.com", "jane@xn--exmple-cua.com"],
    ["jane@例え。jp", "jane@xn--r8jz45g.jp"],
    ["jane@xn--exmple-cua.com", "jane@xn--exmple-cua.com"],
    ["jane@3com.co.uk", "jane@3com.co.uk"],
    [`${local64}@example.com`, `${local64}@example.com`],
    [`a@${label63}.com`, `a@${label63}.com`],
  ];
  for (const [input, kept] of accepted) {
    it(`keeps ${input} as ${kept}`, () => {
      expect(parseEmail(input)).to.equal(kept);
    });
  }

  it("refuses overlong addresses quickly", () => {
    const started = performance.now();
    const cjk = Array.from({ length: 200_000 }, (_, at) =>
      String.fromCodePoint(0x4e00 + (at % 20_000)),
    );
    expect(parseEmail(`jane@${cjk.join("")}.com`)).to.equal(undefined);
    expect(performance.now() - started).to.be.below(promised(500));
  });

  const refused = [
    "",
    "jane",
    "@example.com",
    "jane@",
    "jane@localhost",
    "jane@example..com",
    "jane@-example.com",
    "jane@exa_mple.com",
    "jane@127.0.0.1",
    "jane doe@example.com",
    "jane..doe@example.com",
    ".jane@example.com",
    "jane@example.com\nBcc: x@example.com",
    "a@b@example.com",
    "<jane@example.com>",
    "jane@example.com/y",
    "jane@example.com\\y",
    "jane@example.com?subject=x",
    "jane@example.com#x",
    "jane@example.com:25",
    "jane@example%2ecom",
    "jane@exam\tple.com",
    "jane@exam\nple.com",
    "jane@example.com.",
    "jane@example.com／y",
    "jane@[example.com]",
    "jane@0x7f.1",
    "jane@example-.com",
    `${local64}a@example.com`,
    `a@${label63}b.com`,
    `${local64}@${`${label63}.`.repeat(3)}com`,
  ];
  for (const value of refused) {
    it(`refuses ${JSON.stringify(value)}`, () => {
      expect(parseEmail(value)).to.equal(undefined);
    });
  }
});

describe("the customer's phone number", () => {
  const accepted: [string, string][] = [
    ["+33612345678", "+33612345678"],
    ["+33 6 12 34 56 78", "+33612345678"],
    ["0033612345678", "+33612345678"],
    ["+33 (0)6.12.34.56.78", "+33612345678"],
    ["+1 212-555-2368", "+12125552368"],
    [" 33612345678", "+33612345678"],
  ];
  for (const [input, kept] of accepted) {
    it(`keeps ${JSON.stringify(input)} as ${kept}`, () => {
      expect(parsePhone(input)).to.equal(kept);
    });
  }

  const refused = [
    "",
    "0612345678",
    "33612345678",
    "+33",
    "+336123456789",
    "+33012345678",
    "+999123456789",
    "call +33612345678",
    "+33612345678 ext. 5",
    "++33612345678",
    "+33612345678;+33612345679",
    "abc",
  ];
  for (const value of refused) {
    it(`refuses ${JSON.stringify(value)}`, () => {
      expect(parsePhone(value)).to.equal(undefined);
    });
  }
});
