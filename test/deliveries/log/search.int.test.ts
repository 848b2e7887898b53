import { expect } from "chai";
import { createChance, type Chance } from "../../support/chance.ts";
import { useDatabase } from "../../support/database.ts";
import { isMatch, makeRows, pick, writeRows, type LogRow } from "../../support/delivery-log.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";
import { attemptResults, deliveryStates } from "../../../src/contracts/deliveries.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import {
  noFilter,
  type DeliveryFilter,
} from "../../../src/pipeline/ledger/queries/delivery-filter.ts";
import { countMatches, findMatches, type LogSearch } from "../../../src/deliveries/log/search.ts";

const rowCount = 3_000;
const rounds = 80;

type Part = Partial<DeliveryFilter>;

describe("search in the delivery log", function () {
  this.timeout(60_000);
  const database = useDatabase();
  const chance = createChance();
  let enterpriseId = 0;
  let subscriptionIds: number[] = [];
  let replayId = 0;
  let rows: LogRow[] = [];
  before("fill the log", async () => {
    const { db } = database;
    enterpriseId = (await anEnterprise(db)).id;
    for (let n = 0; n < 5; n += 1) {
      const more = n === 4 ? { is_active: false, deleted_at: new Date() } : {};
      const { id } = await aSubscription(db, { enterprise_id: enterpriseId, ...more });
      subscriptionIds.push(id);
    }
    const [replay] = await rowsOf<{ id: number }>(
      db,
      `INSERT INTO replays (enterprise_id, subscription_id, state, criteria, max_per_second, phase,
         last_sequence, last_event_row_id, created_at)
       VALUES (?, ?, 'running', '{}', 10, 'x', 0, 0, '2026-01-01') RETURNING id`,
      [enterpriseId, subscriptionIds[0]],
    );
    replayId = replay?.id ?? 0;
    // The second-to-last subscription has no deliveries.
    const filled = subscriptionIds.filter((_, n) => n !== 3);
    rows = makeRows(chance, { count: rowCount, subscriptionIds: filled, replayId });
    await writeRows(db, enterpriseId, rows);
    await rowsOf(db, "ANALYZE deliveries, events");
  });

  const searchOf = (filter: Part): LogSearch => ({
    enterpriseId,
    subscriptionIds: filter.subscriptionIds ?? subscriptionIds,
    filter: { ...noFilter, ...filter },
  });
  const expected = (filter: Part): number[] =>
    rows
      .filter((row) => isMatch({ ...noFilter, ...filter }, row))
      .map(({ id }) => id)
      .toReversed();

  /** Reads all pages. */
  const findAll = async (
    filter: Part,
    { count = 100, budget = 5_000 }: { count?: number; budget?: number } = {},
  ): Promise<number[]> => {
    const ids: number[] = [];
    let before: number | undefined;
    for (let page = 0; page < 2_000; page += 1) {
      const part = await findMatches(database.db, searchOf(filter), { before, count, budget });
      const shown = part.ids.slice(0, count);
      ids.push(...shown);
      if (part.isExhausted && part.ids.length <= count) {
        return ids;
      }
      before = part.ids.length > count ? shown.at(-1) : part.horizon;
    }
    throw new Error("It does not end");
  };

  const aTime = (from: Chance): Date => pick(from, rows).createdAt;
  /** A generator of random values for each filter. */
  const parts: Readonly<Record<string, (from: Chance) => Part>> = {
    webhook: (from) => ({ subscriptionIds: from.some(subscriptionIds) }),
    status: (from) => ({ states: from.some(deliveryStates) }),
    "a status": (from) => ({ states: [pick(from, deliveryStates)] }),
    "rare states": (from) => ({ states: from.some(["dead", "cancelled", "retry", "paused"]) }),
    result: (from) => ({ results: from.some(attemptResults) }),
    "a result": (from) => ({ results: [pick(from, ["5xx", "dns", "interrupted", "2xx"])] }),
    object: (from) => ({ object: pick(from, rows).object }),
    event: (from) => ({ event: pick(from, rows).event as never }),
    eventType: (from) => ({ eventType: pick(from, rows).eventType as never }),
    objectId: (from) => ({ objectId: pick(from, rows).objectId }),
    "object and objectId": (from) => {
      const { object, objectId } = pick(from, rows);
      return { object, objectId };
    },
    eventId: (from) => ({ eventId: pick(from, rows).eventId }),
    since: (from) => ({ since: aTime(from) }),
    until: (from) => ({ until: aTime(from) }),
    text: (from) => ({
      text: pick(from, ["boiler", "50%", '\\"quoted', "UNDER_", "back\\", '"n":17']),
    }),
    replay: () => ({ replayId }),
  };
  const partOf = (name: string): Part => {
    const part = parts[name]?.(chance) ?? {};
    // Only timeline entries have a type.
    return "eventType" in part && part.eventType === null ? { eventType: "ticket.new" } : part;
  };

  for (const name of Object.keys(parts)) {
    it(`finds by ${name} exactly what matches`, async () => {
      for (let round = 0; round < 4; round += 1) {
        const filter = partOf(name);
        const notified = `seed ${chance.seed}: ${JSON.stringify(filter)}`;
        expect(await findAll(filter), notified).to.deep.equal(expected(filter));
      }
    });
  }

  it("finds and counts exactly the matches, for any filters and page sizes", async () => {
    let some = 0;
    for (let round = 0; round < rounds; round += 1) {
      const names = Object.keys(parts).filter(() => chance.between(0, 5) === 0);
      const filter = Object.assign({}, ...names.map(partOf)) as Part;
      const paging = { count: chance.between(3, 60), budget: chance.between(100, 5_000) };
      const written = `seed ${chance.seed}: ${JSON.stringify({ filter, paging })}`;
      const wanted = expected(filter);
      some += wanted.length > 0 ? 1 : 0;
      expect(await findAll(filter, paging), written).to.deep.equal(wanted);
      const { total, isExact } = await countMatches(database.db, searchOf(filter));
      expect({ total, isExact }, written).to.deep.equal({ total: wanted.length, isExact: true });
    }
    expect(some, "searches that find something").to.be.greaterThan(rounds / 4);
  });

  it("examines a bounded number of rows per request, and reports the number", async () => {
    const none = { text: "nobody ever wrote this" };
    const wanted = { before: undefined, count: 50, budget: 200 };
    const part = await findMatches(database.db, searchOf(none), wanted);
    expect(part).to.deep.include({ ids: [], isExhausted: false });
    expect(part.examined).to.be.within(200, 200 + subscriptionIds.length);
    const whole = await findMatches(database.db, searchOf(none), { ...wanted, budget: 5_000 });
    expect(whole).to.deep.include({ ids: [], isExhausted: true });
    expect(whole.examined).to.equal(rowCount);
  });

  it("never searches another enterprise, even for its ids", async () => {
    const { id } = await anEnterprise(database.db);
    const search = { ...searchOf({ eventId: rows[0]?.eventId }), enterpriseId: id };
    const wanted = { before: undefined, count: 50, budget: 5_000 };
    expect((await findMatches(database.db, search, wanted)).ids).to.deep.equal([]);
  });
});
