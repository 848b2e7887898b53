import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import {
  noFilter,
  type DeliveryFilter,
} from "../../../src/pipeline/ledger/queries/delivery-filter.ts";
import {
  conditionOf,
  type StreamKind,
} from "../../../src/pipeline/ledger/queries/delivery-filter.ts";
import { findIndexed } from "../../../src/pipeline/ledger/queries/indexed-lookup.ts";
import {
  countStreams,
  findRanges,
  readStreams,
} from "../../../src/pipeline/ledger/queries/delivery-streams.ts";
import { readDeliveries } from "../../../src/pipeline/ledger/queries/deliveries.ts";
import { useDatabase } from "../../support/database.ts";
import { explain, mostRead, mostReadInVain } from "../../support/explain.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";

const perSubscription = 20_000;

describe("query plans of the delivery log", function () {
  this.timeout(60_000);
  const database = useDatabase();
  let enterpriseId = 0;
  let ids: number[] = [];
  before("fill the log", async () => {
    const { db } = database;
    enterpriseId = (await anEnterprise(db)).id;
    for (let n = 0; n < 3; n += 1) {
      ids.push((await aSubscription(db, { enterprise_id: enterpriseId })).id);
    }
    await rowsOf(
      db,
      `INSERT INTO events (id, occurred_at, event_id, enterprise_id, object, event, object_id,
         key, body)
       SELECT n, timestamptz '2026-10-01' + n * interval '1 minute', 'evt_' || n, ?, 'ticket',
         'update', n / 10, 'ticket:' || n / 10, '{"n":' || n || '}'
       FROM generate_series(1, ?) AS n`,
      [enterpriseId, perSubscription],
    );
    await rowsOf(
      db,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, due_at, created_at, last_result)
       SELECT ?, s, n, n, at, 'ticket', 'ticket:' || n / 10,
         CASE WHEN n % 500 = 0 THEN 'dead' WHEN n > 19990 THEN 'retry' ELSE 'delivered' END, at, at,
         CASE WHEN n % 100 = 0 THEN '5xx' ELSE '2xx' END
       FROM generate_series(1, ?) AS n CROSS JOIN unnest(?::bigint[]) AS s,
         LATERAL (SELECT timestamptz '2026-10-01' + n * interval '1 minute') AS t(at)
       ORDER BY n, s`,
      [enterpriseId, perSubscription, ids],
    );
    await rowsOf(
      db,
      `INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms, status)
       SELECT enterprise_id, created_at, id, 1, 80, 200 FROM deliveries`,
    );
    await rowsOf(db, "VACUUM ANALYZE deliveries");
    await rowsOf(db, "VACUUM ANALYZE events");
    await rowsOf(db, "VACUUM ANALYZE attempts");
  });

  const reading = (kind: StreamKind, filter: Partial<DeliveryFilter> = {}, needsEvent = false) => ({
    kind,
    condition: conditionOf({ ...noFilter, ...filter }, 59_000),
    needsEvent,
  });
  const streams = (value: string | null = null) =>
    ids.map((subscriptionId) => ({ subscriptionId, from: 0, below: 15_000, value }));
  const noTable = /Seq Scan on (?:deliveries|events|events_default|attempts)\b/u;

  const kinds: Record<StreamKind, [index: string, value: string | null]> = {
    all: ["deliveries_subscription_id_sequence_key", null],
    paused: ["deliveries_paused", null],
    given_up: ["deliveries_given_up", "dead"],
    failed: ["deliveries_failed", "5xx"],
  };
  for (const [kind, [index, value]] of Object.entries(kinds) as [
    StreamKind,
    [string, string | null],
  ][]) {
    it(`read the stream of ${kind} in the order of its index, and no more than asked for`, async () => {
      const plan = await explain(database.db, (db) =>
        readStreams(db, reading(kind), streams(value), 20),
      );
      expect(plan).to.match(new RegExp(`Index Scan Backward using ${index} `, "u"));
      expect(plan).to.not.match(noTable);
      expect(mostRead(plan)).to.be.at.most(60);
      expect(mostReadInVain(plan)).to.equal(0);
    });
  }

  it("read only the event of each examined row", async () => {
    const plan = await explain(database.db, (db) =>
      readStreams(db, reading("all", { text: "nothing" }, true), streams(), 20),
    );
    expect(plan).to.match(/Index Scan using events_default_pkey/u);
    expect(plan).to.not.match(noTable);
    expect(mostRead(plan)).to.be.at.most(60);
  });

  it("count no further than requested", async () => {
    const plan = await explain(database.db, (db) =>
      countStreams(db, reading("all", { object: "media" }), streams(), 500),
    );
    expect(plan).to.include("deliveries_subscription_id_sequence_key");
    expect(plan).to.not.match(noTable);
    expect(mostRead(plan)).to.be.at.most(1_500);
  });

  it("find the bounds of a period with a few probes", async () => {
    const since = new Date("2026-10-05T00:00:00Z");
    const until = new Date("2026-10-06T00:00:00Z");
    const bounds = { since, until, before: undefined };
    const [range] = await findRanges(database.db, ids, bounds);
    expect(range?.from).to.be.within(5_755, 5_760);
    expect(range?.below).to.be.within(7_200, 7_205);
    const plan = await explain(database.db, (db) => findRanges(db, ids, bounds));
    expect(plan).to.include("deliveries_subscription_id_sequence_key");
    expect(plan).to.not.match(noTable);
    expect(mostRead(plan)).to.be.at.most(200);
  });

  const few = {
    "of an object": ["event", { object: "ticket", objectId: "55" }, "events_default_enterprise_id"],
    "of an event": ["event", { eventId: "evt_55" }, "events_default_event_id"],
    live: ["live", { states: ["retry"] }, "deliveries_live_key"],
  } as const;
  for (const [name, [kind, filter, index]] of Object.entries(few)) {
    it(`find the few that are ${name} by an index`, async () => {
      const whole = { ...noFilter, ...(filter as Partial<DeliveryFilter>) };
      const search = {
        ...{ enterpriseId, subscriptionIds: ids, filter: whole },
        condition: conditionOf(whole, undefined),
        needsEvent: kind === "event",
      };
      const plan = await explain(database.db, (db) => findIndexed(db, kind, search));
      expect(plan).to.include(index);
      expect(plan).to.not.match(noTable);
      expect(mostRead(plan)).to.be.at.most(100);
    });
  }

  it("read a page by ids, and the last attempts from their own partitions", async () => {
    const page = Array.from({ length: 50 }, (_, n) => 30_000 - n);
    const plan = await explain(database.db, (db) => readDeliveries(db, enterpriseId, page));
    expect(plan).to.include("deliveries_pkey");
    expect(plan).to.not.match(noTable);
    expect(mostRead(plan)).to.be.at.most(200);
  });
});
