/**
 * In: the time since when a receiver lost events. Out: a replay of everything that never arrived, and
 * every retry of that time due now. Guarantee: an event is made a delivery of once, however often
 * this is asked for: a recovery runs alone, and what it made is no longer undelivered to the next.
 * On crash: the replay's task goes on from where it was.
 */
import { problem } from "../../contracts/problems.ts";
import { countRetriesSince, probeNow } from "../../pipeline/ledger/retry-now.ts";
import { inTransaction, type Trx } from "../../platform/db/pool.ts";
import type { Actor } from "../audit.ts";
import { createQuestions } from "../questions.ts";
import { beginReplay } from "./begin.ts";
import { criteriaOfRecovery } from "./criteria.ts";
import { defaultRate, mostOpenReplays, type Replay } from "./model.ts";
import { previewMs, previewReplay, type Preview } from "./preview.ts";
import { bringForwardMore, retriesOf } from "./retries.ts";
import type { ReplayDeps } from "./service.ts";
import { replayTask } from "./step.ts";
import {
  countOpenReplays,
  findLastEventId,
  findReplay,
  hasOpenRecovery,
  readMatching,
  saveReplay,
  type ReplayWithFigures,
} from "./store.ts";
import { lockPushed, readPushed, scopeOfNow } from "./target.ts";

/** Retries are counted up to here. */
const mostCounted = 10_000;

export type RetriesToCome = { count: number; isMore: boolean };

/** What was lost since some time, in one step. Everything is bound to the caller's enterprise. */
export type Recoveries = {
  /** What a recovery would do now. Changes nothing. */
  preview(
    reader: Readonly<{ enterpriseId: number }>,
    subscriptionId: number,
    since: Date,
  ): Promise<{ preview: Preview; retries: RetriesToCome }>;
  start(
    actor: Actor,
    subscriptionId: number,
    given: { since: Date; rate: number | undefined },
  ): Promise<ReplayWithFigures & { retries: RetriesToCome }>;
};

export function createRecoveries(deps: ReplayDeps): Recoveries {
  return {
    preview: createPreview(deps),
    start: createStart(deps),
  };
}

function createPreview({ db, clock, retentionDays }: ReplayDeps): Recoveries["preview"] {
  const ask = createQuestions();
  return async ({ enterpriseId }, subscriptionId, since) => {
    const target = await readPushed(db, enterpriseId, subscriptionId);
    const criteria = criteriaOfRecovery(since);
    const scope = await scopeOfNow(db, target, { criteria, retentionDays, now: clock.now() });
    return ask(enterpriseId, async () => ({
      preview: await previewReplay(db, scope, previewMs),
      retries: toCount(await countRetriesSince(db, retriesOf(scope), mostCounted + 1)),
    }));
  };
}

function createStart(deps: ReplayDeps): Recoveries["start"] {
  return async (actor, subscriptionId, { since, rate = defaultRate }) => {
    const { db, clock, tasks, onDue } = deps;
    return inTransaction(db, async (trx) => {
      const target = await lockPushed(trx, actor, subscriptionId);
      await refuse(trx, subscriptionId, target.isActive);
      const replay = await beginReplay(
        trx,
        deps,
        { actor, target },
        {
          criteria: criteriaOfRecovery(since),
          matching: await readMatching(trx, subscriptionId),
          rate,
          ...({ state: "counting", total: 0, made: 0 } as const),
          place: { phase: "retries", position: 0 },
          lastEventId: await findLastEventId(trx, actor.enterpriseId),
        },
      );
      const now = clock.now();
      const retries = await bringFirst(trx, deps, replay, now);
      await tasks.plan(trx, [replayTask(replay, now)]);
      void trx.executionPromise.then(onDue, () => undefined);
      const recentAfter = replay.created;
      const found = await findReplay(trx, { ...actor, id: replay.id, recentAfter });
      if (found === undefined) {
        throw new Error("The replay was not found");
      }
      return { ...found, retries };
    });
  };
}

async function refuse(trx: Trx, id: number, isActive: boolean): Promise<void> {
  if (!isActive) {
    const detail = `Webhook ${id} is off: switch it on first, and what waits for it goes out.`;
    throw problem("conflict", detail);
  }
  if (await hasOpenRecovery(trx, id)) {
    throw problem("conflict", `Webhook ${id} is being recovered already.`);
  }
  if ((await countOpenReplays(trx, id)) >= mostOpenReplays) {
    throw problem("conflict", `Webhook ${id} has ${mostOpenReplays} replays that are not over.`);
  }
}

/** The first retries are due with the answer; its task brings the rest forward. */
async function bringFirst(
  trx: Trx,
  deps: ReplayDeps,
  replay: Replay,
  now: Date,
): Promise<RetriesToCome> {
  const retries = toCount(await countRetriesSince(trx, retriesOf(replay), mostCounted + 1));
  await saveReplay(trx, { ...replay, place: await bringForwardMore(trx, deps, replay, now) });
  await probeNow(trx, [replay.subscriptionId], now);
  return retries;
}

function toCount(found: number): RetriesToCome {
  return {
    count: Math.min(found, mostCounted),
    isMore: found > mostCounted,
  };
}
