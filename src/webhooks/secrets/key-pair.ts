/** Key pairs of the signatures `v1a`. */
import { createPrivateKey, createPublicKey } from "node:crypto";
import type { SignatureScheme, SigningKeyPair } from "../../contracts/subscriptions.ts";

/**
 * The first pair, for a subscription that is going to sign with one. It stays when that ends, so
 * that a receiver who knows the public key need not learn another.
 */
export function firstKeys(
  before: { signatures: readonly SignatureScheme[]; keys: readonly SigningKeyPair[] },
  signatures: readonly SignatureScheme[],
  bytes: (length: number) => Buffer,
): { keys?: SigningKeyPair[] } {
  return signatures.includes("v1a") &&
    !before.signatures.includes("v1a") &&
    before.keys.length === 0
    ? { keys: [newKeyPair(bytes)] }
    : {};
}

const seedBytes = 32;

/** What stands before the seed in the PKCS #8 form of an ed25519 key (RFC 8410). */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

/** A pair that signs for good, in the form of Standard Webhooks. */
export function newKeyPair(bytes: (length: number) => Buffer): SigningKeyPair {
  const seed = bytes(seedBytes);
  const key = createPrivateKey({
    key: Buffer.concat([pkcs8Head, seed]),
    format: "der",
    type: "pkcs8",
  });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const publicBytes = Buffer.from(x, "base64url");
  return {
    privateKey: `whsk_${seed.toString("base64")}`,
    publicKey: `whpk_${publicBytes.toString("base64")}`,
    until: null,
  };
}
