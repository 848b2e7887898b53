import { expect } from "chai";
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { checkSecret, newSecret } from "../../src/subscriptions/signing-keys.ts";

function secretOf(length: number): string {
  return `whsec_${randomBytes(length).toString("base64")}`;
}

describe("signing secret", () => {
  it("consists of 32 random bytes in the format of Standard Webhooks", () => {
    const secret = newSecret(randomBytes);
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).to.not.equal(newSecret(randomBytes));
    expect(new Webhook(secret).sign("id", new Date(0), "{}")).to.match(/^v1,/);
  });

  it("may be chosen by the client, with 24 to 64 bytes", () => {
    for (const length of [24, 32, 33, 64]) {
      const secret = secretOf(length);
      expect(checkSecret(secret)).to.equal(secret);
    }
  });

  it("is rejected in any other form", () => {
    const valid = Buffer.alloc(32, 0xfb).toString("base64");
    for (const secret of [
      "",
      "whsec_",
      secretOf(23),
      secretOf(65),
      valid,
      `WHSEC_${valid}`,
      `whsec_${valid} `,
      `whsec_ ${valid}`,
      `whsec_${valid.replace("=", "")}`,
      `whsec_${valid.replaceAll("+", "-")}`,
      `whsec_${valid}\n`,
      // The last character has unused bits, so this is another encoding of the same key.
      `whsec_${valid.slice(0, -2)}t=`,
    ]) {
      expect(() => checkSecret(secret), JSON.stringify(secret)).to.throw(/24 to 64 bytes/);
    }
  });
});
