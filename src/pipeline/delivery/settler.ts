import { isDataFault, isProgramFault } from "../../platform/db/errors.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { FaultPoint } from "../../platform/fault-point.ts";
import type { Logger } from "../../platform/logger.ts";
import { sleep } from "../../platform/concurrency/sleep.ts";
import type { Dispatcher } from "../ledger/dispatcher.ts";
import type { WriteNotices } from "../ledger/notices.ts";
import { settleAttempts, type Settlement } from "../ledger/settle.ts";

export type SettlerDeps = {
  db: Db;
  writeNotices: WriteNotices;
  /** Whether backlogs that drain delay the others. */
  isOverloaded: () => boolean;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  log: Logger;
  faultPoint: FaultPoint;
  /** Own faults are retried until the lease ends; outages without limit. */
  leaseMs: number;
  /** Ends the retries: the process stops, and its grace period is over. */
  signal: AbortSignal;
};

const minPauseMs = 50;

const maxPauseMs = 1_000;

/**
 * Writes results, with retries while Postgres is away: they exist nowhere else, and giving up means
 * sending again. Late is harmless, because the ledger refuses a lost claim.
 * A value that Postgres refuses costs only its own record.
 */
export function createSettler(deps: SettlerDeps) {
  const { dispatcher, log, signal } = deps;

  const write = async (settlements: readonly Settlement[]): Promise<boolean[]> => {
    const { accepted, enqueued, circuits } = await settleAttempts(deps, settlements, {
      ...dispatcher.limits(),
      isOverloaded: deps.isOverloaded(),
    });
    deps.faultPoint("delivery.afterSettle");
    for (const subscription_id of circuits.opened) {
      log.warn({ subscription_id }, "subscription.circuit_opened");
    }
    for (const subscription_id of circuits.closed) {
      log.info({ subscription_id }, "subscription.circuit_closed");
    }
    await dispatcher.dispatch(enqueued);
    return accepted;
  };

  const writeWithRetry = async (settlements: readonly Settlement[]): Promise<boolean[]> => {
    const deadline = Date.now() + deps.leaseMs;
    let pauseMs = minPauseMs;
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- a retry follows its failure
        return await write(settlements);
      } catch (thrown) {
        const error = toError(thrown);
        log.warn({ results: settlements.length, reason: error.message }, "settle.failed");
        const isHopeless = isProgramFault(error) && Date.now() + pauseMs > deadline;
        if (isDataFault(error) || isHopeless || signal.aborted) {
          throw error;
        }
        // oxlint-disable-next-line no-await-in-loop -- a retry waits for its turn
        await sleep(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      }
    }
  };

  const writeOne = async (settlement: Settlement): Promise<boolean> => {
    try {
      return (await writeWithRetry([withoutAnswer(settlement)]))[0] === true;
    } catch (thrown) {
      const { deliveryId } = settlement;
      log.error({ deliveryId, reason: toError(thrown).message }, "settle.refused");
      return false;
    }
  };

  return async (settlements: readonly Settlement[]): Promise<boolean[]> => {
    try {
      return await writeWithRetry(settlements);
    } catch (thrown) {
      if (!isDataFault(toError(thrown))) {
        throw thrown;
      }
      const accepted: boolean[] = [];
      for (const settlement of settlements) {
        // oxlint-disable-next-line no-await-in-loop -- one at a time finds the one that is refused
        accepted.push(await writeOne(settlement));
      }
      return accepted;
    }
  };
}

/** The settlement without the parts that the receiver controls. */
function withoutAnswer(settlement: Settlement): Settlement {
  return {
    ...settlement,
    record: { ...settlement.record, responseHeaders: null, responseBody: null },
  };
}
