/**
 * Whether the pipeline's tables could be distributed over several Postgres servers by
 * `enterprise_id`, for example with Citus. docs/scaling.md describes what else that would need.
 */
import { expect } from "chai";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { aReceivingSubscription, aTicketEvent, startPipeline } from "../support/pipeline.ts";
import { useReceiver } from "../support/receiver.ts";
import { useRedis } from "../support/redis.ts";

/** The tables that grow with the events, and those that are read or changed with each of them. */
const tables = [
  ...["attempts", "deliveries", "delivery_tallies", "events", "outbox", "outbox_dead"],
  ...["replays", "subscription_health", "subscription_revisions", "subscriptions"],
];

const role = `one_enterprise_${process.pid}`;

/** A role that can access only rows of the enterprise that its connection sets. */
async function createRole(db: Db): Promise<void> {
  await db.raw(`CREATE ROLE ${role}`);
  await db.raw(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
  await db.raw(`GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
  for (const table of tables) {
    const own = "enterprise_id = current_setting('test.enterprise')::bigint";
    await db.raw(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
    await db.raw(`CREATE POLICY own ON ${table} TO ${role} USING (${own})`);
  }
}

/** Roles belong to the server, not to the database of the test. */
async function dropRole(db: Db): Promise<void> {
  await db.raw(`DROP OWNED BY ${role}`);
  await db.raw(`DROP ROLE ${role}`);
}

function urlFor(databaseUrl: string, enterpriseId: number): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", `-c role=${role} -c test.enterprise=${enterpriseId}`);
  return url.href;
}

describe("the distribution of the pipeline by enterprise", () => {
  const database = useDatabase();
  const redis = useRedis();
  const receiving = useReceiver();

  it("is possible by every unique key, and by every foreign key between these tables", async () => {
    const found = await rowsOf<{ table: string; lacks: string }>(
      database.db,
      `WITH hot AS (SELECT CAST(name AS regclass) AS id, name FROM unnest(?::text[]) AS name),
       col AS (
         SELECT hot.id, hot.name, a.attnum, a.attnotnull FROM hot
         LEFT JOIN pg_attribute a ON a.attrelid = hot.id AND a.attname = 'enterprise_id'
       )
       SELECT name AS table, 'enterprise_id' AS lacks FROM col WHERE attnum IS NULL
       UNION ALL
       SELECT name, 'enterprise_id is nullable' FROM col WHERE NOT attnotnull
       UNION ALL
       SELECT col.name, CAST(i.indexrelid AS regclass)::text FROM col
       JOIN pg_index i ON i.indrelid = col.id AND i.indisunique
       WHERE col.attnum IS NULL OR NOT col.attnum = ANY(CAST(i.indkey AS smallint[]))
       UNION ALL
       SELECT col.name, c.conname FROM col
       JOIN pg_constraint c ON c.conrelid = col.id AND c.contype = 'f'
       JOIN hot AS other ON other.id = c.confrelid
       WHERE col.attnum IS NULL OR NOT col.attnum = ANY(c.conkey)
       ORDER BY 1, 2`,
      [tables],
    );
    expect(found).to.deep.equal([]);
  });

  it("could work: a pipeline that sees one enterprise's rows only delivers all its events", async function () {
    this.timeout(60_000);
    await createRole(database.db);
    const { receiver } = receiving;
    const refused = new Set<string>();
    receiver.answerWith(({ id }, call) => {
      const isRefused = call % 5 === 0 && !refused.has(id);
      refused.add(id);
      return isRefused ? 503 : 200;
    });
    const watched = await Promise.all(
      ["/a", "/b", "/c"].map((path) =>
        aReceivingSubscription(database.db, { url: receiver.url + path, isOrdered: path === "/b" }),
      ),
    );
    const pipelines = await Promise.all(
      watched.map(({ enterprise_id }) =>
        startPipeline({
          kind: "redis",
          database: { ...database, url: urlFor(database.url, enterprise_id) },
          redis: { url: redis.url, prefix: `${redis.prefix}_${enterprise_id}` },
        }),
      ),
    );
    try {
      for (const [index, pipeline] of pipelines.entries()) {
        const events = [1, 2, 3, 1, 2, 1].map((ticket) =>
          aTicketEvent(watched[index]?.enterprise_id ?? 0, ticket),
        );
        await pipeline.publish(events);
        const seen = await rowsOf(
          pipeline.platform.db,
          "SELECT DISTINCT enterprise_id FROM events",
        );
        expect(seen).to.deep.equal([{ enterprise_id: watched[index]?.enterprise_id }]);
      }
      await eventually(
        async () => {
          const states = await rowsOf(
            database.db,
            "SELECT subscription_id, state, count(*) AS count FROM deliveries GROUP BY 1, 2 ORDER BY 1",
          );
          expect(states).to.deep.equal(
            // The subscriptions were created concurrently, so their ids may be in any order.
            watched
              .map(({ id }) => ({ subscription_id: id, state: "delivered", count: 6 }))
              .toSorted((one, other) => one.subscription_id - other.subscription_id),
          );
        },
        { timeoutMs: 30_000 },
      );
    } finally {
      await Promise.all(pipelines.map((pipeline) => pipeline.stop()));
      await dropRole(database.db);
    }
  });
});
