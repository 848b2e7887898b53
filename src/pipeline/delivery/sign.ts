import { createHmac, createPrivateKey, createSecretKey, sign, type KeyObject } from "node:crypto";

const maxKeys = 10_000;

/** What the libraries of GitHub and Stripe take for the key: the text as it was pasted. */
const textKeyOf = remembering((secret) => createSecretKey(Buffer.from(secret, "utf8")));

/** A bare ed25519 seed becomes PKCS #8, the one form that OpenSSL reads, by what stands before it. */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

const secretKeyOf = remembering((secret) => createSecretKey(bytesAfter("whsec_", secret)));

/**
 * `webhook-signature` of Standard Webhooks: one `v1` per secret, so that a receiver may change its
 * secret while both are valid. `body` must be the exact bytes that are sent.
 */
export function signatureHeader(
  secrets: readonly string[],
  id: string,
  timestampSeconds: number,
  body: Buffer | string,
): string {
  return secrets
    .map((secret) => {
      const hmac = createHmac("sha256", secretKeyOf(secret)).update(`${id}.${timestampSeconds}.`);
      return `v1,${hmac.update(body).digest("base64")}`;
    })
    .join(" ");
}

const privateKeyOf = remembering((privateKey) =>
  createPrivateKey({
    key: Buffer.concat([pkcs8Head, bytesAfter("whsk_", privateKey)]),
    format: "der",
    type: "pkcs8",
  }),
);

/** The same with ed25519: one `v1a` per private key (`whsk_…`). */
export function asymmetricSignatures(
  privateKeys: readonly string[],
  id: string,
  timestampSeconds: number,
  body: Buffer,
): string {
  const signed = Buffer.concat([Buffer.from(`${id}.${timestampSeconds}.`), body]);
  return privateKeys
    .map((key) => `v1a,${sign(null, signed, privateKeyOf(key)).toString("base64")}`)
    .join(" ");
}

/** `X-Hub-Signature-256` as GitHub sends it. It holds one signature only. */
export function githubSignature(secret: string, body: Buffer): string {
  return `sha256=${createHmac("sha256", textKeyOf(secret)).update(body).digest("hex")}`;
}

/** `Stripe-Signature` as Stripe sends it: one `v1` per secret. */
export function stripeSignature(
  secrets: readonly string[],
  timestampSeconds: number,
  body: Buffer,
): string {
  return [
    `t=${timestampSeconds}`,
    ...secrets.map((secret) => {
      const hmac = createHmac("sha256", textKeyOf(secret)).update(`${timestampSeconds}.`);
      return `v1=${hmac.update(body).digest("hex")}`;
    }),
  ].join(",");
}

/** Keys are decoded once: every delivery of a subscription signs with the same ones. */
function remembering(decode: (text: string) => KeyObject): (text: string) => KeyObject {
  const keys = new Map<string, KeyObject>();
  return (text) => {
    const known = keys.get(text);
    if (known !== undefined) {
      return known;
    }
    const key = decode(text);
    if (keys.size >= maxKeys) {
      keys.clear();
    }
    keys.set(text, key);
    return key;
  };
}

function bytesAfter(prefix: string, text: string): Buffer {
  return Buffer.from(text.startsWith(prefix) ? text.slice(prefix.length) : text, "base64");
}
