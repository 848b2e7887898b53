import { invalidParameter } from "../contracts/problems.ts";

const prefix = "whsec_";

const minBytes = 24;

const maxBytes = 64;

const four = "[A-Za-z0-9+/]{4}";

const oneByte = "[A-Za-z0-9+/][AQgw]==";

const twoBytes = "[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=";

/** A secret in a body: what `checkSecret` takes, as a pattern. */
export const secretField = {
  type: "string",
  maxLength: 128,
  pattern: `^whsec_(${four}){8,20}(${four}|${twoBytes}|${oneByte}|${four}${oneByte})?$`,
  rule: `${prefix} followed by base64 of ${minBytes} to ${maxBytes} bytes`,
  examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
} as const;

const generatedBytes = 32;

/** `whsec_` and base64, the form of Standard Webhooks. */
export function newSecret(bytes: (length: number) => Buffer): string {
  return prefix + bytes(generatedBytes).toString("base64");
}

/** Checks a secret that the client brings. Throws the problem where it is none. */
export function checkSecret(secret: string): string {
  const base64 = secret.startsWith(prefix) ? secret.slice(prefix.length) : "";
  const key = Buffer.from(base64, "base64");
  // Not every text decodes to what encodes back to it; receivers would then compute another key.
  if (key.toString("base64") !== base64 || key.length < minBytes || key.length > maxBytes) {
    const detail = `A secret is ${prefix} followed by base64 of ${minBytes} to ${maxBytes} bytes.`;
    throw invalidParameter("secret", "format", detail);
  }
  return secret;
}
