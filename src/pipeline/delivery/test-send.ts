/**
 * In: a test event. Out: the request and its result.
 * Guarantee: signed, guarded and limited like every delivery; sent once, also if the subscription
 * is off; not stored.
 * On crash: the receiver may have got the request, which is marked as a test.
 */
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { loadEndpoint } from "../ledger/endpoints.ts";
import { createHttpSendClient, type SendClientOptions } from "./send.ts";
import { buildRequestFor } from "./request.ts";
import type { SendResult } from "./send-result.ts";

export type TestSenderDeps = {
  db: Db;
  box: Pick<SecretBox, "open">;
  clock: Clock;
} & Pick<SendClientOptions, "guard" | "timeoutMs" | "ca">;

/** `eventId` is unique to the test, so that it does not collide in the receiver's deduplication. */
export type EventToSend = { subscriptionId: number; eventId: string; body: string };

export type TestSendResult =
  | { kind: "sent"; url: string; headers: Record<string, string>; result: SendResult }
  | { kind: "unusable"; reason: string };

/** Real sequences start at 1. */
const noSequence = 0;

export function createTestSender({ db, box, clock, ...options }: TestSenderDeps) {
  const client = createHttpSendClient(options);
  return {
    /** `headers` as the ledger stores them: the subscription's own values masked. */
    send: async ({ subscriptionId, eventId, body }: EventToSend): Promise<TestSendResult> => {
      // Not cached: the test then requests a new token and shows its errors.
      const found = await loadEndpoint(db, box, subscriptionId);
      if (found.kind === "unusable") {
        return found;
      }
      const event = { eventId, body, sequence: noSequence, attempt: 1, isTest: true };
      const { request, recordedHeaders } = buildRequestFor(found.endpoint, event, clock.now());
      const result = await client.send(request);
      return { kind: "sent", url: request.url, headers: recordedHeaders, result };
    },
    close: (): void => client.close(),
  };
}
