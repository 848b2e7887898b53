import { expect } from "chai";
import fc from "fast-check";
import { createSecretBox, parseSecretKey } from "../../src/platform/secret-box.ts";

const key = Buffer.alloc(32, 7);
const otherKey = Buffer.alloc(32, 8);

describe("secret box", () => {
  it("decrypts what it encrypted, for any text", () => {
    const box = createSecretBox(key);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (plain, aad) => {
        expect(box.open(box.seal(plain, aad), aad)).to.equal(plain);
      }),
    );
  });

  it("never seals a text to the same bytes twice, and never in clear", () => {
    const box = createSecretBox(key);
    const sealed = box.seal("whsec_topsecret", "row 1");
    expect(sealed.equals(box.seal("whsec_topsecret", "row 1"))).to.equal(false);
    expect(sealed.toString("latin1")).to.not.contain("topsecret");
  });

  it("does not decrypt a value with another context", () => {
    const box = createSecretBox(key);
    const sealed = box.seal("value", "subscriptions/1/1/headers");
    expect(() => box.open(sealed, "subscriptions/1/2/headers")).to.throw();
  });

  it("does not open a value with any flipped bit", () => {
    const box = createSecretBox(key);
    const sealed = box.seal("value", "a");
    for (let at = 0; at < sealed.length * 8; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at >> 3] = (changed[at >> 3] ?? 0) ^ (1 << (at & 7));
      expect(() => box.open(changed, "a"), `bit ${at}`).to.throw();
    }
  });

  it("does not open a shortened or empty value", () => {
    const box = createSecretBox(key);
    const sealed = box.seal("value", "a");
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => box.open(sealed.subarray(0, length), "a"), `${length} bytes`).to.throw();
    }
  });

  it("does not open a value of another key, and says so", () => {
    const sealed = createSecretBox(otherKey).seal("value", "a");
    expect(() => createSecretBox(key).open(sealed, "a")).to.throw(/another secret key/);
  });

  it("refuses a short key", () => {
    expect(() => createSecretBox(Buffer.alloc(31))).to.throw(/32 bytes/);
  });

  it("reads keys in base64 and base64url, with or without padding", () => {
    const bytes = Buffer.alloc(32, 0xfb);
    for (const text of [
      bytes.toString("base64"),
      bytes.toString("base64url"),
      bytes.toString("base64").replace("=", ""),
    ]) {
      expect(parseSecretKey(text).equals(bytes), text).to.equal(true);
    }
  });

  it("refuses a key text that is too short or not base64", () => {
    for (const text of [
      "",
      "short",
      Buffer.alloc(31).toString("base64"),
      `${Buffer.alloc(32).toString("base64")}!`,
      `a b${"A".repeat(60)}`,
    ]) {
      expect(() => parseSecretKey(text), text).to.throw(/base64/);
    }
  });
});
