import { expect } from "chai";
import {
  type AlertInputs,
  type AlertRules,
  type AlertState,
  decideAlerts,
} from "../../../src/subscriptions/alerts/model.ts";

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse("2026-11-20T10:00:00.000Z");
function at(ms: number): Date {
  return new Date(start + ms);
}

const nothing: AlertState = {
  behindSince: null,
  isBehindNotified: false,
  behindNotifiedAt: null,
  failingNotifiedAt: null,
  failedUntil: null,
  failedNotifiedAt: null,
};
const quiet: AlertInputs = {
  oldestDue: null,
  failingSince: null,
  warnedAt: null,
  failed: 0,
  countedUntil: at(0),
};
const rules: AlertRules = {
  failingMinutes: 1440,
  pastDueMinutes: 10,
  failedDeliveries: true,
  repeatHours: 0,
};

/** Evaluates the inputs in order. Returns which alerts were due and when. */
function play(
  readings: readonly [number, Partial<AlertInputs>][],
  wanted: Partial<AlertRules> = {},
) {
  let state = nothing;
  const events: string[] = [];
  for (const [ms, reading] of readings) {
    const assessed = decideAlerts(state, { ...quiet, ...reading }, { ...rules, ...wanted }, at(ms));
    state = assessed.state;
    events.push(...assessed.alerts.map(({ kind }) => `${kind} ${ms / minute}`));
  }
  return { state, events };
}

describe("alerts about a webhook", () => {
  it("report once that it is behind, and once that it has caught up", () => {
    const oldestDue = at(0);
    const { events, state } = play([
      [10 * minute, { oldestDue }],
      [11 * minute, { oldestDue }],
      [12 * minute, { oldestDue }],
      [600 * minute, { oldestDue }],
      [601 * minute, {}],
      [602 * minute, {}],
    ]);
    expect(events).to.deep.equal(["behind 11", "caught_up 601"]);
    expect(state.behindSince).to.equal(null);
  });

  it("do not flap around the threshold (hysteresis)", () => {
    const late = (ms: number, minutes: number): [number, Partial<AlertInputs>] => [
      ms,
      { oldestDue: at(ms - minutes * minute) },
    ];
    const { events: notified } = play([
      late(11 * minute, 11),
      late(12 * minute, 9),
      late(13 * minute, 11),
      late(14 * minute, 6),
      late(15 * minute, 5),
    ]);
    expect(notified).to.deep.equal(["behind 11", "caught_up 15"]);
  });

  it("are suppressed for an hour if it falls behind again, and so is the end of an unreported one", () => {
    const behind = (ms: number): [number, Partial<AlertInputs>] => [
      ms,
      { oldestDue: at(ms - 11 * minute) },
    ];
    const { events: written } = play([
      behind(0),
      [5 * minute, {}],
      behind(20 * minute),
      [25 * minute, {}],
      behind(40 * minute),
      behind(60 * minute),
      [61 * minute, {}],
    ]);
    expect(written).to.deep.equal(["behind 0", "caught_up 5", "behind 60", "caught_up 61"]);
  });

  it("are repeated while it lasts, if configured", () => {
    const reading = { oldestDue: at(0), failingSince: at(0), warnedAt: at(0) };
    const times = [11 * minute, hour, 2 * hour, 131 * minute, 4 * hour, 5 * hour];
    const readings = times.map((ms): [number, Partial<AlertInputs>] => [ms, reading]);
    expect(play(readings).events).to.deep.equal(["behind 11"]);
    expect(play(readings, { repeatHours: 2 }).events).to.deep.equal([
      "behind 11",
      "failing 120",
      "behind 131",
      "failing 240",
      "behind 300",
    ]);
  });

  it("do not repeat a warning that was not sent yet", () => {
    const reading = { failingSince: at(hour), warnedAt: at(0) };
    expect(play([[50 * hour, reading]], { repeatHours: 1 }).events).to.deep.equal([]);
  });

  it("count failed deliveries since the alert was configured, at most once an hour", () => {
    const counted = (ms: number, failed: number): [number, Partial<AlertInputs>] => [
      ms,
      { failed, countedUntil: at(ms - 2 * minute) },
    ];
    const { events: emitted, state } = play([
      counted(2 * minute, 500),
      counted(3 * minute, 0),
      counted(4 * minute, 3),
      counted(5 * minute, 2),
      counted(63 * minute, 9),
      counted(64 * minute, 9),
    ]);
    expect(emitted).to.deep.equal(["failed 4", "failed 64"]);
    expect(state.failedUntil).to.deep.equal(at(62 * minute));
  });

  it("count failed deliveries every hour, however long the interval of reminders is", () => {
    const reading = { failed: 5 };
    const { events: emitted } = play(
      [
        [0, reading],
        [minute, reading],
        [61 * minute, reading],
      ],
      { repeatHours: 168 },
    );
    expect(emitted).to.deep.equal(["failed 1", "failed 61"]);
  });

  it("are off by default", () => {
    const reading = { oldestDue: at(0), failed: 5, failingSince: at(0), warnedAt: at(0) };
    const readings: [number, Partial<AlertInputs>][] = [
      [hour, reading],
      [90 * hour, reading],
    ];
    const off = { pastDueMinutes: 0, failedDeliveries: false };
    expect(play(readings, off)).to.deep.equal({ events: [], state: nothing });
  });

  it("report no end if the alert has been switched off", () => {
    const { state } = play([[11 * minute, { oldestDue: at(0) }]]);
    expect(state.isBehindNotified).to.equal(true);
    const assessed = decideAlerts(state, quiet, { ...rules, pastDueMinutes: 0 }, at(hour));
    expect(assessed.alerts).to.deep.equal([]);
    expect(assessed.state.behindSince).to.equal(null);
  });
});
