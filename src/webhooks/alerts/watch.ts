/**
 * In: the webhooks that somebody wants alerts about. Out: mails, and what was said.
 * Guarantee: a mail is committed with the state that says so; several schedules say nothing twice.
 * On crash: the next pass judges by what the database says.
 */
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, type Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { TellPeople } from "../notices/tell-people.ts";
import { findLastFailure } from "../notices/store.ts";
import { judge } from "./judge.ts";
import {
  forgetUnwatched,
  lockState,
  readCountedUntil,
  readWatched,
  saveState,
  type Watched,
} from "./watch-store.ts";

export type WatchDeps = Readonly<{
  db: Db;
  clock: Clock;
  log: Pick<Logger, "warn" | "error">;
  tellPeople: TellPeople;
}>;

/** One look at every watched webhook. Each has a transaction of its own. */
export async function watchWebhooks(deps: WatchDeps): Promise<void> {
  const { db, clock, log } = deps;
  await forgetUnwatched(db);
  const countedUntil = await readCountedUntil(db);
  const now = clock.now();
  const watched = await readWatched(db, { now, countedUntil });
  for (const { subscription } of watched.filter((one) => isChanged(one, now))) {
    try {
      await settle(deps, subscription.id, countedUntil);
    } catch (thrown) {
      const reason = toError(thrown).message;
      log.error({ subscription_id: subscription.id, reason }, "subscription.not_judged");
    }
  }
}

function isChanged({ state, reading, rules }: Watched, now: Date): boolean {
  const judged = judge(state, reading, rules, now);
  return judged.alerts.length > 0 || JSON.stringify(judged.state) !== JSON.stringify(state);
}

async function settle(
  { db, clock, log, tellPeople }: WatchDeps,
  id: number,
  countedUntil: Date,
): Promise<void> {
  const now = clock.now();
  const told = await inTransaction(db, async (trx) => {
    await lockState(trx, id);
    // Read again under the lock: another schedule may have been faster.
    const [watched] = await readWatched(trx, { now, countedUntil, id });
    if (watched === undefined) {
      return [];
    }
    const { subscription, state, reading, rules } = watched;
    const judged = judge(state, reading, rules, now);
    await saveState(trx, id, judged.state);
    const { enterpriseId } = subscription;
    for (const alert of judged.alerts) {
      const isOver = alert.kind === "caught_up";
      const lastFailure = isOver
        ? null
        : await findLastFailure(trx, { enterpriseId, subscriptionId: id });
      await tellPeople(trx, { notice: alert, subscription, lastFailure, at: now });
    }
    return judged.alerts;
  });
  for (const { kind } of told) {
    log.warn({ subscription_id: id, alert: kind }, "subscription.alert");
  }
}
