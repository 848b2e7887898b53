import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import { replayStates, replayStatuses } from "../../contracts/deliveries.ts";
import type { ReplayCriteria } from "./criteria.ts";
import type { ReplayPreview } from "./walk.ts";
import type { Replay } from "./model.ts";
import type { ReplayedSelection } from "./begin.ts";
import type { ReplayWithProgress } from "./store.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../../http/schema.ts";

/** The answer schemas of replays. */
const criteriaAnswer = exactObject("WebhookReplayCriteria", {
  since: nullableTimestamp,
  until: nullableTimestamp,
  status: { type: "array", items: { type: "string", enum: replayStatuses } },
  object: nullableText,
  eventType: nullableText,
  result: nullableText,
  delivery: nullableInteger,
  deliveries: { type: "array", items: integer },
  undelivered: flag,
});

const members = {
  id: integer,
  webhook: integer,
  state: { type: "string", enum: replayStates },
  criteria: criteriaAnswer,
  rate: integer,
  total: nullableInteger,
  made: integer,
  skipped: nullableInteger,
  not_made: nullableInteger,
  delivered: integer,
  dead: integer,
  cancelled: integer,
  waiting: integer,
  progress: { type: "number", minimum: 0, maximum: 1 },
  deliveries_per_second: { type: "number", minimum: 0 },
  estimated_end: nullableTimestamp,
  created: timestamp,
  started: nullableTimestamp,
  ended: nullableTimestamp,
  error: nullableText,
  created_by: nullableInteger,
};

export const replayAnswer = exactObject("WebhookReplay", members);

export const repeatedAnswer = exactObject("RepeatedWebhookDelivery", {
  ...members,
  delivery_id: integer,
});

export const selectionAnswer = exactObject("ReplayedWebhookDeliveries", {
  replayed: {
    type: "array",
    items: exactObject("ReplayedWebhookDelivery", { id: integer, delivery_id: integer }),
  },
  refused: {
    type: "array",
    items: exactObject("RefusedWebhookDelivery", { id: integer, detail: text }),
  },
  replays: { type: "array", items: integer },
});

/** A recovery, with the number of expedited retries. */
export const recoveryAnswer = exactObject("WebhookRecovery", {
  ...members,
  retries: exactObject("WebhookRecoveryRetries", { count: integer, more: flag }),
});

export const replayListAnswer = listOf("WebhookReplayList", replayAnswer);

const previewMembers = {
  count: integer,
  exact: flag,
  skipped: integer,
  oldest: nullableTimestamp,
  newest: nullableTimestamp,
  examples: { type: "array", items: text },
};

export const previewAnswer = exactObject("WebhookReplayPreview", previewMembers);

export const recoveryPreviewAnswer = exactObject("WebhookRecoveryPreview", {
  ...previewMembers,
  retries: exactObject("WebhookRecoveryRetries", { count: integer, more: flag }),
});

/** A replay and its progress. */
export function presentReplay(both: ReplayWithProgress, now: Date) {
  const { replay, progress } = both;
  const speed = speedOf(both, now);
  return {
    id: replay.id,
    webhook: replay.subscriptionId,
    state: replay.state,
    criteria: presentCriteria(replay.criteria),
    rate: replay.rate,
    total: replay.started === null ? null : replay.total,
    made: replay.made,
    skipped: replay.state === "done" ? Math.max(0, replay.total - replay.made) : null,
    not_made: notMadeOf(replay),
    delivered: replay.made - progress.waiting - progress.dead - progress.cancelled,
    dead: progress.dead,
    cancelled: progress.cancelled,
    waiting: progress.waiting,
    progress: round(progressOf(both), 4),
    deliveries_per_second: round(speed, 1),
    estimated_end: toTimestampOrNull(estimatedEndOf(both, speed, now)),
    created: toTimestamp(replay.created),
    started: toTimestampOrNull(replay.started),
    ended: toTimestampOrNull(replay.ended),
    error: replay.error,
    created_by: replay.createdBy,
  };
}

/** Deliveries created per second, over the last minute or since the start. */
function speedOf({ replay, progress }: ReplayWithProgress, now: Date): number {
  if (replay.state !== "running" || replay.started === null) {
    return 0;
  }
  const since = (progress.recentSince ?? replay.started).getTime();
  const seconds = Math.max(1, Math.min(60, (now.getTime() - since) / 1_000));
  return progress.recent / seconds;
}

function presentCriteria(criteria: ReplayCriteria) {
  return {
    since: toTimestampOrNull(criteria.since),
    until: toTimestampOrNull(criteria.until),
    status: criteria.statuses,
    object: criteria.object,
    eventType: criteria.eventType,
    result: criteria.result,
    delivery: criteria.deliveryId,
    deliveries: criteria.deliveryIds,
    undelivered: criteria.isUndelivered,
  };
}

/** Deliveries that a cancelled or failed replay never creates. */
function notMadeOf({ state, started, total, made }: Replay): number | null {
  return (state === "cancelled" || state === "failed") && started !== null
    ? Math.max(0, total - made)
    : null;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/**
 * The share of the total that has ended, delivered or not. A completed replay reaches 1 only when
 * its last delivery has ended; events without content do not count. A cancelled replay keeps its
 * progress.
 */
function progressOf({ replay, progress }: ReplayWithProgress): number {
  const isDone = replay.state === "done";
  const whole = isDone ? replay.made : replay.started === null ? 0 : replay.total;
  const over = replay.made - progress.waiting;
  return whole <= 0 ? Number(isDone) : Math.min(1, over / whole);
}

/** The estimated end, at the current speed. */
function estimatedEndOf({ replay }: ReplayWithProgress, speed: number, now: Date): Date | null {
  return speed === 0
    ? null
    : new Date(now.getTime() + (Math.max(0, replay.total - replay.made) / speed) * 1_000);
}

export function presentSelection({ made, refused, replayIds }: ReplayedSelection) {
  return {
    replayed: made.map(({ id, deliveryId }) => ({ id, delivery_id: deliveryId })),
    refused,
    replays: replayIds,
  };
}

export function presentPreview(preview: ReplayPreview) {
  return {
    count: preview.count,
    exact: preview.isExact,
    skipped: preview.skipped,
    oldest: toTimestampOrNull(preview.oldest),
    newest: toTimestampOrNull(preview.newest),
    examples: preview.examples,
  };
}
