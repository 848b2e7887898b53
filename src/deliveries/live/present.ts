/** The live view as messages. Pure. */
import { percentilesOf } from "../../pipeline/ledger/attempt-tallies.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import { presentObjectId } from "../../http/schema.ts";
import { receiverHealthOf, type HealthState } from "../../contracts/subscriptions.ts";
import type {
  SubscriptionBacklog,
  WaitingCount,
} from "../../pipeline/ledger/queries/backlog-counts.ts";
import type { SettledAttempt, LiveWebhookRow } from "../../pipeline/ledger/queries/live.ts";
import { ratesOf, ratesOfWebhook, timesOf, type TimeBucket, type LiveView } from "./view.ts";

type PresentedWebhook = ReturnType<typeof presentWebhook>;

/** The update of each second: the current state and the last interval. */
export function presentUpdate(view: LiveView, now: Date) {
  return {
    ...presentState(view, now),
    buckets: view.buckets.slice(-1).map(presentBucket),
  };
}

/** The snapshot: everything a page needs to draw. */
export function presentSnapshot(view: LiveView, now: Date) {
  return {
    ...presentState(view, now),
    buckets: view.buckets.map(presentBucket),
  };
}

/** Common to snapshots and updates. */
function presentState(view: LiveView, now: Date) {
  const { delivered, failed, retried } = ratesOf(view);
  const times = timesOf(view);
  const { counted } = view;
  const webhooks = view.webhooks.map((row) => presentWebhook(view, row, now)).toSorted(bySeverity);
  const [well, failing] = [webhooks.filter(isHealthy), webhooks.filter(isFailing)];
  return {
    at: toTimestamp(now),
    attempts_per_second: Math.round((delivered + failed) * 10) / 10,
    delivered_per_second: delivered,
    failed_per_second: failed,
    retried_per_second: retried,
    latency_ms: percentilesOf(times.latencies),
    answer_ms: percentilesOf(times.answers),
    in_flight: webhooks.reduce((sum, one) => sum + one.in_flight, 0),
    waiting: sumOf(webhooks.map((one) => one.waiting)),
    waiting_about: aboutOf(webhooks),
    past_due: sumOf([...well, ...failing].map((one) => one.past_due)),
    past_due_ours: sumOf(well.map((one) => one.past_due)),
    past_due_failing: sumOf(failing.map((one) => one.past_due)),
    oldest_waiting_seconds: oldestOf([...well, ...failing]),
    oldest_ours_seconds: oldestOf(well),
    relay_behind_seconds: relayBehind(counted, now),
    paused: sumOf(webhooks.map((one) => one.paused)),
    dead_today: counted.deadToday,
    counted: toTimestamp(counted.at),
    counted_seconds_ago: ageSeconds(counted.at, now) ?? 0,
    webhooks,
    tail: view.tail.map(presentAttempt),
    left_out: view.leftOut,
  };
}

const emptyBacklog: SubscriptionBacklog = {
  inFlight: 0,
  waiting: { count: 0, more: false },
  pastDue: { count: 0, more: false },
  paused: { count: 0, more: false },
  about: null,
  oldestDue: null,
};

function presentWebhook(view: LiveView, row: LiveWebhookRow, now: Date) {
  const { state, window, next_probe, throttled_until, last_code, last_error } = healthOf(row, now);
  const backlog = view.counted.backlogs.get(row.id) ?? emptyBacklog;
  const { delivered, failed, retried } = ratesOfWebhook(view, row.id);
  return {
    ...{ id: row.id, name: row.name, state, window },
    has_attempts: row.has_attempts,
    failing_since: toTimestampOrNull(row.failing_since),
    ...{ next_probe, throttled_until, last_code, last_error },
    in_flight: backlog.inFlight,
    waiting: backlog.waiting,
    waiting_about: backlog.about,
    past_due: backlog.pastDue,
    paused: backlog.paused,
    oldest_waiting_seconds: ageSeconds(backlog.oldestDue, now),
    to_pull: row.mode === "pull" ? Math.max(0, row.last_sequence - row.pulled_to) : null,
    delivered_per_second: delivered,
    failed_per_second: failed,
    retried_per_second: retried,
  };
}

function healthOf(row: LiveWebhookRow, asOf: Date) {
  const { state, window, throttledUntil, nextProbe } = receiverHealthOf({
    mode: row.mode,
    isActive: row.is_active,
    maxInFlight: row.max_in_flight,
    failingSince: row.failing_since,
    asOf,
    health: {
      windowSize: row.window_size,
      throttledUntil: row.throttled_until,
      probeAt: row.probe_at,
    },
  });
  return {
    state,
    window,
    next_probe: toTimestampOrNull(nextProbe),
    throttled_until: toTimestampOrNull(throttledUntil),
    last_code: row.failure_status,
    last_error: row.failure,
  };
}

/** Sorted by severity. */
const severityOf: Readonly<Record<HealthState, number>> = {
  open: 0,
  failing: 1,
  throttled: 2,
  ok: 3,
  pull: 4,
  off: 5,
};

function bySeverity(a: PresentedWebhook, b: PresentedWebhook): number {
  return (
    severityOf[a.state] - severityOf[b.state] ||
    b.past_due.count - a.past_due.count ||
    b.failed_per_second - a.failed_per_second ||
    a.id - b.id
  );
}

/** The receiver accepts requests, so a delay is ours. */
function isHealthy({ state }: PresentedWebhook): boolean {
  return state === "ok";
}

function isFailing({ state }: PresentedWebhook): boolean {
  return state === "open" || state === "failing" || state === "throttled";
}

function sumOf(counts: readonly WaitingCount[]): WaitingCount {
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    more: counts.some(({ more }) => more),
  };
}

function aboutOf(webhooks: readonly PresentedWebhook[]): number | null {
  return webhooks.some(({ waiting_about }) => waiting_about !== null)
    ? webhooks.reduce((sum, one) => sum + (one.waiting_about ?? one.waiting.count), 0)
    : null;
}

function oldestOf(webhooks: readonly PresentedWebhook[]): number | null {
  const ages = webhooks.flatMap(({ oldest_waiting_seconds: age }) => age ?? []);
  return ages.length === 0 ? null : Math.max(...ages);
}

/** The relay needs milliseconds, so a short time is no delay. */
const relayGraceSeconds = 5;

function relayBehind({ oldestEvent }: LiveView["counted"], now: Date): number | null {
  const age = ageSeconds(oldestEvent, now);
  return age === null || age < relayGraceSeconds ? null : age;
}

function ageSeconds(from: Date | null, now: Date): number | null {
  return from === null ? null : Math.max(0, Math.round((now.getTime() - from.getTime()) / 1_000));
}

function presentAttempt(attempt: SettledAttempt) {
  const { webhook, delivery, sequence, object, number, started, ms, code, error } = attempt;
  return {
    ...{ webhook, delivery, sequence, object, number },
    event: attempt.event,
    event_type: attempt.event_type,
    object_id: attempt.object_id === null ? null : presentObjectId(attempt.object_id),
    ticket: ticketOf(attempt.key),
    started: toTimestamp(new Date(started * 1_000)),
    ...{ ms, code, error },
    gave_up: attempt.is_dead,
  };
}

/** The ticket of an event: its object, or the owner of the timeline. */
function ticketOf(key: string): number | null {
  const [, id] = /^ticket:(\d+)$/u.exec(key) ?? [];
  return id === undefined ? null : Number(id);
}

function presentBucket({ at, seconds, tally }: TimeBucket) {
  return {
    at: toTimestamp(at),
    seconds: Math.round(seconds * 1_000) / 1_000,
    delivered: tally.delivered,
    failed: tally.failed,
    retried: tally.retried,
    dead: tally.dead,
    latency_ms: percentilesOf(tally.latencies),
    answer_ms: percentilesOf(tally.answers),
  };
}
