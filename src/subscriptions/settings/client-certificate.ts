/** The client certificate for mutual TLS with a receiver. */
import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { createSecureContext } from "node:tls";
import { invalidParameter } from "../../contracts/problems.ts";
import type { ClientCertificate } from "../../contracts/subscriptions.ts";
import { exactObject, nullableText, text, timestamp } from "../../http/schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { objectOrNull } from "./setting.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { maskedValue } from "../../contracts/request-headers.ts";

export type CertificateInput = {
  certificate: string;
  key: string;
  ca?: string | null;
  /** Accepted because the answer contains it; ignored. */
  subject?: string;
  expires?: string;
};

/** In characters of PEM. */
const maxCertificate = 32_768;

const maxKey = 16_384;

export const certificateInput: JsonSchema = {
  type: ["object", "null"],
  additionalProperties: false,
  required: ["certificate", "key"],
  properties: {
    certificate: { type: "string", maxLength: maxCertificate, described: pemOf("CERTIFICATE") },
    key: { type: "string", maxLength: maxKey, described: pemOf("[A-Z ]*PRIVATE KEY") },
    ca: { type: ["string", "null"], maxLength: maxCertificate },
    subject: { type: "string", maxLength: maxCertificate },
    expires: { type: "string", maxLength: 32 },
  },
};

function pemOf(label: string) {
  return {
    pattern: `^\\s*-----BEGIN ${label}-----[A-Za-z0-9+/=\\s]+-----END ${label}-----`,
    description: "PEM; the masked value `••••` keeps the stored one",
  };
}

export const certificateAnswer = objectOrNull(
  exactObject("WebhookClientCertificate", {
    certificate: text,
    subject: text,
    expires: timestamp,
    key: text,
    ca: nullableText,
  }),
);

const field = "clientCertificate";

/** One check per text, so that one answer reports all errors. */
export function certificateChecks(
  input: CertificateInput | null | undefined,
): readonly (() => unknown)[] {
  return input === null || input === undefined
    ? []
    : [
        () => readCertificates(input.certificate, "certificate"),
        () => (input.key === maskedValue ? undefined : readKey(input.key)),
        () => (typeof input.ca === "string" ? readCertificates(input.ca, "ca") : undefined),
      ];
}

/**
 * The certificate to store: undefined keeps the stored one, null removes it, the masked value as key
 * keeps the stored key. A stored key is not used for a URL at another origin.
 */
export function mergeCertificate(
  input: CertificateInput | null | undefined,
  stored: ClientCertificate | null,
  { hasMoved, now }: { hasMoved: boolean; now: Date },
): ClientCertificate | null {
  if (input === null) {
    return null;
  }
  const isKept = input === undefined || input.key === maskedValue;
  if (isKept && stored !== null && hasMoved) {
    const detail = "The new url has another origin: give the key again.";
    throw invalidParameter(field, "masked", detail);
  }
  return input === undefined ? stored : checkCertificate(input, keyOf(input, stored), now);
}

/** The normalised texts to store. Throws the problem of the first error. */
function checkCertificate(input: CertificateInput, key: string, now: Date): ClientCertificate {
  const chain = readCertificates(input.certificate, "certificate");
  const privateKey = readKey(key);
  const certificate = toPem(chain);
  checkPair(leafOf(certificate), privateKey, now);
  const checked = {
    certificate,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    ca: typeof input.ca === "string" ? toPem(readCertificates(input.ca, "ca")) : null,
  };
  checkUsable(checked);
  return checked;
}

const maxChain = 10;

const pemBlock = /-----BEGIN (?<label>[A-Z0-9 ]+)-----[^-]*-----END \k<label>-----/gu;

/**
 * The certificates of a PEM text. The API shows it, so it may contain no other block, such as a key.
 * The text around the blocks, as OpenSSL writes it, is not stored.
 */
function readCertificates(pem: string, member: "certificate" | "ca"): X509Certificate[] {
  const blocks = [...pem.matchAll(pemBlock)];
  const areAll = blocks.every(({ groups }) => groups?.["label"] === "CERTIFICATE");
  const hasMore = pem.replaceAll(pemBlock, "").includes("-----");
  if (blocks.length === 0 || blocks.length > maxChain || !areAll || hasMore) {
    const detail = `${field}.${member} must be PEM with 1 to ${maxChain} certificates and no other block, such as a key.`;
    throw refuse(member, "format", detail);
  }
  try {
    return blocks.map(([block]) => new X509Certificate(block));
  } catch {
    throw refuse(
      member,
      "format",
      `${field}.${member} contains a certificate that cannot be read.`,
    );
  }
}

/** For RSA. Signing with a longer key, at each connection, would delay all other deliveries. */
const maxKeyBits = 4_096;

function readKey(pem: string): KeyObject {
  const key = parseKey(pem);
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) > maxKeyBits) {
    throw refuse("key", "length", `An RSA key has at most ${maxKeyBits} bits.`);
  }
  return key;
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, format: "pem" });
  } catch {
    const detail = `${field}.key must be PEM with a private key, without a passphrase.`;
    throw refuse("key", "format", detail);
  }
}

function toPem(certificates: readonly X509Certificate[]): string {
  return certificates.map((one) => one.toString()).join("");
}

function checkPair(leaf: X509Certificate, key: KeyObject, now: Date): void {
  if (!leaf.checkPrivateKey(key)) {
    const detail = `${field}.key does not belong to the certificate, the first one in the text.`;
    throw refuse("key", "mismatch", detail);
  }
  const expires = new Date(leaf.validTo);
  if (expires <= now) {
    const detail = `The certificate expired at ${toTimestamp(expires)}.`;
    throw refuse("certificate", "expired", detail);
  }
}

/** Rejects what OpenSSL would reject at the first connection, such as a key that is too short. */
function checkUsable(checked: ClientCertificate): void {
  try {
    const { certificate: cert, key, ca } = checked;
    createSecureContext({ cert, key, ...(ca === null ? {} : { ca }) });
  } catch {
    throw invalidParameter(
      field,
      "unusable",
      "The certificate and the key cannot be used for TLS.",
    );
  }
}

function keyOf(input: CertificateInput, stored: ClientCertificate | null): string {
  if (input.key !== maskedValue) {
    return input.key;
  }
  if (stored === null) {
    throw refuse("key", "masked", "There is no stored key to keep.");
  }
  return stored.key;
}

function refuse(member: string, reason: string, detail: string): Error {
  return invalidParameter(`${field}.${member}`, reason, detail);
}

/** A certificate as the API shows it: without its key. */
export function maskCertificate(stored: ClientCertificate) {
  const leaf = leafOf(stored.certificate);
  return {
    certificate: stored.certificate,
    subject: leaf.subject.replaceAll("\n", ", "),
    expires: toTimestamp(new Date(leaf.validTo)),
    key: maskedValue,
    ca: stored.ca,
  };
}

/** A certificate as the audit log keeps it: its subject and expiry. */
export function auditCertificate(stored: ClientCertificate) {
  const { subject, expires, key } = maskCertificate(stored);
  return { subject, expires, key };
}

function leafOf(pem: string): X509Certificate {
  return new X509Certificate(pem);
}
