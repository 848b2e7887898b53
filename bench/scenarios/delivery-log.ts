/** Searches of the web process in a log of many millions of deliveries. */
import {
  noFilter,
  type DeliveryFilter,
} from "../../src/pipeline/ledger/queries/delivery-filter.ts";
import { createDeliveryLog, type DeliveryPage } from "../../src/deliveries/log/service.ts";
import { manyDeliveries, type ManyDeliveries } from "../support/many-deliveries.ts";
import { percentilesOf, type Percentiles } from "../support/statistics.ts";
import type { Stack } from "../support/stack.ts";

export type LogSearch = {
  ms: Percentiles;
  examined: number;
  found: number;
  /** Requests until a page is full or the log ends, at most 5. */
  pages: number;
};

export type DeliveryLogResult = {
  deliveries: number;
  seedMinutes: number;
  gigabytes: number;
  searches: Record<string, LogSearch>;
};

export type DeliveryLogOptions = {
  deliveries: number;
  rounds: number;
  print: (text: string) => void;
};

/** The database belongs to the bench, so durability does not matter. */
export const deliveryLogSettings: Record<string, string> = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_wal_size: "4GB",
  autovacuum: "off",
};

const subscriptions = 10;
const days = 30;
const mostPages = 5;
const hourMs = 3_600_000;

function filtersOf(many: ManyDeliveries): Record<string, Partial<DeliveryFilter>> {
  const ago = (hours: number): Date => new Date(many.newest.getTime() - hours * hourMs);
  const { eventId, objectId, replayId, subscriptionIds } = many;
  return {
    "no filter": {},
    "one webhook": { subscriptionIds: subscriptionIds.slice(0, 1) },
    "status: live": { states: ["pending", "queued", "sending", "retry", "paused"] },
    "status: dead": { states: ["dead"] },
    "status: paused (none)": { states: ["paused"] },
    "status: dead or retry": { states: ["dead", "retry"] },
    "result: 5xx": { results: ["5xx"] },
    "result: time-outs": { results: ["timeout_connect", "timeout_response"] },
    "event id": { eventId },
    "object and id": { object: "ticket", objectId },
    "id of an object": { objectId },
    "replay (20,000)": { replayId },
    "a day of three weeks ago": { since: ago(21 * 24), until: ago(20 * 24) },
    "dead on such a day": { states: ["dead"], since: ago(21 * 24), until: ago(20 * 24) },
    "object: most": { object: "ticket" },
    "object: one in a thousand": { object: "smsmessage" },
    "object: none": { object: "media" },
    "event type": { eventType: "media.OCRDone" },
    "text: in all": { text: "CLOSED" },
    "text: in none": { text: "nothing like it" },
    "text in a day's dead": { text: "R-", states: ["dead"], since: ago(21 * 24) },
  };
}

type Log = ReturnType<typeof createDeliveryLog>;

async function measure(
  log: Log,
  many: ManyDeliveries,
  { filter, rounds }: { filter: Partial<DeliveryFilter>; rounds: number },
): Promise<LogSearch> {
  const search = (before?: number): Promise<DeliveryPage> =>
    log.search(many, { ...noFilter, ...filter }, { before, offset: 0, limit: 50 });
  const times = new Float64Array(rounds);
  let page = await search();
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    page = await search();
    times[round] = performance.now() - startedAt;
  }
  const first = page;
  let pages = 1;
  while (!page.isComplete && pages < mostPages) {
    page = await search(page.next);
    pages += 1;
  }
  const { examined, deliveries } = first;
  return { ms: percentilesOf(times), examined, found: deliveries.length, pages };
}

/** A page deep in the log must cost as much as the first one. */
async function measureDepth(log: Log, many: ManyDeliveries, rounds: number): Promise<LogSearch> {
  const times = new Float64Array(rounds);
  let examined = 0;
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const before = Math.floor((many.count * (round + 1)) / (rounds + 2));
    const startedAt = performance.now();
    const page = await log.search(many, noFilter, { before, offset: 0, limit: 50 });
    times[round] = performance.now() - startedAt;
    ({ examined } = page);
    found = page.deliveries.length;
  }
  return { ms: percentilesOf(times), examined, found, pages: 1 };
}

/** The list of one webhook with its total, paged by offset. */
async function measureList(
  log: Log,
  many: ManyDeliveries,
  { offset, filter, rounds }: { offset: number; filter: Partial<DeliveryFilter>; rounds: number },
): Promise<LogSearch> {
  const times = new Float64Array(rounds);
  const [id = 0] = many.subscriptionIds;
  const part = { before: undefined, offset, limit: 10 };
  let examined = 0;
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    const page = await log.list(many, id, { filter: { ...noFilter, ...filter }, part });
    times[round] = performance.now() - startedAt;
    ({ examined } = page);
    found = page.deliveries.length;
  }
  return { ms: percentilesOf(times), examined, found, pages: 1 };
}

export async function deliveryLog(
  { db }: Stack,
  { deliveries, rounds, print }: DeliveryLogOptions,
): Promise<DeliveryLogResult> {
  const startedAt = performance.now();
  const minutes = (): number => (performance.now() - startedAt) / 60_000;
  const many = await manyDeliveries(db, {
    ...{ count: deliveries, subscriptions, days },
    onProgress: (made) => {
      if (made % 1_000_000 === 0) {
        print(`${made.toLocaleString("en-US")} deliveries after ${minutes().toFixed(1)} minutes`);
      }
    },
  });
  const seedMinutes = minutes();
  const [size] = (
    await db.raw<{ rows: { bytes: number }[] }>(
      "SELECT pg_database_size(current_database()) AS bytes",
    )
  ).rows;
  const log = createDeliveryLog({ db });
  const searches: DeliveryLogResult["searches"] = {};
  for (const [name, filter] of Object.entries(filtersOf(many))) {
    searches[name] = await measure(log, many, { filter, rounds });
  }
  searches["pages deep inside"] = await measureDepth(log, many, rounds);
  const listed = { offset: 0, filter: {}, rounds };
  searches["list of one, with total"] = await measureList(log, many, listed);
  searches["the same, offset 10,000"] = await measureList(log, many, { ...listed, offset: 10_000 });
  searches["list of one, rare object"] = await measureList(log, many, {
    ...listed,
    filter: { object: "smsmessage" },
  });
  return { deliveries, seedMinutes, gigabytes: (size?.bytes ?? 0) / 1e9, searches };
}
