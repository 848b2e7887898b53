import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { signatureHeader } from "../../../src/pipeline/delivery/sign.ts";

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;

const now = new Date();
const seconds = Math.floor(now.getTime() / 1000);
const id = "evt_0192";
const body = '{"props":{"name":"Zoë \\u0000 😀"}}';

const verify = (secret: string, signature: string, text: string): void => {
  new Webhook(secret).verify(
    text,
    { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signature },
    { jsonParse: false },
  );
};

describe("the signature", () => {
  it("is the one that the standardwebhooks package makes and accepts", () => {
    const signature = signatureHeader([secretOf(1)], id, seconds, body);
    expect(signature).to.equal(new Webhook(secretOf(1)).sign(id, now, body));
    verify(secretOf(1), signature, body);
  });

  it("is the same for a text and for its bytes", () => {
    const ofText = signatureHeader([secretOf(1)], id, seconds, body);
    expect(signatureHeader([secretOf(1)], id, seconds, Buffer.from(body))).to.equal(ofText);
  });

  it("is refused when one byte, the id, the time or the secret differs", () => {
    const signature = signatureHeader([secretOf(1)], id, seconds, body);
    expect(() => verify(secretOf(1), signature, `${body} `)).to.throw();
    expect(() => verify(secretOf(2), signature, body)).to.throw();
    expect(signatureHeader([secretOf(1)], "evt_other", seconds, body)).to.not.equal(signature);
    expect(signatureHeader([secretOf(1)], id, seconds + 1, body)).to.not.equal(signature);
  });

  it("is given once per secret, so that either one of two verifies", () => {
    const signature = signatureHeader([secretOf(1), secretOf(2)], id, seconds, body);
    expect(signature.split(" ")).to.have.length(2);
    verify(secretOf(1), signature, body);
    verify(secretOf(2), signature, body);
  });

  it("takes a secret without its prefix", () => {
    const bare = secretOf(3).slice("whsec_".length);
    expect(signatureHeader([bare], id, seconds, body)).to.equal(
      signatureHeader([secretOf(3)], id, seconds, body),
    );
  });
});
