import { expect } from "chai";
import { parseEmail, parsePhone } from "../../../src/platform/contact.ts";
import { readPhone } from "../../../web/quick-invitation/phone.ts";
import {
  readRecipient,
  readRecipients,
  roughPhone,
  splitList,
} from "../../../web/quick-invitation/recipients.ts";

function read(text: string, as?: "phone" | "email") {
  return readRecipient({ text, as }, readPhone);
}

describe("recipients of the quick invitation", () => {
  it("are numbers with a country code, in any notation", () => {
    for (const text of ["+33612345678", "0033612345678", " 33612345678", "+33 6 12.34-56 78 "]) {
      expect(read(text), text).to.include({
        kind: "phone",
        value: "+33612345678",
        fault: undefined,
      });
    }
    expect(read("0612345678").fault).to.equal("phone_prefix");
    expect(read("+3361").fault).to.equal("phone");
    expect(read("12").fault).to.equal("phone_prefix");
  });

  it("are email addresses, whose domain is case-insensitive", () => {
    expect(read("Jane.Doe@Example.COM")).to.include({
      kind: "email",
      value: "Jane.Doe@example.com",
      fault: undefined,
    });
    for (const text of ["jane@", "@example.com", "jane@example", "ja ne@example.com", "a@b@c."]) {
      expect(read(text).fault, text).to.equal("email");
    }
    expect(read("jane").fault).to.equal("other");
  });

  it("are flagged if they do not match the kind of their parameter", () => {
    expect(read("jane@example.com", "phone").fault).to.equal("phone");
    expect(read("+33612345678", "email").fault).to.equal("email");
  });

  it("are rejected only if the platform rejects them too", () => {
    for (const text of [
      "+33612345678",
      "+4915112345678",
      "+12125550123",
      "0044 7911 123456",
      "+3361",
    ]) {
      expect(read(text).fault === undefined || parsePhone(text) === undefined, text).to.equal(true);
    }
    for (const text of [
      "a@b.example",
      "a.b+c@d-e.example.org",
      "é@b.example",
      "a@é.example",
      "a@b",
    ]) {
      expect(read(text).fault === undefined || parseEmail(text) === undefined, text).to.equal(true);
    }
  });

  it("are deduplicated, in order of appearance", () => {
    const drafts = ["+33612345678", "a@B.example", "0033612345678", "a@b.example", "x"];
    const found = readRecipients(
      drafts.map((text) => ({ text })),
      readPhone,
    );
    expect(found.map(({ value }) => value)).to.deep.equal(["+33612345678", "a@b.example", "x"]);
  });

  it("are split at separators, and empty entries are ignored", () => {
    expect(splitList("a, b;c\nd,,  ,", /[,;\n]/u)).to.deep.equal(["a", " b", "c", "d"]);
  });

  it("are validated roughly until the full validation is loaded", () => {
    expect(roughPhone("+33 6 12 34 56 78")).to.equal("+33612345678");
    expect(roughPhone("+3361")).to.equal(undefined);
  });
});
