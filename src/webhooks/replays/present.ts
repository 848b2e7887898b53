import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import type { Criteria } from "./criteria.ts";
import type { Preview } from "./preview.ts";
import type { Replay } from "./model.ts";
import type { ReplayedSelection } from "./repeat.ts";
import type { ReplayWithFigures } from "./store.ts";

/** A replay and how far it has come. */
export function presentReplay(both: ReplayWithFigures, now: Date) {
  const { replay, figures } = both;
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
    delivered: replay.made - figures.waiting - figures.dead - figures.cancelled,
    dead: figures.dead,
    cancelled: figures.cancelled,
    waiting: figures.waiting,
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

/** Deliveries made a second, over the last minute or since it started. */
function speedOf({ replay, figures }: ReplayWithFigures, now: Date): number {
  if (replay.state !== "running" || replay.started === null) {
    return 0;
  }
  const since = (figures.recentSince ?? replay.started).getTime();
  const seconds = Math.max(1, Math.min(60, (now.getTime() - since) / 1_000));
  return figures.recent / seconds;
}

function presentCriteria(criteria: Criteria) {
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

/** What will never be made of one that was cancelled, or failed. */
function notMadeOf({ state, started, total, made }: Replay): number | null {
  return (state === "cancelled" || state === "failed") && started !== null
    ? Math.max(0, total - made)
    : null;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/**
 * The share of what was asked for that is over, delivered or not. One that is done ends at 1, some
 * time after the last was made: what had nothing left to send is no part of it. One that was cancelled
 * stays where it was.
 */
function progressOf({ replay, figures }: ReplayWithFigures): number {
  const isDone = replay.state === "done";
  const whole = isDone ? replay.made : replay.started === null ? 0 : replay.total;
  const over = replay.made - figures.waiting;
  return whole <= 0 ? Number(isDone) : Math.min(1, over / whole);
}

/** When the last will have been made, at the present speed. */
function estimatedEndOf({ replay }: ReplayWithFigures, speed: number, now: Date): Date | null {
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

export function presentPreview(preview: Preview) {
  return {
    count: preview.count,
    exact: preview.isExact,
    skipped: preview.skipped,
    oldest: toTimestampOrNull(preview.oldest),
    newest: toTimestampOrNull(preview.newest),
    examples: preview.examples,
  };
}
