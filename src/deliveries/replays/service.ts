import { problem } from "../../contracts/problems.ts";
import type { Page } from "../../http/paging.ts";
import { minuteMs, type Clock } from "../../platform/clock.ts";
import type { Db, Queryable, Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { Tasks } from "../../platform/tasks/task.ts";
import {
  lockDeliveryTarget,
  cancelReplayDeliveries,
} from "../../pipeline/ledger/replay-deliveries.ts";
import type { AuditLog } from "../../contracts/audit.ts";
import type { Actor } from "../../http/authorize.ts";
import { createExpensiveQueryLimiter } from "../../http/limits.ts";
import {
  beginReplay,
  createRepeat,
  createRepeatSelection,
  currentScope,
  replayEntry,
} from "./begin.ts";
import { lockPushTarget, readPushTarget } from "../delivery-target.ts";
import type { ReplayCriteria } from "./criteria.ts";
import {
  defaultRate,
  maxOpenReplays,
  transitionReplay,
  type Replay,
  type ReplayAction,
} from "./model.ts";
import { previewMs, previewReplay, type ReplayPreview, startOf } from "./walk.ts";
import { replayTask } from "./step.ts";
import {
  countOpenReplays,
  findLastEventRowId,
  findReplay,
  listReplays,
  lockReplay,
  readMatching,
  saveReplay,
  type ReplayFilter,
  type ReplayWithProgress,
} from "./store.ts";
import { afterCommit } from "../../platform/db/open-transaction.ts";

export type ReplayDeps = {
  db: Db;
  clock: Clock;
  tasks: Tasks;
  audit: AuditLog<Trx>;
  /** Called after a commit that made something due: wakes the schedule early. */
  onDue: () => void;
  /** Default retention for enterprises without their own. */
  retentionDays: number;
};

type ReplayReader = Readonly<{ enterpriseId: number }>;

/** Use cases of replays. Bound to the caller's enterprise: throws `not_found` for others. */
export type Replays = {
  /** Replays one delivery at once. Throws a conflict if it cannot be replayed. */
  repeat: ReturnType<typeof createRepeat>;
  /**
   * Replays selected deliveries of any webhooks. Those that cannot be replayed are reported and
   * stop no others.
   */
  repeatSelection: ReturnType<typeof createRepeatSelection>;
  /** What a replay with these criteria would create now. Changes nothing. */
  preview(
    reader: ReplayReader,
    subscriptionId: number,
    criteria: ReplayCriteria,
  ): Promise<ReplayPreview>;
  /** Requests a replay of many deliveries. Its task counts and creates them. */
  create(
    actor: Actor,
    subscriptionId: number,
    input: { criteria: ReplayCriteria; rate: number | undefined },
  ): Promise<ReplayWithProgress>;
  list(
    reader: ReplayReader,
    filter: ReplayFilter,
    page: Page,
  ): Promise<{ total: number; replays: ReplayWithProgress[] }>;
  get(reader: ReplayReader, id: number): Promise<ReplayWithProgress>;
  /** Pauses, resumes or cancels. Throws a conflict if the state does not allow it. */
  move(actor: Actor, id: number, action: ReplayAction): Promise<ReplayWithProgress>;
};

export function createReplays(deps: ReplayDeps): Replays {
  const { find, list } = createReads(deps);
  return {
    list,
    get: ({ enterpriseId }, id) => find(deps.db, enterpriseId, id),
    repeat: createRepeat(deps, find),
    repeatSelection: createRepeatSelection(deps),
    create: createMany(deps, find),
    move: createMove(deps, find),
    preview: createPreview(deps),
  };
}

function createMany(
  deps: ReplayDeps,
  find: ReturnType<typeof createReads>["find"],
): Replays["create"] {
  return async (actor, subscriptionId, { criteria, rate = defaultRate }) => {
    const { db, clock, tasks } = deps;
    return inTransaction(db, async (trx) => {
      const target = await lockPushTarget(trx, actor.enterpriseId, subscriptionId);
      if ((await countOpenReplays(trx, subscriptionId)) >= maxOpenReplays) {
        const detail = `Webhook ${subscriptionId} has ${maxOpenReplays} open replays.`;
        throw problem("conflict", detail);
      }
      const replay = await beginReplay(
        trx,
        deps,
        { actor, target },
        {
          criteria,
          matching: await readMatching(trx, subscriptionId),
          rate,
          ...({ state: "counting", total: 0, made: 0 } as const),
          position: startOf({ criteria }),
          lastEventRowId: await findLastEventRowId(trx, actor.enterpriseId),
        },
      );
      await tasks.plan(trx, [replayTask(replay, clock.now())]);
      return find(trx, actor.enterpriseId, replay.id);
    });
  };
}

function createMove(
  deps: ReplayDeps,
  find: ReturnType<typeof createReads>["find"],
): Replays["move"] {
  return async (actor, id, action) => {
    const { db, clock, tasks, audit } = deps;
    return inTransaction(db, async (trx) => {
      const replay = await lockReplay(trx, { enterpriseId: actor.enterpriseId, id });
      if (replay === undefined) {
        throw replayNotFound(id);
      }
      const now = clock.now();
      const state = transitionReplay(replay.state, action);
      await saveReplay(trx, { ...replay, state, ended: state === "cancelled" ? now : null });
      if (state === "cancelled") {
        await cancelFirst(trx, deps, replay, now);
      }
      await tasks.plan(trx, [replayTask(replay, now)]);
      const change = { from: { id, state: replay.state }, to: { id, state } };
      await audit.write(trx, replayEntry(actor, replay.subscriptionId, { replay: change }));
      return find(trx, actor.enterpriseId, id);
    });
  };
}

/** Cancels unattempted deliveries at once; the task cancels the rest, mostly retries. */
const maxCancelledAtOnce = 1_000;

async function cancelFirst(
  trx: Trx,
  { onDue }: ReplayDeps,
  { id, enterpriseId, subscriptionId }: Replay,
  now: Date,
): Promise<void> {
  const target = await lockDeliveryTarget(trx, enterpriseId, subscriptionId);
  if (target !== undefined) {
    await cancelReplayDeliveries(trx, target, { replayId: id, now, limit: maxCancelledAtOnce });
    afterCommit(trx, onDue);
  }
}

function createReads({ db, clock }: ReplayDeps) {
  const recentAfter = (): Date => new Date(clock.now().getTime() - minuteMs);
  const find = async (on: Queryable, enterpriseId: number, id: number) => {
    const found = await findReplay(on, { enterpriseId, id, recentAfter: recentAfter() });
    if (found === undefined) {
      throw replayNotFound(id);
    }
    return found;
  };
  const list: Replays["list"] = ({ enterpriseId }, filter, page) =>
    listReplays(db, { enterpriseId, ...filter, ...page, recentAfter: recentAfter() });
  return { find, list };
}

function replayNotFound(id: number): Error {
  return problem("not_found", `Replay ${id} was not found.`);
}

function createPreview(deps: ReplayDeps): Replays["preview"] {
  const { db, clock, retentionDays } = deps;
  const limiter = createExpensiveQueryLimiter();
  return async ({ enterpriseId }, subscriptionId, criteria) => {
    const target = await readPushTarget(db, enterpriseId, subscriptionId);
    const scope = await currentScope(db, target, { criteria, retentionDays, now: clock.now() });
    return limiter(enterpriseId, () => previewReplay(db, scope, previewMs));
  };
}
