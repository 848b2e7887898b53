import { expect } from "chai";
import { readParameters } from "../../../web/quick-invitation/parameters.ts";

describe("the query of the quick invitation", () => {
  it("ignores empty and malformed values", () => {
    const nothing = {
      reference: "",
      serviceKey: undefined,
      recipients: [],
      isServiceFixed: false,
      areRecipientsFixed: false,
    };
    for (const query of [
      "",
      "?",
      "?service_key=&reference=%20&phone_numbers=,,%20,",
      "?%&=&&a[]=1",
    ]) {
      expect(readParameters(query), query).to.deep.equal(nothing);
    }
  });

  it("truncates the reference to 50 characters, never within a surrogate pair, on one line", () => {
    const of = (text: string): string =>
      readParameters(`?reference=${encodeURIComponent(text)}`).reference;
    expect(of("a".repeat(60))).to.equal("a".repeat(50));
    expect(of("🎥".repeat(60))).to.equal("🎥".repeat(50));
    expect(of(" two\r\nlines\u0000 ")).to.equal("two lines");
    expect(readParameters("?reference=first&reference=second").reference).to.equal("first");
  });

  it("parses lists, and keeps the kind of each entry", () => {
    const query = "?phone_numbers=+336,0612&email_addresses=a@b.example,%20c&phone_numbers=007";
    expect(readParameters(query).recipients).to.deep.equal([
      { text: " 336", as: "phone" },
      { text: "0612", as: "phone" },
      { text: "007", as: "phone" },
      { text: "a@b.example", as: "email" },
      { text: " c", as: "email" },
    ]);
  });

  it("locks only with the value true", () => {
    for (const word of ["TRUE", "True", "1", "yes", " true", "true ", "false", ""]) {
      const query = `?read_only.service=${encodeURIComponent(word)}&read_only.recipients=${encodeURIComponent(word)}`;
      expect(readParameters(query), word).to.include({
        isServiceFixed: false,
        areRecipientsFixed: false,
      });
    }
    expect(readParameters("?read_only.service=true")).to.include({
      isServiceFixed: true,
      areRecipientsFixed: false,
    });
    expect(readParameters("?read_only.recipients=true").areRecipientsFixed).to.equal(true);
  });
});
