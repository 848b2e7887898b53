import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import type { Caller } from "../../../../src/http/route.ts";
import { createOutbox } from "../../../../src/pipeline/outbox/append.ts";
import { systemClock } from "../../../../src/platform/clock.ts";
import { openPool, rowsOf, type Db, type Trx } from "../../../../src/platform/db/pool.ts";
import { randomIds } from "../../../../src/platform/ids.ts";
import { parseCursor } from "../../../../src/deliveries/pull/present.ts";
import { createChance } from "../../../support/chance.ts";
import { eventually } from "../../../support/eventually.ts";
import { isNight } from "../../../support/night.ts";
import { useDatabase } from "../../../support/database.ts";
import { startPipeline } from "../../../support/pipeline.ts";
import {
  aPullingReader,
  readStream,
  startPullApi,
  type PullApi,
} from "../../../support/pull-api.ts";
import { useRedis } from "../../../support/redis.ts";

/**
 * 10,000 events (100,000 in the nightly run) by 16 writers in transactions of 50. Ids are assigned
 * when events are appended, and each transaction stays open for up to 400 ms. So some ids become
 * visible before lower ones, and a cursor of ids would lose events. The delays also keep the
 * writers at the pace of the relay. On a slow machine it may see old commits only, so the first
 * transaction stays open until it is overtaken. The overtaken ids are counted, too.
 */
const writers = 16;
const batchesPerWriter = isNight ? 125 : 12;
const eventsPerBatch = 50;
const total = writers * batchesPerWriter * eventsPerBatch;
const longestDelayMs = 400;

describe("pulling during concurrent inserts", () => {
  const database = useDatabase();
  const redis = useRedis();
  let api: PullApi;
  before(async () => {
    api = await startPullApi(database.db);
  });
  after(() => api.close());

  /** The number of neighbors in the ledger whose order differs from that of their ids. */
  const countOvertaken = async (id: number): Promise<number> => {
    const [row] = await rowsOf<{ count: number }>(
      database.db,
      `SELECT count(*) AS count FROM (
         SELECT event_row_id < lag(event_row_id) OVER (ORDER BY sequence) AS is_late
         FROM deliveries WHERE subscription_id = ?) AS pairs
       WHERE is_late`,
      [id],
    );
    return row?.count ?? 0;
  };

  /** Asks in the transaction, which would be ended if it were idle for long. */
  const untilOvertaken = async (trx: Trx, key: string): Promise<void> => {
    await eventually(
      async () => {
        const later = await rowsOf(
          trx,
          `SELECT FROM deliveries
         WHERE event_row_id > (SELECT id FROM events WHERE key = ?) LIMIT 1`,
          [key],
        );
        return later.length > 0;
      },
      { timeoutMs: 60_000 },
    );
  };

  const write = async (pool: Db, caller: Caller, writer: number): Promise<void> => {
    const chance = createChance(writer + 1);
    const outbox = createOutbox({
      ids: randomIds,
      clock: systemClock,
      wake: () => undefined,
      faultPoint: () => undefined,
      maxBytes: 262_144,
    });
    for (let batch = 0; batch < batchesPerWriter; batch += 1) {
      await pool.transaction(async (trx) => {
        const first = (writer * batchesPerWriter + batch) * eventsPerBatch;
        const events = Array.from({ length: eventsPerBatch }, (_, index) => ({
          enterpriseId: caller.enterpriseId,
          key: `ticket:${first + index}`,
          event: "update" as const,
          object: "ticket" as const,
          objectId: first + index,
          props: { state: "new" },
        }));
        await outbox.append(trx, events);
        await (first === 0
          ? untilOvertaken(trx, "ticket:0")
          : delay(chance.between(0, longestDelayMs)));
      });
    }
  };
  type Pulled = { sequences: number[]; objects: number[] };
  type Item = { sequence: number; object_id: number };

  /** Pulls all pages from the start. */
  const pull = async (
    { caller, id }: { caller: Caller; id: number },
    limit: number,
    wait: number,
  ): Promise<Pulled> => {
    const pulled: Pulled = { sequences: [], objects: [] };
    let after = Buffer.from(`${id}.0`).toString("base64url");
    while (pulled.sequences.length < total) {
      const path = `/webhooks/${id}/events?limit=${limit}&wait=${wait}&after=${after}`;
      const { status, body } = await api.get(caller, path);
      expect([status, body["skipped"]]).to.deep.equal([200, []]);
      for (const { sequence, object_id } of body["data"] as Item[]) {
        pulled.sequences.push(sequence);
        pulled.objects.push(object_id);
      }
      expect(parseCursor(id, body["next"])).to.equal(pulled.sequences.at(-1) ?? 0);
      after = body["next"];
    }
    return pulled;
  };

  const follow = async ({ caller, id }: { caller: Caller; id: number }): Promise<Pulled> => {
    const start = Buffer.from(`${id}.0`).toString("base64url");
    const response = await api.open(caller, `/webhooks/${id}/events/stream?after=${start}`);
    const stream = readStream(response);
    while (stream.messages.length <= total && !stream.isOver) {
      await delay(100);
    }
    await stream.leave();
    const items = stream.messages
      .filter(({ event }) => event === "webhook")
      .map(({ data }) => JSON.parse(data) as Item);
    return {
      sequences: items.map(({ sequence }) => sequence),
      objects: items.map(({ object_id }) => object_id),
    };
  };

  it(`skips none of ${total} events that commit late, gives none twice, and keeps their order`, async () => {
    const reader = await aPullingReader(database.db, api);
    const pool = openPool({ url: database.url, maxConnections: writers, name: "writers" });
    const pipeline = await startPipeline({ kind: "postgres", database, redis, roles: ["relay"] });
    try {
      const reading = Promise.all([
        pull(reader, 1_000, 25),
        pull(reader, 137, 1),
        pull(reader, 500, 0),
        follow(reader),
      ]);
      await Promise.all(
        Array.from({ length: writers }, (_, writer) => write(pool, reader.caller, writer)),
      );
      const all = await reading;
      expect(await countOvertaken(reader.id), "ids that were overtaken").to.be.above(0);
      const states = await rowsOf(
        database.db,
        "SELECT DISTINCT state FROM deliveries WHERE subscription_id = ?",
        [reader.id],
      );
      expect(states).to.deep.equal([{ state: "available" }]);
      const sequences = Array.from({ length: total }, (_, index) => index + 1);
      const objects = Array.from({ length: total }, (_, index) => index);
      for (const pulled of all) {
        // Compared as texts, so that a difference prints one line.
        expect(
          pulled.sequences.join() === sequences.join(),
          "each sequence once, in order",
        ).to.equal(true);
        const sorted = pulled.objects.toSorted((a, b) => a - b);
        expect(sorted.join() === objects.join(), "each event once").to.equal(true);
        expect(pulled.objects.join() === all[0].objects.join(), "the same for all").to.equal(true);
      }
    } finally {
      await pool.destroy();
      await pipeline.stop();
    }
  }).timeout(180_000);
});
