import { invalidParameter, problem } from "../../contracts/problems.ts";
import { minuteMs } from "../../platform/clock.ts";
import type { Db, Trx } from "../../platform/db/pool.ts";
import { inSnapshot } from "../../platform/db/transaction.ts";
import { readTarget } from "../delivery-target.ts";
import { createExpensiveQueryLimiter } from "../../http/limits.ts";
import {
  needsEvent,
  queryPlanOf,
  type DeliveryFilter,
} from "../../pipeline/ledger/queries/delivery-filter.ts";
import { countMatches, findMatches, type LogSearch } from "./search.ts";
import {
  findBySequence,
  findDelivery,
  findReplayPeriod,
  listAttempts,
  listSubscriptionIds,
  readDeliveries,
  type LoggedAttempt,
  type Delivery,
} from "../../pipeline/ledger/queries/deliveries.ts";

/** The enterprise, and the subscription if only one is read. */
type LogReader = Readonly<{ enterpriseId: number }>;

/** A page: below an id, or after an offset. */
export type PageRange = Readonly<{ before: number | undefined; offset: number; limit: number }>;

export type DeliveryPage = {
  deliveries: Delivery[];
  /** The next page starts below this id; undefined for the last page. */
  next: number | undefined;
  /** Number of examined deliveries. */
  examined: number;
  /** False if the page is short only because the request reached its limit of examined rows. */
  isComplete: boolean;
};

/** All matches of a search, up to the limit of one file. */
export type WholeSearch = Pick<DeliveryPage, "next"> & {
  /** Newest first. Rows deleted since the search are left out. */
  batches: AsyncIterable<Delivery[]>;
};

export type CountedPage = DeliveryPage & { total: number; isExact: boolean };

export type DeliveryDetails = {
  delivery: Delivery;
  attempts: LoggedAttempt[];
  /** The earlier delivery that this one waits for; null if none. */
  waitsForId: number | null;
};

/** The delivery log of an enterprise. Throws `not_found` for subscriptions of other enterprises. */
export type DeliveryLog = {
  /** One page over all subscriptions, or those of the filter, newest first. */
  search(reader: LogReader, filter: DeliveryFilter, part: PageRange): Promise<DeliveryPage>;
  /** All matches, at most `most`. */
  readAll(reader: LogReader, filter: DeliveryFilter, bounds: ReadAllLimits): Promise<WholeSearch>;
  /** One page of a single subscription, with the total. */
  list(reader: LogReader, id: number, wanted: ListRequest): Promise<CountedPage>;
  /** `subscriptionId`: the delivery must belong to that subscription, which must not be deleted. */
  get(reader: LogReader, id: number, subscriptionId?: number): Promise<DeliveryDetails>;
};

export type ReadAllLimits = Readonly<{ before: number | undefined; most: number }>;

export type ListRequest = Readonly<{ filter: DeliveryFilter; part: PageRange }>;

export function createDeliveryLog({ db }: { db: Db }): DeliveryLog {
  return {
    ...createSearches(db),
    get: async ({ enterpriseId }, id, subscriptionId) => {
      const delivery = await findDelivery(db, enterpriseId, id);
      if (subscriptionId !== undefined) {
        await readTarget(db, enterpriseId, subscriptionId);
      }
      const isOther = subscriptionId !== undefined && delivery?.subscription.id !== subscriptionId;
      if (delivery === undefined || isOther) {
        throw problem("not_found", `Delivery ${id} was not found.`);
      }
      const { waitsFor: sequence, subscription } = delivery;
      const before =
        sequence === null
          ? undefined
          : await findBySequence(db, enterpriseId, { subscriptionId: subscription.id, sequence });
      return { delivery, attempts: await listAttempts(db, delivery), waitsForId: before ?? null };
    },
  };
}

/** Deliveries examined per request, at most. */
const searchBudget = 5_000;

/** Older clients that use no cursor expect full pages. */
const listBudget = 100_000;

function createSearches(db: Db): Pick<DeliveryLog, "search" | "readAll" | "list"> {
  const limiter = createExpensiveQueryLimiter();
  const poll = <T>(
    { enterpriseId }: LogReader,
    filter: DeliveryFilter,
    work: (trx: Trx) => Promise<T>,
  ): Promise<T> =>
    isExpensive(filter) ? limiter(enterpriseId, () => inSnapshot(db, work)) : inSnapshot(db, work);
  const searchOf = async (trx: Trx, { enterpriseId }: LogReader, filter: DeliveryFilter) => {
    const subscriptionIds = selectSubscriptions(
      await listSubscriptionIds(trx, enterpriseId),
      filter,
    );
    return narrowToReplay(trx, { enterpriseId, subscriptionIds, filter });
  };
  return {
    search: async (reader, filter, part) =>
      poll(reader, filter, async (trx) =>
        readPage(trx, await searchOf(trx, reader, filter), part, searchBudget),
      ),
    readAll: async (reader, filter, { before, most }) => {
      const { ids, horizon, isExhausted } = await poll(reader, filter, async (trx) =>
        findMatches(trx, await searchOf(trx, reader, filter), {
          ...{ before, count: most, budget: listBudget },
        }),
      );
      const isTruncated = ids.length > most;
      const shown = isTruncated ? ids.slice(0, most) : ids;
      const end = isTruncated ? shown.at(-1) : horizon;
      return {
        next: isExhausted && !isTruncated ? undefined : end,
        batches: readBatches(db, reader.enterpriseId, shown),
      };
    },
    list: async (reader, id, { filter, part }) =>
      poll(reader, filter, async (trx) => {
        const { enterpriseId } = reader;
        await readTarget(trx, enterpriseId, id);
        const search = await narrowToReplay(trx, { enterpriseId, subscriptionIds: [id], filter });
        const budget = part.before === undefined ? listBudget : searchBudget;
        const page = await readPage(trx, search, part, budget);
        return { ...page, ...(await countMatches(trx, search)) };
      }),
  };
}

/** The filter may examine many rows of another table and read their payloads. */
function isExpensive(filter: DeliveryFilter): boolean {
  return needsEvent(filter) && queryPlanOf(filter).lookup !== "event";
}

function selectSubscriptions(
  all: readonly number[],
  { subscriptionIds }: DeliveryFilter,
): number[] {
  const unknown = subscriptionIds.find((id) => !all.includes(id));
  if (unknown !== undefined) {
    throw invalidParameter("webhook", "unknown", `Webhook ${unknown} was not found.`);
  }
  return subscriptionIds.length === 0 ? [...all] : [...new Set(subscriptionIds)];
}

/** The clocks of the processes that request a replay, create its deliveries and end it may differ. */
const skewMs = minuteMs;

/** A replay belongs to one subscription and one period, which limits the search. */
async function narrowToReplay(trx: Trx, search: LogSearch): Promise<LogSearch> {
  const { enterpriseId, subscriptionIds, filter } = search;
  if (filter.replayId === undefined) {
    return search;
  }
  const period = await findReplayPeriod(trx, enterpriseId, filter.replayId);
  return {
    ...search,
    subscriptionIds: subscriptionIds.filter((id) => id === period?.subscriptionId),
    filter:
      period === undefined
        ? filter
        : {
            ...filter,
            since: later(filter.since, addMs(period.since, -skewMs)),
            until: earlier(filter.until, period.until && addMs(period.until, skewMs)),
          },
  };
}

function addMs(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}

function later(a: Date | undefined, b: Date): Date {
  return a !== undefined && a > b ? a : b;
}

function earlier(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

async function readPage(
  trx: Trx,
  search: LogSearch,
  { before, offset, limit }: PageRange,
  budget: number,
): Promise<DeliveryPage> {
  const count = offset + limit;
  const { ids, horizon, isExhausted, examined } = await findMatches(trx, search, {
    ...{ before, count, budget },
  });
  const shown = ids.slice(offset, count);
  const isFull = ids.length >= count;
  const isLast = isExhausted && ids.length <= count;
  const end = ids.length > count ? shown.at(-1) : horizon;
  return {
    deliveries: await readDeliveries(trx, search.enterpriseId, shown),
    next: isLast ? undefined : end,
    examined,
    isComplete: isFull || isExhausted,
  };
}

/** Batch size of exports. */
const batchSize = 500;

async function* readBatches(
  db: Db,
  enterpriseId: number,
  ids: readonly number[],
): AsyncGenerator<Delivery[]> {
  for (let start = 0; start < ids.length; start += batchSize) {
    yield readDeliveries(db, enterpriseId, ids.slice(start, start + batchSize));
  }
}
