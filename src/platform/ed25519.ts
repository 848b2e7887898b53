/**
 * ed25519 keys from their 32 bytes. OpenSSL reads them only in DER, so each needs the head of its
 * structure (RFC 8410).
 */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

const spkiHead = Buffer.from("302a300506032b6570032100", "hex");

/** The private key of a seed. */
export function ed25519PrivateKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: "der", type: "pkcs8" });
}

/** Throws if these are not the bytes of a public key. */
export function ed25519PublicKey(bytes: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([spkiHead, bytes]), format: "der", type: "spki" });
}
