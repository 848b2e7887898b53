import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import { fromRunner } from "./environment.ts";
import { insideDescribe } from "./scope.ts";

export type TestRedis = {
  readonly url: string;
  /** The prefix of all keys of this file; also a valid QUEUE_PREFIX. */
  readonly prefix: string;
};

/** A client of the run's Redis; close it with `disconnect()`. */
export function openRedis(url = fromRunner("TEST_REDIS_URL")): Redis {
  return new Redis(url, { maxRetriesPerRequest: 1 });
}

async function removeKeys(client: Redis, prefix: string): Promise<void> {
  let cursor = "0";
  do {
    const [next, keys] = await client.scan(cursor, "MATCH", `*${prefix}*`, "COUNT", 1000);
    cursor = next;
    if (keys.length > 0) {
      await client.unlink(...keys);
    }
  } while (cursor !== "0");
}

/**
 * A separate key prefix on the shared Redis for the surrounding `describe`; its keys are removed at
 * the end. A test that flushes or stops Redis must start a separate server with `startRedisServer`.
 */
export function useRedis(): TestRedis {
  const prefix = `test_${process.pid}_${randomBytes(4).toString("hex")}`;
  before("check the Redis", function () {
    insideDescribe(this, "useRedis");
    fromRunner("TEST_REDIS_URL");
  });
  after("remove the keys", async () => {
    const client = openRedis();
    try {
      await removeKeys(client, prefix);
    } finally {
      client.disconnect();
    }
  });
  return {
    get url() {
      return fromRunner("TEST_REDIS_URL");
    },
    prefix,
  };
}
