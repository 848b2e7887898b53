import { inTransaction } from "../platform/db/pool.ts";
import type { TicketDeps } from "./ports.ts";
import { lockPurgeable, purgeTickets } from "./purge-store.ts";

const keptMs = 30 * 86_400_000;

/** Tickets of one step. */
const batchSize = 100;

/** One bounded step: removes what was deleted 30 days ago. Out: how many tickets. */
export function purgeDeletedTickets({ db, clock }: Pick<TicketDeps, "db" | "clock">) {
  return inTransaction(db, async (trx) => {
    const before = new Date(clock.now().getTime() - keptMs);
    const purgeable = await lockPurgeable(trx, { before, limit: batchSize });
    if (purgeable.ids.length > 0) {
      await purgeTickets(trx, purgeable);
    }
    return purgeable.ids.length;
  });
}
