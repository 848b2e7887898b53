import type { CustomHeader } from "../../contracts/subscriptions.ts";
import type { SendRequest } from "./send-types.ts";
import { signatureHeader } from "./sign.ts";

/** What a request is made of. `attempt` counts from 1. */
export type OutgoingDelivery = {
  url: string;
  messageId: string;
  sequence: number;
  attempt: number;
  body: string;
  /** All secrets that are valid now; two while one is being changed. */
  secrets: readonly string[];
  headers: readonly CustomHeader[];
};

export type BuiltRequest = {
  request: SendRequest;
  /** For the ledger: what was sent, with the subscription's own values masked. */
  recordedHeaders: Record<string, string>;
};

const maskedValue = "••••";

/**
 * Ours, or of the connection. Refused when a subscription is saved; skipped here as well, because
 * a header that slipped through would break the framing or forge a signature.
 */
const reserved =
  /^(?:host|content-.*|user-agent|connection|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|webhook-.*|__proto__)$/iu;

export const buildRequest = (delivery: OutgoingDelivery, now: Date): BuiltRequest => {
  const body = Buffer.from(delivery.body, "utf8");
  const timestamp = Math.floor(now.getTime() / 1000);
  const own = {
    "Content-Type": "application/JSON",
    "User-Agent": "Sightline Cloud",
    "webhook-id": delivery.messageId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureHeader(delivery.secrets, delivery.messageId, timestamp, body),
    "webhook-sequence": String(delivery.sequence),
    "webhook-attempt": String(delivery.attempt),
  };
  const headers: Record<string, string> = { ...own };
  const recordedHeaders: Record<string, string> = { ...own };
  for (const { name, value } of delivery.headers) {
    if (!reserved.test(name)) {
      headers[name] = value;
      recordedHeaders[name] = maskedValue;
    }
  }
  return { request: { url: delivery.url, headers, body }, recordedHeaders };
};
