import { expect } from "chai";
import { listSubscriptionDeliveries } from "../../../../src/pipeline/ledger/queries/event-deliveries.ts";
import { listEventsBackwards } from "../../../../src/pipeline/ledger/queries/subscription-period.ts";
import { rowsOf } from "../../../../src/platform/db/pool.ts";
import { useDatabase } from "../../../support/database.ts";
import { explain, fillDeliveries, mostRead, mostReadInVain } from "../../../support/explain.ts";
import { anEnterprise, aSubscription } from "../../../support/factories.ts";

describe("what the explanation of a webhook and a period reads", () => {
  const database = useDatabase();
  const until = new Date("2026-11-20T12:00:00Z");
  const hourBefore = new Date("2026-11-20T11:00:00Z");

  /** Inserts one event per second, up to the end of the period. */
  const fillEvents = (enterpriseId: number, count: number) =>
    rowsOf(
      database.db,
      `INSERT INTO events (occurred_at, event_id, enterprise_id, object, event, object_id, key, body)
       SELECT CAST(? AS timestamptz) - n * interval '1 s', 'evt_' || gen_random_uuid(), ?, 'ticket',
         'update', n::text, 'ticket:' || n, '{}'
       FROM generate_series(?, 1, -1) AS n`,
      [until, enterpriseId, count],
    );

  it("is one page of events, however many the enterprise has", async () => {
    const { id: enterpriseId } = await anEnterprise(database.db);
    const { id: neighbour } = await anEnterprise(database.db);
    await fillEvents(neighbour, 5_000);
    await fillEvents(enterpriseId, 20_000);
    await fillEvents(neighbour, 5_000);
    await rowsOf(database.db, "ANALYZE events");
    const range = { since: hourBefore, until, beforeId: Number.MAX_SAFE_INTEGER, limit: 500 };
    const plan = await explain(database.db, (trx) => listEventsBackwards(trx, enterpriseId, range));
    expect(mostRead(plan)).to.be.at.most(500);
    expect(mostReadInVain(plan)).to.equal(0);
  });

  it("walks to the start of the period, and no further", async () => {
    const { id: enterpriseId } = await anEnterprise(database.db);
    await fillEvents(enterpriseId, 6_000);
    const seen: number[] = [];
    let beforeId: number | null = Number.MAX_SAFE_INTEGER;
    while (beforeId !== null) {
      const range = { since: hourBefore, until, beforeId, limit: 500 };
      const page = await listEventsBackwards(database.db, enterpriseId, range);
      seen.push(page.events.length);
      beforeId = page.next;
    }
    // The last pages are read as well, because lower ids may have been committed later.
    expect(seen).to.deep.equal([500, 500, 500, 500, 500, 500, 500, 100]);
  });

  it("is each delivery by its event", async () => {
    const { id: enterpriseId } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id: enterpriseId });
    await fillDeliveries(database.db, id, { state: "delivered", count: 20_000, keys: 20_000 });
    await rowsOf(database.db, "ANALYZE deliveries");
    const eventRowIds = Array.from({ length: 500 }, (_, index) => id * 10_000_000 + index + 1);
    const events = { enterpriseId: 1, subscriptionId: id, eventRowIds };
    const plan = await explain(database.db, (trx) => listSubscriptionDeliveries(trx, events));
    expect(mostRead(plan)).to.be.at.most(500);
    expect(mostReadInVain(plan)).to.equal(0);
  });
});
