/**
 * In: an event to send now as a test. Out: the request and its result.
 * Guarantee: signed, guarded and limited as every delivery; sent once, whether the subscription is
 * on or off, and written down nowhere.
 * On crash: the receiver may have got the request, which says that it is a test.
 */
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { loadEndpoint } from "../ledger/endpoints.ts";
import { createGotSendClient, type SendClientOptions } from "./send.ts";
import { buildRequestFor } from "./request.ts";
import type { SendResult } from "./send-result.ts";

export type TestSenderDeps = {
  db: Db;
  box: Pick<SecretBox, "open">;
  clock: Clock;
} & Pick<SendClientOptions, "guard" | "timeoutMs" | "ca">;

/** `eventId` is the test's own, so that a receiver's memory of real ids is left alone. */
export type EventToSend = { subscriptionId: number; eventId: string; body: string };

export type TestSendResult =
  | { kind: "sent"; url: string; headers: Record<string, string>; result: SendResult }
  | { kind: "unusable"; reason: string };

/** No delivery has this number: they count from 1. */
const noSequence = 0;

export function createTestSender({ db, box, clock, ...options }: TestSenderDeps) {
  const client = createGotSendClient(options);
  return {
    /** `headers` as the ledger would keep them: the subscription's own values masked. */
    send: async ({ subscriptionId, eventId, body }: EventToSend): Promise<TestSendResult> => {
      // Not from a cache: its token is then a new one as well, and what is wrong with it is seen.
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
