import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

const prefix = "whsec_";
const maxKeys = 10_000;
const keys = new Map<string, KeyObject>();

/** Keys are decoded once: every delivery of a subscription signs with the same ones. */
const keyOf = (secret: string): KeyObject => {
  const known = keys.get(secret);
  if (known !== undefined) {
    return known;
  }
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  const key = createSecretKey(Buffer.from(encoded, "base64"));
  if (keys.size >= maxKeys) {
    keys.clear();
  }
  keys.set(secret, key);
  return key;
};

/**
 * `webhook-signature` of Standard Webhooks: one `v1` per secret, so that a receiver may change its
 * secret while both are valid. `body` must be the exact bytes that are sent.
 */
export const signatureHeader = (
  secrets: readonly string[],
  id: string,
  timestampSeconds: number,
  body: Buffer | string,
): string =>
  secrets
    .map((secret) => {
      const hmac = createHmac("sha256", keyOf(secret)).update(`${id}.${timestampSeconds}.`);
      return `v1,${hmac.update(body).digest("base64")}`;
    })
    .join(" ");
