import { expect } from "chai";
import { changesBetween } from "../../src/accounts/changes.ts";

describe("changes in an audit entry", () => {
  it("contain the fields that differ, with old and new values", () => {
    const before = { name: "A", groups: [1], language: null, same: { a: 1 } };
    const after = { name: "B", groups: [1, 2], language: "fr", same: { a: 1 } };
    expect(changesBetween(before, after)).to.deep.equal({
      name: { from: "A", to: "B" },
      groups: { from: [1], to: [1, 2] },
      language: { from: null, to: "fr" },
    });
  });

  it("have no old values for a new object", () => {
    expect(changesBetween({}, { name: "A" })).to.deep.equal({ name: { to: "A" } });
  });

  it("mask hidden values", () => {
    const hidden = ["email", "phone", "photo"];
    const before = { email: "a@x.example", phone: "", photo: null };
    const after = { email: "b@x.example", phone: "+33612345678", photo: null };
    expect(changesBetween(before, after, hidden)).to.deep.equal({
      email: { from: "••••", to: "••••" },
      phone: { from: "", to: "••••" },
    });
  });
});
