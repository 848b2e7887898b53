import { expect } from "chai";
import { createEmailLinks } from "../../../src/subscriptions/alerts/confirmations.ts";

const baseUrl = "https://sightline.example";
const links = createEmailLinks({ secretKey: Buffer.alloc(32, 1), baseUrl });
const ops = { id: 7, email: "ops@partner.example" };
function tokenOf(link: string): string {
  return link.replace(`${baseUrl}/alerts#token=`, "");
}

describe("link of an alert", () => {
  it("identifies an address, and is valid only for it", () => {
    const token = tokenOf(links.linkTo(ops));
    expect(links.idOf(token)).to.equal(7);
    expect(links.isSigned(token, ops)).to.equal(true);
    expect(links.isSigned(token, { ...ops, id: 8 })).to.equal(false);
    expect(links.isSigned(token, { ...ops, email: "eve@partner.example" })).to.equal(false);
    expect(links.isSigned(token.replace(/^7/u, "8"), { ...ops, id: 8 })).to.equal(false);
  });

  it("is signed with the platform's key", () => {
    const other = createEmailLinks({ secretKey: Buffer.alloc(32, 2), baseUrl });
    expect(links.isSigned(tokenOf(other.linkTo(ops)), ops)).to.equal(false);
  });

  it("rejects other tokens", () => {
    for (const text of ["", "7", "7.", "x.abc", `7.${"a".repeat(44)}`, "7.ünïcode"]) {
      expect(links.idOf(text)).to.equal(undefined);
      expect(links.isSigned(text, ops)).to.equal(false);
    }
  });
});
