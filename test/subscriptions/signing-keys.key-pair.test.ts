import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { expect } from "chai";
import { randomIds } from "../../src/platform/ids.ts";
import { firstKeys, newKeyPair } from "../../src/subscriptions/signing-keys.ts";

describe("key pair of a webhook", () => {
  it("matches the first test vector of RFC 8032", () => {
    const seed = Buffer.from(
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "hex",
    );
    expect(newKeyPair(() => seed)).to.deep.equal({
      privateKey: `whsk_${seed.toString("base64")}`,
      publicKey: `whpk_${Buffer.from(
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "hex",
      ).toString("base64")}`,
      until: null,
    });
  });

  it("signs what its public key verifies, and is different each time", () => {
    const { privateKey, publicKey } = newKeyPair(randomIds.bytes);
    const key = createPrivateKey({
      key: Buffer.concat([
        Buffer.from("302e020100300506032b657004220420", "hex"),
        Buffer.from(privateKey.slice(5), "base64"),
      ]),
      format: "der",
      type: "pkcs8",
    });
    const x = Buffer.from(publicKey.slice(5), "base64").toString("base64url");
    const shown = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const text = Buffer.from("evt_1.1795216792.{}");
    expect(verify(null, text, shown, sign(null, text, key))).to.equal(true);
    expect(newKeyPair(randomIds.bytes).publicKey).to.not.equal(publicKey);
  });

  it("is created when v1a is first enabled, and kept from then on", () => {
    const none = { signatures: ["v1"], keys: [] } as const;
    expect(firstKeys(none, ["v1"], randomIds.bytes)).to.deep.equal({});
    const { keys = [] } = firstKeys(none, ["v1", "v1a"], randomIds.bytes);
    expect(keys).to.have.length(1);
    expect(firstKeys({ ...none, keys }, ["v1a"], randomIds.bytes)).to.deep.equal({});
    const on = { signatures: ["v1a"], keys: [] } as const;
    expect(firstKeys(on, ["v1a"], randomIds.bytes)).to.deep.equal({});
  });
});
