import { expect } from "chai";
import {
  assessPastDue,
  assessWaiting,
  assessWebhook,
} from "../../../../../web/console/deliveries/live/assess.ts";
import type { LiveView, LiveWebhook } from "../../../../../web/console/deliveries/live/types.ts";

function count(number: number) {
  return { count: number, more: false };
}

const now = Date.UTC(2026, 10, 23, 12, 0, 0);

type Late = {
  ours?: number;
  failing?: number;
  waiting?: number;
  forSeconds?: number;
  /** Deliveries that wait for a failing receiver, due or not. */
  held?: number;
  relaySeconds?: number;
};

function view(late: Late) {
  const { ours = 0, failing = 0, waiting = ours + failing, forSeconds = 90 } = late;
  const { held = failing, relaySeconds } = late;
  const failing_since = new Date(now - forSeconds * 1_000).toISOString();
  return {
    at: new Date(now).toISOString(),
    waiting: count(waiting),
    past_due: count(ours + failing),
    past_due_ours: count(ours),
    past_due_failing: count(failing),
    oldest_waiting_seconds: ours + failing === 0 ? null : forSeconds,
    oldest_ours_seconds: ours === 0 ? null : forSeconds,
    relay_behind_seconds: relaySeconds ?? null,
    webhooks: [
      { state: "ok", waiting: count(ours), failing_since: null },
      { state: "failing", waiting: count(held), failing_since },
    ],
  } as LiveView;
}

describe("the assessment of the live tiles", () => {
  it("is healthy only if no webhook is late", () => {
    expect(assessPastDue(view({}))).to.deep.equal({ meaning: "good", word: "none" });
    expect(assessWaiting(view({}))).to.deep.equal({ meaning: "good", word: "nothing" });
    expect(assessWaiting(view({ waiting: 5 }))).to.deep.equal({
      meaning: "waiting",
      word: "in_time",
    });
  });

  it("is red while a receiver is down, and blames the receiver", () => {
    expect(assessPastDue(view({ failing: 162 }))).to.deep.equal({
      meaning: "bad",
      word: "failing",
    });
    expect(assessWaiting(view({ failing: 162 }))).to.deep.equal({ meaning: "warn", word: "held" });
    expect(assessPastDue(view({ failing: 3, forSeconds: 5 })).meaning).to.equal("warn");
  });

  it("blames the platform if it is late, whatever receivers do", () => {
    expect(assessPastDue(view({ ours: 2, failing: 162 })).word).to.equal("late");
    expect(assessWaiting(view({ ours: 2 })).word).to.equal("behind");
    expect(assessPastDue(view({ ours: 2, forSeconds: 5 })).word).to.equal("soon");
  });

  it("is red while a receiver is down, even between two attempts", () => {
    const planned = view({ held: 1, waiting: 1 });
    expect(assessPastDue(planned)).to.deep.equal({ meaning: "bad", word: "failing" });
    expect(assessWaiting(planned)).to.deep.equal({ meaning: "warn", word: "held" });
    expect(assessPastDue(view({ held: 1, waiting: 1, forSeconds: 5 })).meaning).to.equal("warn");
  });

  it("blames the platform if events wait for the relay", () => {
    expect(assessPastDue(view({ relaySeconds: 61 }))).to.deep.equal({
      meaning: "bad",
      word: "late",
    });
    expect(assessWaiting(view({ relaySeconds: 61 })).word).to.equal("behind");
    expect(assessPastDue(view({ relaySeconds: 6 })).word).to.equal("soon");
  });

  it("calls a webhook healthy only once something was sent to it", () => {
    const webhook = (more: Partial<LiveWebhook>): LiveWebhook =>
      ({
        ...{ state: "ok", past_due: count(0), failed_per_second: 0, has_attempts: true },
        ...more,
      }) as LiveWebhook;
    const wordOf = (more: Partial<LiveWebhook>): string => assessWebhook(webhook(more)).word;
    expect(wordOf({})).to.equal("ok");
    expect(wordOf({ has_attempts: false })).to.equal("new");
    expect(wordOf({ has_attempts: false, state: "off" })).to.equal("off");
    expect(wordOf({ failed_per_second: 1 })).to.equal("some_fail");
    const late = { past_due: count(2), oldest_waiting_seconds: 90, has_attempts: false };
    expect(wordOf(late)).to.equal("behind");
  });
});
