import { expect } from "chai";
import { parseEmail, parsePhone } from "../../../../src/platform/contact.ts";
import {
  addContacts,
  countFaults,
  readByLength,
  readContact,
  splitContacts,
} from "../../../../web/console/meetings/contacts.ts";
import { readPhone } from "../../../../web/console/meetings/read-phone.ts";

const typed = [
  ...["jane@example.com", "Jane@EXAMPLE.com", "no@where", "a b@example.com", "a@b@c.fr", "@x.fr"],
  ...["é@example.com", "jean@exämple.de", "a@1.2.3.4", "a.@x.fr"],
  ...[
    "+33612345678",
    "+33 6 12 34 56 78",
    "0033612345678",
    "0612345678",
    "+33 0",
    "+1 (202) 555-0143",
  ],
  ...["+999999999", "jane", "12", "+44 20 7946 0958"],
];

describe("guests of a meeting, typed or pasted", () => {
  it("are validated with the rules of the service", () => {
    for (const text of typed) {
      const contact = readContact(text, readPhone);
      const texts = contact.kind === "fault" ? undefined : contact.value;
      expect(texts, text).to.equal(parseEmail(text) ?? parsePhone(text));
    }
  });

  it("are accepted up to the length that the service accepts", () => {
    const taken = typed.filter((text) => (parseEmail(text) ?? parsePhone(text)) !== undefined);
    expect(countFaults(taken, readByLength)).to.equal(0);
    expect(countFaults(["+33 0", "0612345678", "+999999999"], readByLength)).to.equal(2);
    expect(countFaults(["+33 0", "0612345678", "+999999999"], readPhone)).to.equal(3);
  });

  it("are split in lists of every kind", () => {
    const pasted =
      "Jane Doe <jane@example.com>; paul@example.com\n+33 6 12 34 56 78\tx@y.fr z@y.fr";
    expect(splitContacts(pasted)).to.deep.equal([
      ...["jane@example.com", "paul@example.com", "+33 6 12 34 56 78", "x@y.fr", "z@y.fr"],
    ]);
  });

  it("are deduplicated, and sent as they were typed", () => {
    const list = addContacts(
      ["+33612345678"],
      "+33 6 12 34 56 78, 0612345678,0612345678",
      readPhone,
    );
    expect(list).to.deep.equal(["+33612345678", "0612345678"]);
  });
});
