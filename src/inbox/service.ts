import { problem } from "../contracts/problems.ts";
import { createBatcher } from "../platform/concurrency/batcher.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/db/pool.ts";
import { maskHeaders, type HeaderList, isVerified } from "./received-request.ts";
import {
  countRequests,
  insertRequests,
  listRequests,
  type InboxRange,
  type InboxRequest,
  type NewInboxRequest,
} from "./store.ts";

/**
 * Secrets of the subscriptions that point to this inbox; undefined if there is none (unknown key).
 */
export type FindSecrets = (key: string) => Promise<readonly string[] | undefined>;

export type InboxDeps = { db: Db; clock: Clock; findSecrets: FindSecrets };

export type ReceivedRequest = { headers: HeaderList; body: Buffer };

export type InboxPage = { total: number; requests: InboxRequest[]; hasMore: boolean };

/** The built-in receiver. Each of its functions throws "not found" for a key that is not known. */
export type Inbox = {
  /** Throws where the key is not known. */
  check(key: string): Promise<void>;
  receive(key: string, arrival: ReceivedRequest): Promise<void>;
  list(key: string, range: InboxRange): Promise<InboxPage>;
};

/** Pattern of keys: others are not looked up. */
const keyPattern = /^[A-Za-z0-9]{22}$/u;

const maxBatch = 200;

export function createInbox({ db, clock, findSecrets }: InboxDeps): Inbox {
  const writer = createBatcher<NewInboxRequest, void>(async (requests) => {
    await insertRequests(db, requests);
    return requests.map(() => undefined);
  }, maxBatch);

  const secretsOf = async (key: string): Promise<readonly string[]> => {
    const secrets = keyPattern.test(key) ? await findSecrets(key) : undefined;
    if (secrets === undefined) {
      throw problem("not_found", "The inbox was not found.");
    }
    return secrets;
  };

  return {
    check: async (key) => {
      await secretsOf(key);
    },
    receive: async (key, { headers, body }) => {
      const secrets = await secretsOf(key);
      const signed = {
        id: valueOf(headers, "webhook-id"),
        timestamp: valueOf(headers, "webhook-timestamp"),
        signature: valueOf(headers, "webhook-signature"),
        body,
      };
      await writer.add({
        key,
        headers: maskHeaders(headers),
        body: body.toString("utf8"),
        isVerified: secrets.length === 0 ? null : isVerified(signed, secrets, clock.now()),
      });
    },
    list: async (key, range) => {
      await secretsOf(key);
      return { total: await countRequests(db, key), ...(await listRequests(db, key, range)) };
    },
  };
}

function valueOf(headers: HeaderList, name: string): string | undefined {
  return headers.find(([input]) => input.toLowerCase() === name)?.[1];
}
