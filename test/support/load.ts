import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createOutbox } from "../../src/pipeline/outbox/append.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { ticketBody, type Customer } from "./customer.ts";
import { aTicketEvent } from "./pipeline.ts";

export type Load = {
  /** Tickets whose creation was answered with 2xx. */
  readonly accepted: readonly number[];
  /** Number of calls without a response, or with a status other than 2xx. */
  readonly refused: number;
  /** Stops creating tickets, and waits until the last one of each caller is accepted. */
  stop(): Promise<void>;
};

export type LoadOptions = { callers?: number; pauseMs?: number };

const retryMs = 50;
const patienceMs = 30_000;

/**
 * Clients that create tickets through the REST API, one after the other at a steady pace, and
 * change each of them. Each one retries a failed creation with the same `Idempotency-Key` until it
 * succeeds, as recommended to clients.
 */
function startLoad(customer: Customer, { callers = 4, pauseMs = 60 }: LoadOptions = {}): Load {
  const { api } = customer;
  const accepted: number[] = [];
  const state = { refused: 0, isStopping: false };

  const tryToCreate = async (key: string): Promise<number | undefined> => {
    try {
      const body = ticketBody(customer.agentLogin);
      const headers = { "Idempotency-Key": key };
      const answer = await api.succeed("POST /tickets", { body, headers });
      return Number(answer.body["id"]);
    } catch {
      state.refused += 1;
      return undefined;
    }
  };

  const create = async (): Promise<number> => {
    const key = randomUUID();
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const id = await tryToCreate(key);
      if (id !== undefined) {
        return id;
      }
      if (performance.now() > deadline) {
        throw new Error(`No ticket could be created for ${patienceMs} ms`);
      }
      await delay(retryMs);
    }
  };

  const change = async (id: number): Promise<void> => {
    const body = { priority: 1 + (id % 4) };
    await api.succeed(`PATCH /tickets/${id}`, { body }).catch(() => {
      state.refused += 1;
    });
  };

  const run = async (): Promise<void> => {
    while (!state.isStopping) {
      const id = await create();
      accepted.push(id);
      await change(id);
      await delay(pauseMs);
    }
  };

  const running = Promise.all(Array.from({ length: callers }, run));
  running.catch(() => undefined);
  return {
    accepted,
    get refused() {
      return state.refused;
    },
    stop: async () => {
      state.isStopping = true;
      await running;
    },
  };
}

export type Publishing = {
  /** Number of committed events. */
  readonly committed: number;
  stop(): Promise<void>;
};

export type PublishingOptions = { perCommit?: number; pauseMs?: number };

/** Appends ticket events to the outbox in consecutive transactions, faster than clients can. */
function startPublishing(
  db: Db,
  enterpriseId: number,
  { perCommit = 10, pauseMs = 20 }: PublishingOptions = {},
): Publishing {
  const outbox = createOutbox({
    ids: randomIds,
    clock: systemClock,
    faultPoint: () => undefined,
    maxBytes: 262_144,
    wake: () => undefined,
  });
  const state = { committed: 0, isStopping: false };
  const run = async (): Promise<void> => {
    while (!state.isStopping) {
      const events = Array.from({ length: perCommit }, (_, index) =>
        aTicketEvent(enterpriseId, state.committed + index),
      );
      await inTransaction(db, (trx) => outbox.append(trx, events));
      state.committed += perCommit;
      await delay(pauseMs);
    }
  };
  const running = run();
  running.catch(() => undefined);
  return {
    get committed() {
      return state.committed;
    },
    stop: async () => {
      state.isStopping = true;
      await running;
    },
  };
}

/**
 * Loads of the surrounding `describe`. A load that a failed test left running ends with the test.
 */
export function useLoads() {
  let started: { stop(): Promise<void> }[] = [];
  afterEach("stop the load", async function () {
    this.timeout(patienceMs + 5_000);
    await Promise.allSettled(started.map((one) => one.stop()));
    started = [];
  });
  const keep = <T extends { stop(): Promise<void> }>(one: T): T => {
    started.push(one);
    return one;
  };
  return {
    start: (customer: Customer, options?: LoadOptions): Load => keep(startLoad(customer, options)),
    publish: (db: Db, enterpriseId: number, options?: PublishingOptions): Publishing =>
      keep(startPublishing(db, enterpriseId, options)),
  };
}
