import { expect } from "chai";
import {
  afterLoss,
  afterPause,
  afterView,
  firstState,
  shrunkFrom,
  type LiveState,
} from "../../../../../web/console/deliveries/live/state.ts";
import type {
  Bucket,
  LiveAttempt,
  LiveView,
  LiveWebhook,
} from "../../../../../web/console/deliveries/live/types.ts";

const start = Date.parse("2026-11-22T14:00:00Z");
function at(second: number): string {
  return new Date(start + second * 1_000).toISOString();
}
const none = { p50: null, p95: null, p99: null };
const nothing = { count: 0, more: false };

function aBucket(second: number, more: Partial<Bucket> = {}): Bucket {
  return {
    ...{ at: at(second), seconds: 1, delivered: 10, failed: 2, retried: 1, dead: 1 },
    ...{ latency_ms: none, answer_ms: none },
    ...more,
  };
}

function aWebhook(window: number): LiveWebhook {
  return {
    ...{
      id: 7,
      name: "CRM",
      state: "ok",
      window,
      has_attempts: true,
      failing_since: null,
      next_probe: null,
    },
    ...{
      throttled_until: null,
      last_code: null,
      last_error: null,
      in_flight: 0,
      waiting: nothing,
      waiting_about: null,
    },
    ...{ past_due: nothing, paused: nothing, oldest_waiting_seconds: null, to_pull: null },
    ...{ delivered_per_second: 0, failed_per_second: 0, retried_per_second: 0 },
  };
}

function anAttempt(delivery: number, number = 1): LiveAttempt {
  return {
    ...{ webhook: 7, delivery, sequence: delivery, object: "ticket", number, started: at(0) },
    ...{ event: "update", event_type: null, object_id: 1, ticket: 1 },
    ...{ ms: 20, code: 200, error: null, gave_up: false },
  };
}

function aView(second: number, more: Partial<LiveView> = {}): LiveView {
  return {
    ...{ at: at(second), attempts_per_second: 12, delivered_per_second: 10, failed_per_second: 2 },
    ...{ retried_per_second: 1, latency_ms: none, answer_ms: none, in_flight: 3 },
    ...{ waiting: nothing, waiting_about: null, past_due: nothing, oldest_waiting_seconds: null },
    ...{
      past_due_ours: nothing,
      past_due_failing: nothing,
      oldest_ours_seconds: null,
      relay_behind_seconds: null,
    },
    ...{ paused: nothing, dead_today: 0, counted: at(second), counted_seconds_ago: 0 },
    ...{ webhooks: [aWebhook(8)], tail: [], left_out: 0, buckets: [aBucket(second)] },
    ...more,
  };
}

function watched(views: readonly LiveView[], state: LiveState = firstState): LiveState {
  return views.reduce((now, view) => afterView(now, { view, isWhole: false, cameAt: 0 }), state);
}

describe("the state of the live page", () => {
  it("is bounded: an hour takes no more memory than five minutes", () => {
    const views = Array.from({ length: 3_600 }, (_, second) =>
      aView(second, {
        tail: Array.from({ length: 20 }, (__, n) => anAttempt(second * 20 + n)),
        left_out: 1_980,
      }),
    );
    const state = watched(views);
    expect(state.buckets).to.have.length(300);
    expect(state.buckets.at(-1)?.at).to.equal(at(3_599));
    expect(state.gauges).to.have.length(300);
    expect(state.tail).to.have.length(60);
    expect(state.tail[0]?.delivery).to.equal(3_599 * 20);
    expect(state.windows.get(7)).to.have.length(60);
    expect(state.seen).to.equal(3_600 * 2_000);
  });

  it("is reset by a snapshot, and contains no attempt twice", () => {
    const before = watched([aView(1, { tail: [anAttempt(1)] }), aView(2)]);
    const view = aView(3, {
      tail: [anAttempt(1, 2), anAttempt(1)],
      buckets: [aBucket(-10, { seconds: 10 }), aBucket(3)],
    });
    const state = afterView(before, { view, isWhole: true, cameAt: 0 });
    expect(state.buckets.map((bucket) => bucket.at)).to.deep.equal([at(-10), at(3)]);
    expect(state.tail.map(({ number }) => number)).to.deep.equal([2, 1]);
    expect(state.seen).to.equal(2);
  });

  it("merges two intervals of the same second, since charts have whole seconds", () => {
    const state = watched([aView(1), aView(1)]);
    expect(state.buckets).to.have.length(1);
    expect(state.buckets[0]).to.include({ seconds: 2, delivered: 20, failed: 4, dead: 2 });
  });

  it("keeps the previous size of a reduced concurrency window until it has recovered", () => {
    const views = [20, 10, 5].map((window, n) => aView(n, { webhooks: [aWebhook(window)] }));
    expect(shrunkFrom(watched(views), 7)).to.equal(20);
    expect(shrunkFrom(watched([...views, aView(4, { webhooks: [aWebhook(20)] })]), 7)).to.equal(
      undefined,
    );
    expect(shrunkFrom(watched([...views, aView(4, { webhooks: [] })]), 7)).to.equal(undefined);
  });

  it("is kept while the connection is lost, and live again with the next view", () => {
    const live = watched([aView(1)]);
    const lost = afterLoss(live, { problem: undefined, isFinal: false });
    expect(lost.connection.is).to.equal("lost");
    expect(lost.view).to.equal(live.view);
    expect(watched([aView(2)], lost).connection.is).to.equal("live");
    expect(afterLoss(live, { problem: undefined, isFinal: true }).connection.is).to.equal(
      "refused",
    );
    expect(afterPause(live).connection.is).to.equal("lost");
    expect(afterPause(firstState).connection.is).to.equal("connecting");
  });
});
