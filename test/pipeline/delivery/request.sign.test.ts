import { execFile } from "node:child_process";
import { createPublicKey, generateKeyPairSync, verify as verifyRaw } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { verify as verifyGithub } from "@octokit/webhooks-methods";
import { expect } from "chai";
import { Stripe } from "stripe";
import { Webhook } from "standardwebhooks";
import {
  asymmetricSignatures,
  githubSignature,
  signatureHeader,
  stripeSignature,
} from "../../../src/pipeline/delivery/request.ts";

function secretOf(byte: number): string {
  return `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
}

const now = new Date();
const seconds = Math.floor(now.getTime() / 1000);
const id = "evt_0192";
const body = '{"props":{"name":"Zoë \\u0000 😀"}}';

function verify(secret: string, signature: string, text: string): void {
  new Webhook(secret).verify(
    text,
    { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signature },
    { jsonParse: false },
  );
}

describe("the signature", () => {
  it("matches the standardwebhooks package", () => {
    const signature = signatureHeader([secretOf(1)], id, seconds, body);
    expect(signature).to.equal(new Webhook(secretOf(1)).sign(id, now, body));
    verify(secretOf(1), signature, body);
  });

  it("is the same for text and bytes", () => {
    const ofText = signatureHeader([secretOf(1)], id, seconds, body);
    expect(signatureHeader([secretOf(1)], id, seconds, Buffer.from(body))).to.equal(ofText);
  });

  it("fails to verify if a byte, the id, the time or the secret differs", () => {
    const signature = signatureHeader([secretOf(1)], id, seconds, body);
    expect(() => verify(secretOf(1), signature, `${body} `)).to.throw();
    expect(() => verify(secretOf(2), signature, body)).to.throw();
    expect(signatureHeader([secretOf(1)], "evt_other", seconds, body)).to.not.equal(signature);
    expect(signatureHeader([secretOf(1)], id, seconds + 1, body)).to.not.equal(signature);
  });

  it("is created per secret, so that each of two verifies", () => {
    const signature = signatureHeader([secretOf(1), secretOf(2)], id, seconds, body);
    expect(signature.split(" ")).to.have.length(2);
    verify(secretOf(1), signature, body);
    verify(secretOf(2), signature, body);
  });

  it("accepts a secret without its prefix", () => {
    const bare = secretOf(3).slice("whsec_".length);
    expect(signatureHeader([bare], id, seconds, body)).to.equal(
      signatureHeader([secretOf(3)], id, seconds, body),
    );
  });
});

/** A key pair in its stored format. */
function aKeyPair() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const bytesOf = (member: "d" | "x", key: typeof privateKey): Buffer =>
    Buffer.from(key.export({ format: "jwk" })[member] ?? "", "base64url");
  return {
    privateKey: `whsk_${bytesOf("d", privateKey).toString("base64")}`,
    publicKey: `whpk_${bytesOf("x", publicKey).toString("base64")}`,
  };
}

function bytesOfPublicKey(publicKey: string): Buffer {
  return Buffer.from(publicKey.slice("whpk_".length), "base64");
}

/** The SPKI prefix of ed25519 keys. */
function spkiOf(publicKey: string): Buffer {
  return Buffer.concat([
    Buffer.from("302a300506032b6570032100", "hex"),
    bytesOfPublicKey(publicKey),
  ]);
}

function signedBytes(text: string): Buffer {
  return Buffer.from(`${id}.${seconds}.${text}`);
}

/** Verifies with the public key only, like a receiver. */
function isAsymmetric(publicKey: string, signature: string, text: string): boolean {
  const [version, encoded = ""] = signature.split(",");
  const key = createPublicKey({ key: spkiOf(publicKey), format: "der", type: "spki" });
  return (
    version === "v1a" && verifyRaw(null, signedBytes(text), key, Buffer.from(encoded, "base64"))
  );
}

/**
 * Verifies with the OpenSSL program, an independent implementation; with WebCrypto if it is not
 * installed.
 */
async function isAsymmetricElsewhere(
  publicKey: string,
  signature: string,
  text: string,
): Promise<boolean> {
  const bytes = Buffer.from(signature.slice("v1a,".length), "base64");
  const folder = await mkdtemp(join(tmpdir(), "sightline-sign-"));
  try {
    await writeFile(join(folder, "key.der"), spkiOf(publicKey));
    await writeFile(join(folder, "signed"), signedBytes(text));
    await writeFile(join(folder, "signature"), bytes);
    const words = "pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in signed";
    const command = [...words.split(" "), "-sigfile", "signature"];
    const { stdout } = await promisify(execFile)("openssl", command, { cwd: folder });
    return stdout.includes("Successfully");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      return false;
    }
    const raw = new Uint8Array(bytesOfPublicKey(publicKey));
    const key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, bytes, signedBytes(text));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("the asymmetric signature", () => {
  const keys = aKeyPair();
  const signature = asymmetricSignatures([keys.privateKey], id, seconds, Buffer.from(body));

  it("verifies with the public key alone", () => {
    expect(signature).to.match(/^v1a,[A-Za-z0-9+/]{86}==$/u);
    expect(isAsymmetric(keys.publicKey, signature, body)).to.equal(true);
  });

  it("verifies with another implementation, and fails for one extra byte", async () => {
    expect(await isAsymmetricElsewhere(keys.publicKey, signature, body)).to.equal(true);
    expect(await isAsymmetricElsewhere(keys.publicKey, signature, `${body} `)).to.equal(false);
  });

  it("derives the key that RFC 8032 lists for its first seed", () => {
    const seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
    const publicHex = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    const privateKey = `whsk_${Buffer.from(seed, "hex").toString("base64")}`;
    const publicKey = `whpk_${Buffer.from(publicHex, "hex").toString("base64")}`;
    const made = asymmetricSignatures([privateKey], id, seconds, Buffer.from(body));
    expect(isAsymmetric(publicKey, made, body)).to.equal(true);
  });

  it("fails to verify if the body, the id, the time or the key differs", () => {
    const others = [
      asymmetricSignatures([keys.privateKey], "evt_other", seconds, Buffer.from(body)),
      asymmetricSignatures([keys.privateKey], id, seconds + 1, Buffer.from(body)),
      asymmetricSignatures([aKeyPair().privateKey], id, seconds, Buffer.from(body)),
    ];
    expect(isAsymmetric(keys.publicKey, signature, `${body} `)).to.equal(false);
    for (const other of others) {
      expect(isAsymmetric(keys.publicKey, other, body)).to.equal(false);
    }
  });

  it("is created per key during a rotation", () => {
    const next = aKeyPair();
    const privateKeys = [next.privateKey, keys.privateKey];
    const both = asymmetricSignatures(privateKeys, id, seconds, Buffer.from(body)).split(" ");
    expect(both).to.have.length(2);
    expect(isAsymmetric(next.publicKey, both[0] ?? "", body)).to.equal(true);
    expect(isAsymmetric(keys.publicKey, both[1] ?? "", body)).to.equal(true);
  });

  it("is ignored by the public library", () => {
    const v1 = signatureHeader([secretOf(1)], id, seconds, body);
    verify(secretOf(1), `${signature} ${v1}`, body);
    expect(() => verify(secretOf(1), signature, body)).to.throw();
  });
});

describe("signatures in other platforms' formats", () => {
  const bytes = Buffer.from(body);

  it("verify with GitHub's library, with the secret text as key", async () => {
    const signature = githubSignature(secretOf(1), bytes);
    expect(await verifyGithub(secretOf(1), body, signature)).to.equal(true);
    expect(await verifyGithub(secretOf(2), body, signature)).to.equal(false);
    expect(await verifyGithub(secretOf(1), `${body} `, signature)).to.equal(false);
  });

  it("verify with Stripe's library, with each of two secrets", () => {
    const signature = stripeSignature([secretOf(2), secretOf(1)], seconds, bytes);
    const stripe = new Stripe("sk_test_none").webhooks.signature!;
    for (const secret of [secretOf(1), secretOf(2)]) {
      expect(stripe.verifyHeader(body, signature, secret, 300)).to.equal(true);
    }
    expect(() => stripe.verifyHeader(body, signature, secretOf(3), 300)).to.throw();
    expect(() => stripe.verifyHeader(`${body} `, signature, secretOf(1), 300)).to.throw();
    const old = stripeSignature([secretOf(1)], seconds - 600, bytes);
    expect(() => stripe.verifyHeader(body, old, secretOf(1), 300)).to.throw();
  });
});
