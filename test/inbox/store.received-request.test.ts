import { expect } from "chai";
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { hasValidSignature } from "../../src/inbox/store.ts";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const other = `whsec_${randomBytes(32).toString("base64")}`;
const now = new Date("2026-11-20T11:30:00Z");
const text = '{"event":"create","text":"é"}';

function signed(key = secret, at = now) {
  return {
    id: "evt_1",
    timestamp: String(at.getTime() / 1000),
    signature: new Webhook(key).sign("evt_1", at, text),
    body: Buffer.from(text),
  };
}

describe("verification in the inbox", () => {
  it("accepts what the standardwebhooks package signed", () => {
    expect(hasValidSignature(signed(), [secret], now)).to.equal(true);
  });

  it("accepts a signature by any of the secrets, among any number of signatures", () => {
    const several = { ...signed(), signature: `v1a,xxxx v1,AAAA ${signed().signature}` };
    expect(hasValidSignature(several, [other, secret], now)).to.equal(true);
  });

  it("verifies v1a signatures with public keys, of which the last may be the right one", () => {
    const pairs = [1, 2].map(() => generateKeyPairSync("ed25519"));
    const [first = "", second = ""] = pairs.map(({ publicKey }) => {
      const { x = "" } = publicKey.export({ format: "jwk" });
      return `whpk_${Buffer.from(x, "base64url").toString("base64")}`;
    });
    const input = signed();
    const content = Buffer.from(`evt_1.${input.timestamp}.${text}`);
    const signatures = pairs.map(
      ({ privateKey }) => `v1a,${sign(null, content, privateKey).toString("base64")}`,
    );
    const request = { ...input, signature: `v1a,AAAA v1a, ${signatures[1]}` };
    expect(hasValidSignature(request, [secret, first, second], now)).to.equal(true);
    expect(hasValidSignature(request, [secret, first], now)).to.equal(false);
    expect(hasValidSignature({ ...request, id: "evt_2" }, [second], now)).to.equal(false);
    const asV1 = { ...request, signature: request.signature.replaceAll("v1a,", "v1,") };
    expect(hasValidSignature(asV1, [second], now)).to.equal(false);
  });

  it("rejects another secret, and no secret at all", () => {
    expect(hasValidSignature(signed(other), [secret], now)).to.equal(false);
    expect(hasValidSignature(signed(), [], now)).to.equal(false);
  });

  it("rejects a request in which a signed part was changed", () => {
    const valid = signed();
    const seconds = Number(valid.timestamp);
    for (const changed of [
      { ...valid, id: "evt_2" },
      { ...valid, timestamp: String(seconds + 1) },
      { ...valid, body: Buffer.from(text.replace("create", "delete")) },
      { ...valid, body: Buffer.from(JSON.stringify(JSON.parse(text), null, 2)) },
    ]) {
      expect(hasValidSignature(changed, [secret], now)).to.equal(false);
    }
  });

  it("rejects a request without one of the three headers", () => {
    const genuine = signed();
    expect(hasValidSignature({ ...genuine, id: undefined }, [secret], now)).to.equal(false);
    expect(hasValidSignature({ ...genuine, timestamp: undefined }, [secret], now)).to.equal(false);
    expect(hasValidSignature({ ...genuine, signature: undefined }, [secret], now)).to.equal(false);
  });

  it("rejects other versions and malformed signatures", () => {
    const valid = signed();
    for (const signature of ["", "v1", "v1,", "v1,%%%", valid.signature.replace("v1,", "v2,")]) {
      expect(hasValidSignature({ ...valid, signature }, [secret], now), signature).to.equal(false);
    }
  });

  it("allows five minutes either way, not more", () => {
    const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    expect(hasValidSignature(signed(), [secret], after(300))).to.equal(true);
    expect(hasValidSignature(signed(), [secret], after(-300))).to.equal(true);
    expect(hasValidSignature(signed(), [secret], after(301))).to.equal(false);
    expect(hasValidSignature(signed(), [secret], after(-301))).to.equal(false);
  });

  it("rejects a timestamp that is not a number, even if it is signed", () => {
    const input = { ...signed(), timestamp: "soon" };
    expect(hasValidSignature(input, [secret], now)).to.equal(false);
  });
});
