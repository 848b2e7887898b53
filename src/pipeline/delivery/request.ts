import {
  maskedValue,
  isReservedHeader,
  generatedHeaders,
  signaturePresets,
  type SignatureFormat,
} from "../../contracts/request-headers.ts";
import { signingPrefixes, type CustomHeader } from "../../contracts/subscriptions.ts";
import { ed25519PrivateKey } from "../../platform/ed25519.ts";
import type { EndpointConfig, AuthOptions } from "../ledger/endpoints.ts";
import type { SendRequest } from "./send-result.ts";
import { createHmac, createSecretKey, sign, type KeyObject } from "node:crypto";

/** The event as a receiver gets it. `attempt` counts from 1. */
export type OutgoingEvent = {
  eventId: string;
  sequence: number;
  attempt: number;
  body: string;
  isReplay?: boolean;
  /** A manual test send. */
  isTest?: boolean;
};

/** The parts of a request. */
export type OutgoingDelivery = OutgoingEvent & {
  url: string;
  /** All valid secrets, the newest first; two during a rotation. */
  secrets: readonly string[];
  headers: readonly CustomHeader[];
  authOptions?: AuthOptions | null;
};

export type BuiltRequest = {
  request: SendRequest;
  /** For the ledger: the sent headers, with the subscription's own values masked. */
  recordedHeaders: Record<string, string>;
};

type PresetSignatureInput = Readonly<{
  secrets: readonly string[];
  body: Buffer;
  timestamp: number;
}>;

const maxKeys = 10_000;

/** GitHub's and Stripe's libraries use the secret text itself as the key. */
const textKeyOf = memoize((secret) => createSecretKey(Buffer.from(secret, "utf8")));

/** Builds the request that sends an event to the receiver of a subscription. */
export function buildRequestFor(
  target: EndpointConfig,
  event: OutgoingEvent,
  now: Date,
): BuiltRequest {
  const { url, headers, authOptions } = target;
  const secrets = validAt(target.secrets, now).map(({ secret }) => secret);
  const { eventId, sequence, attempt, body, isReplay = false, isTest = false } = event;
  const sent = { eventId, sequence, attempt, body, isReplay, isTest };
  return buildRequest({ url, secrets, headers, authOptions, ...sent }, now);
}

export function buildRequest(delivery: OutgoingDelivery, now: Date): BuiltRequest {
  const { url, authOptions = null } = delivery;
  const body = Buffer.from(delivery.body, "utf8");
  const own = standardHeaders(delivery, body, now);
  const headers: Record<string, string> = Object.assign({}, own);
  const recordedHeaders: Record<string, string> = Object.assign({}, own);
  for (const { name, value } of delivery.headers) {
    // Refused when a subscription is saved; one that slipped through would break the framing or
    // forge a signature.
    if (!isReservedHeader(name) && (authOptions === null || !isSetByOptions(authOptions, name))) {
      headers[name] = value;
      recordedHeaders[name] = maskedValue;
    }
  }
  const request: SendRequest = { url, headers, body };
  if (authOptions !== null) {
    addCredentials(request, authOptions);
    if (authOptions.oauth2 !== null) {
      recordedHeaders["Authorization"] = maskedValue;
    }
  }
  return { request, recordedHeaders };
}

function standardHeaders(delivery: OutgoingDelivery, body: Buffer, now: Date) {
  const { eventId, secrets, authOptions = null } = delivery;
  const timestamp = unixSeconds(now);
  const own: Record<string, string> = {
    "Content-Type": "application/JSON",
    "User-Agent": "Sightline Cloud",
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature":
      authOptions === null ? signatureHeader(secrets, eventId, timestamp, body) : "",
    "webhook-sequence": String(delivery.sequence),
    "webhook-attempt": String(delivery.attempt),
  };
  if (authOptions !== null) {
    Object.assign(own, signaturesOf(authOptions, { eventId, secrets, body, now }));
  }
  if (delivery.isReplay === true || delivery.isTest === true) {
    Object.assign(own, markerHeaders(delivery));
  }
  return own;
}

type SignatureInput = Pick<OutgoingDelivery, "eventId" | "secrets"> & { body: Buffer; now: Date };

const presetSignatures: Readonly<
  Record<SignatureFormat, (signed: PresetSignatureInput) => string | undefined>
> = {
  // This header has room for one signature only.
  hex: ({ secrets: [newest], body }) =>
    newest === undefined ? undefined : githubSignature(newest, body),
  timestamped: ({ secrets, body, timestamp }) => stripeSignature(secrets, timestamp, body),
};

/** All signatures of the subscription, by header. */
function signaturesOf(options: AuthOptions, signed: SignatureInput): Record<string, string> {
  const { eventId, secrets, body, now } = signed;
  const timestamp = unixSeconds(now);
  const privateKeys = validAt(options.keys, now).map(({ privateKey }) => privateKey);
  const standard = [
    options.hasV1 ? signatureHeader(secrets, eventId, timestamp, body) : "",
    asymmetricSignatures(privateKeys, eventId, timestamp, body),
  ];
  const inOtherForms = options.presets.flatMap((preset) => {
    const { header, format } = signaturePresets[preset];
    const signature = presetSignatures[format]({ secrets, body, timestamp });
    return signature === undefined ? [] : [[header, signature]];
  });
  return {
    "webhook-signature": standard.filter((text) => text !== "").join(" "),
    ...Object.fromEntries(inOtherForms),
  };
}

function unixSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}

function validAt<T extends { until: string | null }>(signers: readonly T[], now: Date): T[] {
  return signers.filter(({ until }) => until === null || new Date(until) > now);
}

const secretKeyOf = memoize((secret) =>
  createSecretKey(bytesAfter(signingPrefixes.secret, secret)),
);

/**
 * `webhook-signature` of Standard Webhooks: one `v1` per secret, so that a receiver can rotate its
 * secret. `body` must be the exact bytes that are sent.
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

const privateKeyOf = memoize((privateKey) =>
  ed25519PrivateKey(bytesAfter(signingPrefixes.privateKey, privateKey)),
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

function markerHeaders({ isReplay, isTest }: OutgoingEvent): Record<string, string> {
  return {
    ...(isReplay === true ? { "webhook-replay": "true" } : {}),
    ...(isTest === true ? { "webhook-test": "true" } : {}),
  };
}

/** Whether the subscription's options generate this header. */
function isSetByOptions({ presets, oauth2 }: AuthOptions, name: string): boolean {
  const lowerName = name.toLowerCase();
  return generatedHeaders({ presets, hasOAuth2: oauth2 !== null }).some(
    (generated) => generated.name.toLowerCase() === lowerName,
  );
}

function addCredentials(request: SendRequest, { oauth2, certificate }: AuthOptions): void {
  Object.assign(
    request,
    oauth2 === null ? {} : { oauth2 },
    certificate === null ? {} : { certificate },
  );
}

/** `X-Hub-Signature-256` as GitHub sends it, with one signature only. */
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

/** Memoized: all deliveries of a subscription use the same keys. */
function memoize(decode: (text: string) => KeyObject): (text: string) => KeyObject {
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
