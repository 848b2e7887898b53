/** Checks a captured request against Standard Webhooks and explains what is wrong. Pure. */
import { createHmac, timingSafeEqual, verify } from "node:crypto";
import { signingPrefixes } from "../contracts/subscriptions.ts";
import { ed25519PublicKey } from "../platform/ed25519.ts";
import { usageError } from "./shell.ts";

export type CapturedRequest = {
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The raw bytes. */
  body: Buffer;
};

export type SignatureCheck = { name: string; isValid: boolean; detail: string };

export type VerificationKeys = { secrets: readonly string[]; publicKeys: readonly string[] };

/** Allowed clock difference in seconds; 0 skips the check of the time. */
export type Tolerance = { now: Date; toleranceSeconds: number };

type Signature = { scheme: string; bytes: Buffer };

const minSecretBytes = 24;

/** Throws if the text cannot be a secret, because every signature would fail. */
export function checkSecretForm(secret: string): void {
  if (decode(signingPrefixes.secret, secret).length < minSecretBytes) {
    throw usageError(
      `A secret is ${signingPrefixes.secret} followed by base64, as the platform showed it once.`,
    );
  }
}

const publicKeyBytes = 32;

export function checkPublicKeyForm(key: string): void {
  if (decode(signingPrefixes.publicKey, key).length !== publicKeyBytes) {
    throw usageError(
      `A public key is ${signingPrefixes.publicKey} followed by base64 of 32 bytes.`,
    );
  }
}

/** Runs all checks, even after a failed one, to show every cause. */
export function checkRequest(
  captured: CapturedRequest,
  keys: VerificationKeys,
  tolerance: Tolerance,
): SignatureCheck[] {
  const headers = checkHeaders(captured);
  const missing = headers.filter(({ isValid }) => !isValid);
  if (missing.length > 0) {
    return missing;
  }
  return [checkTime(captured, tolerance), checkSignature(captured, keys)];
}

const requiredHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

function checkHeaders({ headers }: CapturedRequest): SignatureCheck[] {
  return requiredHeaders.map((name) => {
    const isThere = (headers[name] ?? "") !== "";
    return { name, isValid: isThere, detail: isThere ? "present" : "The header is missing." };
  });
}

function checkTime(
  { headers }: CapturedRequest,
  { now, toleranceSeconds }: Tolerance,
): SignatureCheck {
  const text = headers["webhook-timestamp"] ?? "";
  const name = "time";
  if (!/^\d{1,12}$/u.test(text)) {
    const detail = "webhook-timestamp is not a whole number of seconds since 1970.";
    return { name, isValid: false, detail };
  }
  const age = Math.floor(now.getTime() / 1000) - Number(text);
  if (toleranceSeconds === 0) {
    return { name, isValid: true, detail: `${describeAge(age)}, not checked` };
  }
  const isValid = Math.abs(age) <= toleranceSeconds;
  const bound = `at most ${toleranceSeconds} s are allowed`;
  const advice = isValid ? "" : " For an old capture, add --tolerance 0.";
  return { name, isValid, detail: `${describeAge(age)}, ${bound}.${advice}` };
}

function describeAge(age: number): string {
  return age >= 0 ? `${age} s old` : `${-age} s in the future`;
}

function checkSignature(captured: CapturedRequest, keys: VerificationKeys): SignatureCheck {
  const found = readSignatures(captured.headers["webhook-signature"] ?? "");
  const name = "signature";
  const valid = found.find((one) => isGenuine(keys, one, signedText(captured, captured.body)));
  return valid === undefined
    ? { name, isValid: false, detail: explainMismatch(captured, keys, found) }
    : { name, isValid: true, detail: `${valid.scheme} matches, one of ${found.length}` };
}

function readSignatures(header: string): Signature[] {
  return header
    .split(" ")
    .filter((part) => part !== "")
    .map((part) => {
      const comma = part.indexOf(",");
      const scheme = comma === -1 ? "" : part.slice(0, comma);
      return { scheme, bytes: Buffer.from(part.slice(comma + 1), "base64") };
    });
}

function explainMismatch(
  captured: CapturedRequest,
  keys: VerificationKeys,
  found: readonly Signature[],
): string {
  const schemes = [...new Set(found.map(({ scheme }) => scheme))];
  const usable = new Set([
    ...(keys.secrets.length > 0 ? ["v1"] : []),
    ...(keys.publicKeys.length > 0 ? ["v1a"] : []),
  ]);
  if (!schemes.some((scheme) => usable.has(scheme))) {
    const needs = schemes.includes("v1a") && !usable.has("v1a") ? "--public-key" : "--secret";
    return `The header contains only ${schemes.join(" and ") || "no scheme"}: give ${needs}.`;
  }
  const cause = repairs(captured.body).find(({ body }) =>
    found.some((signature) => isGenuine(keys, signature, signedText(captured, body))),
  );
  return cause === undefined
    ? "No signature matches: the secret is another one, or the body, webhook-id or webhook-timestamp was changed."
    : `The secret is right, but the body was changed: ${cause.what}.`;
}

/** Common modifications of a body in transit, each with the body before it. */
function repairs(body: Buffer): { what: string; body: Buffer }[] {
  const text = body.toString("utf8");
  const repaired = [
    { what: "a line break was added at its end", text: text.replace(/\r?\n$/u, "") },
    { what: "line breaks were changed to CR LF", text: text.replaceAll("\r\n", "\n") },
    { what: "a byte order mark was added", text: text.replace(/^\uFEFF/u, "") },
  ];
  try {
    const again = JSON.stringify(JSON.parse(text));
    repaired.push({
      what: "it was parsed and serialized again, with different whitespace",
      text: again,
    });
  } catch {
    // Not JSON: cannot be reformatted.
  }
  return repaired
    .filter((one) => one.text !== text)
    .map((one) => ({ what: one.what, body: Buffer.from(one.text) }));
}

function isGenuine(
  { secrets, publicKeys }: VerificationKeys,
  { scheme, bytes }: Signature,
  signed: Buffer,
): boolean {
  return (
    (scheme === "v1" &&
      secrets.some((secret) => isEqualConstantTime(bytes, hmacOf(secret, signed)))) ||
    (scheme === "v1a" && publicKeys.some((key) => isSignedBy(key, signed, bytes)))
  );
}

function isEqualConstantTime(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function hmacOf(secret: string, signed: Buffer): Buffer {
  return createHmac("sha256", decode(signingPrefixes.secret, secret)).update(signed).digest();
}

function isSignedBy(publicKey: string, signed: Buffer, signature: Buffer): boolean {
  const key = ed25519PublicKey(decode(signingPrefixes.publicKey, publicKey));
  return signature.length === 64 && verify(null, signed, key, signature);
}

function decode(prefix: string, text: string): Buffer {
  const base64 = text.startsWith(prefix) ? text.slice(prefix.length) : "";
  const bytes = Buffer.from(base64, "base64");
  return bytes.toString("base64") === base64 ? bytes : Buffer.alloc(0);
}

function signedText({ headers }: CapturedRequest, body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${headers["webhook-id"] ?? ""}.${headers["webhook-timestamp"] ?? ""}.`),
    body,
  ]);
}
