import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { pause } from "../../platform/wait.ts";
import type { Dispatcher } from "../ledger/dispatch.ts";
import { settleAttempts, type Settlement } from "../ledger/settle.ts";

export type SettlerDeps = {
  db: Db;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  clock: Clock;
  log: Logger;
  /** Until when a result may still be written: after it another worker has the delivery. */
  leaseMs: number;
};

const firstPauseMs = 50;
const longestPauseMs = 1_000;

/** Errors about the values themselves: repeating them cannot help. */
const isDataFault = (error: Error & { code?: unknown }): boolean =>
  typeof error.code === "string" && /^(22|23)/u.test(error.code);

/** What a receiver answered, without the parts that came from it. */
const withoutAnswer = (settlement: Settlement): Settlement => ({
  ...settlement,
  record: { ...settlement.record, responseHeaders: null, responseBody: null },
});

/**
 * Writes results, and goes on trying while Postgres is away: they exist nowhere but here, and
 * giving up means sending again. A value that Postgres refuses costs only its own record.
 */
export const createSettler = (deps: SettlerDeps) => {
  const { db, dispatcher, log } = deps;

  const write = async (settlements: readonly Settlement[]): Promise<boolean[]> => {
    const { taken, handedOut } = await settleAttempts(db, settlements, dispatcher.limits());
    await dispatcher.dispatch(handedOut);
    return taken;
  };

  const writeEach = async (settlements: readonly Settlement[]): Promise<boolean[]> => {
    const taken: boolean[] = [];
    for (const settlement of settlements) {
      // oxlint-disable-next-line no-await-in-loop -- one at a time finds the one that is refused
      taken.push(...(await write([withoutAnswer(settlement)])));
    }
    return taken;
  };

  return async (settlements: readonly Settlement[]): Promise<boolean[]> => {
    const deadline = Date.now() + deps.leaseMs;
    let pauseMs = firstPauseMs;
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- a retry follows its failure
        return await write(settlements);
      } catch (thrown) {
        const error = toError(thrown);
        log.warn({ results: settlements.length, reason: error.message }, "settle.failed");
        if (isDataFault(error)) {
          return writeEach(settlements);
        }
        if (Date.now() + pauseMs > deadline) {
          throw error;
        }
        // oxlint-disable-next-line no-await-in-loop -- a retry waits for its turn
        await pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  };
};
