/**
 * In: the time since when a receiver lost events. Out: a replay of all undelivered events, and all
 * retries since then due now.
 * Guarantee: one delivery per event, however often the recovery is requested: only one recovery
 * runs at a time, and events with a new delivery are no longer undelivered.
 * On crash: the task of the replay continues where it was.
 */
import { problem, invalidParameter } from "../../contracts/problems.ts";
import { countRetriesSince, probeNow } from "../../pipeline/ledger/retry-now.ts";
import type { Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type Actor, actorOf } from "../../http/authorize.ts";
import { createExpensiveQueryLimiter } from "../../http/limits.ts";
import { beginReplay, currentScope } from "./begin.ts";
import { lockPushTarget, readPushTarget } from "../delivery-target.ts";
import { criteriaOfRecovery, refuseFuture } from "./criteria.ts";
import {
  defaultRate,
  maxOpenReplays,
  type Replay,
  recoverySchema,
  type RecoveryBody,
} from "./model.ts";
import { previewMs, previewReplay, type ReplayPreview, expediteNext, retriesOf } from "./walk.ts";
import type { ReplayDeps } from "./service.ts";
import { replayTask } from "./step.ts";
import {
  countOpenReplays,
  findLastEventRowId,
  findReplay,
  hasOpenRecovery,
  readMatching,
  saveReplay,
  type ReplayWithProgress,
} from "./store.ts";
import { ok, route, type Route } from "../../http/route.ts";
import { parseBound } from "../../http/values.ts";
import type { Clock } from "../../platform/clock.ts";
import { webhookParams, type WebhookParams } from "../../http/schema.ts";
import { recoveryAnswer, recoveryPreviewAnswer, presentPreview, presentReplay } from "./present.ts";
import { afterCommit } from "../../platform/db/open-transaction.ts";

/** Retries are counted up to this number. */
const maxCountedRetries = 10_000;

export type PendingRetries = { count: number; isMore: boolean };

/** Recovers everything undelivered since a time. Bound to the caller's enterprise. */
export type Recoveries = {
  /** What a recovery would do now. Changes nothing. */
  preview(
    reader: Readonly<{ enterpriseId: number }>,
    subscriptionId: number,
    since: Date,
  ): Promise<{ preview: ReplayPreview; retries: PendingRetries }>;
  start(
    actor: Actor,
    subscriptionId: number,
    input: { since: Date; rate: number | undefined },
  ): Promise<ReplayWithProgress & { retries: PendingRetries }>;
};

export function createRecoveries(deps: ReplayDeps): Recoveries {
  return {
    preview: createPreview(deps),
    start: createStart(deps),
  };
}

function createPreview({ db, clock, retentionDays }: ReplayDeps): Recoveries["preview"] {
  const limiter = createExpensiveQueryLimiter();
  return async ({ enterpriseId }, subscriptionId, since) => {
    const target = await readPushTarget(db, enterpriseId, subscriptionId);
    const criteria = criteriaOfRecovery(since);
    const scope = await currentScope(db, target, { criteria, retentionDays, now: clock.now() });
    return limiter(enterpriseId, async () => ({
      preview: await previewReplay(db, scope, previewMs),
      retries: toCount(await countRetriesSince(db, retriesOf(scope), maxCountedRetries + 1)),
    }));
  };
}

function createStart(deps: ReplayDeps): Recoveries["start"] {
  return async (actor, subscriptionId, { since, rate = defaultRate }) => {
    const { db, clock, tasks, onDue } = deps;
    return inTransaction(db, async (trx) => {
      const target = await lockPushTarget(trx, actor.enterpriseId, subscriptionId);
      await checkCanRecover(trx, subscriptionId, target.isActive);
      const replay = await beginReplay(
        trx,
        deps,
        { actor, target },
        {
          criteria: criteriaOfRecovery(since),
          matching: await readMatching(trx, subscriptionId),
          rate,
          ...({ state: "counting", total: 0, made: 0 } as const),
          position: { phase: "retries", position: 0 },
          lastEventRowId: await findLastEventRowId(trx, actor.enterpriseId),
        },
      );
      const now = clock.now();
      const retries = await expediteFirst(trx, deps, replay, now);
      await tasks.plan(trx, [replayTask(replay, now)]);
      afterCommit(trx, onDue);
      const recentAfter = replay.created;
      const found = await findReplay(trx, { ...actor, id: replay.id, recentAfter });
      if (found === undefined) {
        throw new Error("The replay was not found");
      }
      return { ...found, retries };
    });
  };
}

async function checkCanRecover(trx: Trx, id: number, isActive: boolean): Promise<void> {
  if (!isActive) {
    const detail = `Webhook ${id} is disabled. Enable it first: its waiting deliveries are then sent.`;
    throw problem("conflict", detail);
  }
  if (await hasOpenRecovery(trx, id)) {
    throw problem("conflict", `A recovery of webhook ${id} is already running.`);
  }
  if ((await countOpenReplays(trx, id)) >= maxOpenReplays) {
    throw problem("conflict", `Webhook ${id} already has ${maxOpenReplays} open replays.`);
  }
}

/** Expedites the first retries before the answer; the task expedites the rest. */
async function expediteFirst(
  trx: Trx,
  deps: ReplayDeps,
  replay: Replay,
  now: Date,
): Promise<PendingRetries> {
  const retries = toCount(await countRetriesSince(trx, retriesOf(replay), maxCountedRetries + 1));
  await saveReplay(trx, { ...replay, position: await expediteNext(trx, deps, replay, now) });
  await probeNow(trx, [replay.subscriptionId], now);
  return retries;
}

function toCount(found: number): PendingRetries {
  return {
    count: Math.min(found, maxCountedRetries),
    isMore: found > maxCountedRetries,
  };
}

const reading = { permission: "webhooks.read", family: "platform", limit: "api" } as const;

/** The operations of recoveries. */
export function recoveryRoutes({
  recoveries,
  clock,
}: Readonly<{ recoveries: Recoveries; clock: Clock }>): Route[] {
  return [
    route<WebhookParams, unknown, RecoveryBody>({
      ...reading,
      permission: "webhooks.write",
      method: "POST",
      path: "/webhooks/{webhookId}/recover",
      operationId: "recoverWebhook",
      summary: "Retry or replay everything that was not delivered since a given time",
      params: webhookParams,
      body: recoverySchema,
      transport: "any",
      answer: { status: 202, schema: recoveryAnswer },
      problems: ["conflict"],
      handle: async (request) => {
        const { params, body } = request;
        const input = { since: sinceOf(body, clock.now()), rate: body.rate };
        const started = await recoveries.start(actorOf(request), params.webhookId, input);
        return {
          status: 202,
          body: {
            ...presentReplay(started, clock.now()),
            retries: presentRetries(started.retries),
          },
          headers: { Location: `/api/webhooks/replays/${started.replay.id}` },
        };
      },
    }),
    route<WebhookParams, unknown, RecoveryBody>({
      ...reading,
      method: "POST",
      path: "/webhooks/{webhookId}/recover/preview",
      operationId: "previewWebhookRecovery",
      summary: "Preview a recovery",
      params: webhookParams,
      body: recoverySchema,
      transport: "any",
      answer: { status: 200, schema: recoveryPreviewAnswer },
      problems: ["conflict"],
      handle: async ({ caller, params, body }) => {
        const found = await recoveries.preview(
          caller,
          params.webhookId,
          sinceOf(body, clock.now()),
        );
        return ok({ ...presentPreview(found.preview), retries: presentRetries(found.retries) });
      },
    }),
  ];
}

function sinceOf({ since }: RecoveryBody, now: Date): Date {
  const date = parseBound("since", since);
  if (date === undefined) {
    throw invalidParameter(
      "since",
      "required",
      "The since field is required: the time since which events were not delivered.",
    );
  }
  refuseFuture(date, now);
  return date;
}

function presentRetries({ count, isMore }: PendingRetries) {
  return { count, more: isMore };
}
