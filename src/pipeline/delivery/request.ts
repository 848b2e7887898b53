import { maskedValue } from "../../contracts/masked.ts";
import { isReservedHeader, presetHeaders } from "../../contracts/request-headers.ts";
import type { CustomHeader, HeaderPreset } from "../../contracts/subscriptions.ts";
import type { Target, TargetExtras } from "../ledger/targets.ts";
import type { SendRequest } from "./send-types.ts";
import { asymmetricSignatures, githubSignature, signatureHeader, stripeSignature } from "./sign.ts";

/** What is told to a receiver. `attempt` counts from 1. */
export type OutgoingEvent = {
  messageId: string;
  sequence: number;
  attempt: number;
  body: string;
  isReplay?: boolean;
  /** Sent by hand to see what the receiver answers. */
  isTest?: boolean;
};

/** What a request is made of. */
export type OutgoingDelivery = OutgoingEvent & {
  url: string;
  /** All secrets that are valid now, the newest first; two while one is being changed. */
  secrets: readonly string[];
  headers: readonly CustomHeader[];
  extras?: TargetExtras | null;
};

export type BuiltRequest = {
  request: SendRequest;
  /** For the ledger: what was sent, with the subscription's own values masked. */
  recordedHeaders: Record<string, string>;
};

type PresetSigned = Readonly<{ secrets: readonly string[]; body: Buffer; timestamp: number }>;

/** The request that tells an event to a subscription's receiver. */
export function requestTo(target: Target, event: OutgoingEvent, now: Date): BuiltRequest {
  const { url, headers, extras } = target;
  const secrets = stillValid(target.secrets, now).map(({ secret }) => secret);
  return buildRequest({ ...event, url, secrets, headers, extras }, now);
}

export function buildRequest(delivery: OutgoingDelivery, now: Date): BuiltRequest {
  const { url, extras = null } = delivery;
  const body = Buffer.from(delivery.body, "utf8");
  const own = ownHeaders(delivery, body, now);
  const headers: Record<string, string> = { ...own };
  const recordedHeaders: Record<string, string> = { ...own };
  for (const { name, value } of delivery.headers) {
    // Refused when a subscription is saved; one that slipped through would break the framing or
    // forge a signature.
    if (!isReservedHeader(name) && (extras === null || !isMadeHere(extras, name))) {
      headers[name] = value;
      recordedHeaders[name] = maskedValue;
    }
  }
  const request: SendRequest = { url, headers, body };
  if (extras !== null) {
    addAccess(request, extras);
    if (extras.oauth2 !== null) {
      recordedHeaders["Authorization"] = maskedValue;
    }
  }
  return { request, recordedHeaders };
}

function ownHeaders(delivery: OutgoingDelivery, body: Buffer, now: Date) {
  const { messageId, secrets, extras = null } = delivery;
  const timestamp = unixSeconds(now);
  const own: Record<string, string> = {
    "Content-Type": "application/JSON",
    "User-Agent": "Sightline Cloud",
    "webhook-id": messageId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature":
      extras === null ? signatureHeader(secrets, messageId, timestamp, body) : "",
    "webhook-sequence": String(delivery.sequence),
    "webhook-attempt": String(delivery.attempt),
  };
  if (extras !== null) {
    Object.assign(own, signaturesOf(extras, { messageId, secrets, body, now }));
  }
  if (delivery.isReplay === true || delivery.isTest === true) {
    Object.assign(own, markOf(delivery));
  }
  return own;
}

type Signed = Pick<OutgoingDelivery, "messageId" | "secrets"> & { body: Buffer; now: Date };

const presetSignatures: Readonly<
  Record<HeaderPreset, (signed: PresetSigned) => string | undefined>
> = {
  // Room for one signature: the newest secret's.
  github: ({ secrets: [newest], body }) =>
    newest === undefined ? undefined : githubSignature(newest, body),
  stripe: ({ secrets, body, timestamp }) => stripeSignature(secrets, timestamp, body),
};

/** Every signature that the subscription asks for, by header. */
function signaturesOf(extras: TargetExtras, signed: Signed): Record<string, string> {
  const { messageId, secrets, body, now } = signed;
  const timestamp = unixSeconds(now);
  const privateKeys = stillValid(extras.keys, now).map(({ privateKey }) => privateKey);
  const standard = [
    extras.hasV1 ? signatureHeader(secrets, messageId, timestamp, body) : "",
    asymmetricSignatures(privateKeys, messageId, timestamp, body),
  ];
  const inOtherForms = extras.presets.flatMap((preset) => {
    const signature = presetSignatures[preset]({ secrets, body, timestamp });
    return signature === undefined ? [] : [[presetHeaders[preset].header, signature]];
  });
  return {
    "webhook-signature": standard.filter((text) => text !== "").join(" "),
    ...Object.fromEntries(inOtherForms),
  };
}

function unixSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}

function stillValid<T extends { until: string | null }>(signers: readonly T[], now: Date): T[] {
  return signers.filter(({ until }) => until === null || new Date(until) > now);
}

function markOf({ isReplay, isTest }: OutgoingEvent): Record<string, string> {
  return {
    ...(isReplay === true ? { "webhook-replay": "true" } : {}),
    ...(isTest === true ? { "webhook-test": "true" } : {}),
  };
}

/** Names that are ours while the subscription asks for what they hold. */
function isMadeHere({ presets, oauth2 }: TargetExtras, name: string): boolean {
  const lowerName = name.toLowerCase();
  return (
    presets.some((preset) => presetHeaders[preset].header.toLowerCase() === lowerName) ||
    (oauth2 !== null && lowerName === "authorization")
  );
}

function addAccess(request: SendRequest, { oauth2, certificate }: TargetExtras): void {
  Object.assign(
    request,
    oauth2 === null ? {} : { oauth2 },
    certificate === null ? {} : { certificate },
  );
}
