import { problem } from "../../contracts/problems.ts";
import type { Page } from "../../http/paging.ts";
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, type Db, type Queryable, type Trx } from "../../platform/db/pool.ts";
import type { Tasks } from "../../platform/tasks/task.ts";
import {
  enlist,
  lockTarget,
  readTarget,
  withdraw,
  type EnlistTarget,
} from "../../pipeline/ledger/enlist.ts";
import type { Actor, Audit } from "../audit.ts";
import { notFound } from "../require.ts";
import { createQuestions } from "../questions.ts";
import { beginReplay, replayEntry } from "./begin.ts";
import { criteriaOfOne, type Criteria } from "./criteria.ts";
import {
  defaultRate,
  mostOpenReplays,
  moveReplay,
  type Replay,
  type ReplayAction,
} from "./model.ts";
import { previewReplay, type Preview } from "./preview.ts";
import { replayTask } from "./step.ts";
import {
  countOpenReplays,
  findLastEventId,
  findRepeatable,
  findReplay,
  listReplays,
  lockReplay,
  readLogSince,
  readMatching,
  saveReplay,
  type Repeatable,
  type ReplayWithFigures,
} from "./store.ts";
import { startOf } from "./walk.ts";

export type ReplayDeps = {
  db: Db;
  clock: Clock;
  tasks: Tasks;
  audit: Audit;
  /** Called after a commit that made something due: wakes the schedule. Only haste. */
  onDue: () => void;
  /** How long the log is kept where an enterprise has not said otherwise. */
  retentionDays: number;
};

type Reader = Readonly<{ enterpriseId: number }>;

/** Use cases of replays. Everything is bound to the caller's enterprise: else 404. */
export type Replays = {
  /** Repeats one delivery at once. Throws the conflict where that cannot be. */
  repeat(
    actor: Actor,
    subscriptionId: number,
    deliveryId: number,
  ): Promise<ReplayWithFigures & { deliveryId: number }>;
  /** What a replay by these criteria would make now. Changes nothing. */
  preview(reader: Reader, subscriptionId: number, criteria: Criteria): Promise<Preview>;
  /** Asks for a replay of many. It is counted and made by its task. */
  create(
    actor: Actor,
    subscriptionId: number,
    given: { criteria: Criteria; rate: number | undefined },
  ): Promise<ReplayWithFigures>;
  list(reader: Reader, page: Page): Promise<{ total: number; replays: ReplayWithFigures[] }>;
  get(reader: Reader, id: number): Promise<ReplayWithFigures>;
  /** Pauses, resumes or cancels. Throws the conflict of a state that does not allow it. */
  move(actor: Actor, id: number, action: ReplayAction): Promise<ReplayWithFigures>;
};

const previewMs = 5_000;
const minuteMs = 60_000;

const refusePull = ({ mode }: EnlistTarget): void => {
  if (mode === "pull") {
    const detail =
      "A webhook that is pulled keeps its events: ask for them again from an older cursor.";
    throw problem("conflict", detail);
  }
};

const lockPushed = async (
  trx: Trx,
  { enterpriseId }: Reader,
  subscriptionId: number,
): Promise<EnlistTarget> => {
  const target = await lockTarget(trx, enterpriseId, subscriptionId);
  if (target === undefined) {
    throw notFound(subscriptionId);
  }
  refusePull(target);
  return target;
};

/** Why a delivery cannot be repeated. Pure. */
const refusalOf = (found: Repeatable): string | undefined => {
  const { id, liveDeliveryId } = found;
  if (liveDeliveryId === id) {
    return `Delivery ${id} is ${found.state}: it is still being tried.`;
  }
  if (liveDeliveryId !== null) {
    return `The event of delivery ${id} is still being tried, as delivery ${liveDeliveryId}.`;
  }
  if (!found.isEventKept) {
    return `The event of delivery ${id} is no longer kept.`;
  }
  return found.isExpunged ? `The content of the event of delivery ${id} was removed.` : undefined;
};

const requireRepeatable = async (
  trx: Trx,
  subscriptionId: number,
  deliveryId: number,
): Promise<Repeatable> => {
  const found = await findRepeatable(trx, subscriptionId, deliveryId);
  if (found === undefined) {
    throw problem("not_found", `Delivery ${deliveryId} was not found.`);
  }
  const refusal = refusalOf(found);
  if (refusal !== undefined) {
    throw problem("conflict", refusal);
  }
  return found;
};

const replayNotFound = (id: number): Error => problem("not_found", `Replay ${id} was not found.`);

const createReading = ({ db, clock }: ReplayDeps) => {
  const recentAfter = (): Date => new Date(clock.now().getTime() - minuteMs);
  const find = async (on: Queryable, enterpriseId: number, id: number) => {
    const found = await findReplay(on, { enterpriseId, id, recentAfter: recentAfter() });
    if (found === undefined) {
      throw replayNotFound(id);
    }
    return found;
  };
  const list: Replays["list"] = ({ enterpriseId }, page) =>
    listReplays(db, { enterpriseId, ...page, recentAfter: recentAfter() });
  return { find, list };
};

const createRepeat =
  (deps: ReplayDeps, find: ReturnType<typeof createReading>["find"]): Replays["repeat"] =>
  async (actor, subscriptionId, deliveryId) => {
    const { db, clock, onDue } = deps;
    return inTransaction(db, async (trx) => {
      const target = await lockPushed(trx, actor, subscriptionId);
      const found = await requireRepeatable(trx, subscriptionId, deliveryId);
      const replay = await beginReplay(
        trx,
        deps,
        { actor, target },
        {
          criteria: criteriaOfOne(deliveryId),
          matching: { filters: [], conditions: null },
          rate: defaultRate,
          ...({ state: "done", total: 1, made: 1 } as const),
          place: { phase: "end", position: 0 },
          lastEventId: found.eventId,
        },
      );
      const options = { replayId: replay.id, now: clock.now() };
      const [made] = await enlist(trx, target, options, [{ ...found, replayOf: deliveryId }]);
      if (made === undefined) {
        throw new Error("The delivery was not made");
      }
      void trx.executionPromise.then(onDue, () => undefined);
      return { ...(await find(trx, actor.enterpriseId, replay.id)), deliveryId: made.id };
    });
  };

const createMany =
  (deps: ReplayDeps, find: ReturnType<typeof createReading>["find"]): Replays["create"] =>
  async (actor, subscriptionId, { criteria, rate = defaultRate }) => {
    const { db, clock, tasks } = deps;
    return inTransaction(db, async (trx) => {
      const target = await lockPushed(trx, actor, subscriptionId);
      if ((await countOpenReplays(trx, subscriptionId)) >= mostOpenReplays) {
        const detail = `Webhook ${subscriptionId} has ${mostOpenReplays} replays that are not over.`;
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
          place: startOf({ criteria }),
          lastEventId: await findLastEventId(trx, actor.enterpriseId),
        },
      );
      await tasks.plan(trx, [replayTask(replay, clock.now())]);
      return find(trx, actor.enterpriseId, replay.id);
    });
  };

/** As many as are made ahead: what is left, retries mostly, is the task's. */
const takenBackAtOnce = 1_000;

const takeBackFirst = async (
  trx: Trx,
  { onDue }: ReplayDeps,
  { id, enterpriseId, subscriptionId }: Replay,
  now: Date,
): Promise<void> => {
  const target = await lockTarget(trx, enterpriseId, subscriptionId);
  if (target !== undefined) {
    await withdraw(trx, target, { replayId: id, now, limit: takenBackAtOnce });
    void trx.executionPromise.then(onDue, () => undefined);
  }
};

const createMove =
  (deps: ReplayDeps, find: ReturnType<typeof createReading>["find"]): Replays["move"] =>
  async (actor, id, action) => {
    const { db, clock, tasks, audit } = deps;
    return inTransaction(db, async (trx) => {
      const replay = await lockReplay(trx, { enterpriseId: actor.enterpriseId, id });
      if (replay === undefined) {
        throw replayNotFound(id);
      }
      const now = clock.now();
      const state = moveReplay(replay.state, action);
      await saveReplay(trx, { ...replay, state, ended: state === "cancelled" ? now : null });
      if (state === "cancelled") {
        await takeBackFirst(trx, deps, replay, now);
      }
      await tasks.plan(trx, [replayTask(replay, now)]);
      const change = { from: { id, state: replay.state }, to: { id, state } };
      await audit.write(trx, replayEntry(actor, replay.subscriptionId, { replay: change }));
      return find(trx, actor.enterpriseId, id);
    });
  };

const createPreview = (deps: ReplayDeps): Replays["preview"] => {
  const { db, clock, retentionDays } = deps;
  const ask = createQuestions();
  return async ({ enterpriseId }, subscriptionId, criteria) => {
    const target = await readTarget(db, enterpriseId, subscriptionId);
    if (target === undefined) {
      throw notFound(subscriptionId);
    }
    refusePull(target);
    const now = clock.now();
    const scope = {
      ...{ enterpriseId, subscriptionId, criteria },
      matching: await readMatching(db, subscriptionId),
      lastSequence: target.lastSequence,
      lastEventId: await findLastEventId(db, enterpriseId),
      created: now,
      logSince: await readLogSince(db, enterpriseId, { retentionDays, now }),
    };
    return ask(enterpriseId, () => previewReplay(db, scope, previewMs));
  };
};

export const createReplays = (deps: ReplayDeps): Replays => {
  const { find, list } = createReading(deps);
  return {
    list,
    get: ({ enterpriseId }, id) => find(deps.db, enterpriseId, id),
    repeat: createRepeat(deps, find),
    create: createMany(deps, find),
    move: createMove(deps, find),
    preview: createPreview(deps),
  };
};
