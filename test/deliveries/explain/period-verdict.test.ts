import { expect } from "chai";
import type { PeriodCounts, VerdictCount } from "../../../src/deliveries/explain/count-events.ts";
import { finding, type ExplainVerdict } from "../../../src/deliveries/explain/findings.ts";
import { findPeriodVerdict } from "../../../src/deliveries/explain/period-verdict.ts";
import { periodVerdicts, type PeriodFacts } from "../../../src/deliveries/explain/period-words.ts";

const event = {
  ...{ id: 1, eventId: "evt_1", object: "ticket", event: "create", eventType: null },
  ...{ objectId: "1", key: "ticket:1", occurredAt: new Date(0), expungedAt: null },
};

function group(verdict: ExplainVerdict, count: number, late = count): VerdictCount {
  const example = { event, deliveryId: null, finding: finding(verdict, ""), mismatches: new Map() };
  return { verdict, count, late, ...example };
}

type CountsInput = { groups?: VerdictCount[]; matched?: number } & Partial<PeriodCounts>;

function countsOf({ groups = [], matched = 0, ...more }: CountsInput): PeriodCounts {
  return {
    ...{ events: groups.reduce((sum, { count }) => sum + count, 0), matched },
    verdicts: new Map(groups.map((one) => [one.verdict, one])),
    ...{ kinds: [], deliveries: 0, failing: 0, overdue: 0, truncatedAt: null },
    ...{ states: new Map(), results: new Map() },
    ...more,
  };
}

function factsOf(input: CountsInput, more: Partial<PeriodFacts> = {}): PeriodFacts {
  return {
    subscription: {
      ...{ id: 7, name: "CRM", mode: "push", isActive: true, isDeleted: false, maxInFlight: null },
      ...{ windowSize: 8, lastSequence: 0, failuresInRow: 0, failingSince: null },
      ...{ lastSuccessAt: null, lastFailureAt: null },
      lastFailure: { status: null, failure: null },
      ...{ throttledUntil: null, probeAt: null, maxPerSecond: null, pulledTo: 0, pulledAt: null },
    },
    counts: countsOf(input),
    ...{ ended: undefined, changedAt: undefined },
    since: new Date("2026-11-20T10:00:00Z"),
    isCurrent: true,
    ...more,
  };
}

describe("the verdict about a period", () => {
  const cases: [string, CountsInput, string][] = [
    [
      "a lost delivery, before a disabled webhook",
      { groups: [group("paused", 9), group("gap", 1)] },
      "gap",
    ],
    [
      "a disabled webhook, before failing attempts",
      { groups: [group("paused", 1)], failing: 5 },
      "off",
    ],
    [
      "failing attempts, before what waits",
      { groups: [group("waits_for_other", 9)], failing: 1 },
      "failing",
    ],
    ["a dead letter", { groups: [group("dead_letter", 1), group("delivered", 9)] }, "dead_letter"],
    [
      "one that is late in the outbox",
      { groups: [group("not_fanned_out", 2, 1)] },
      "not_fanned_out",
    ],
    ["young events on their way", { groups: [group("not_fanned_out", 2, 0)] }, "in_flight"],
    [
      "delivered ones, with a young one on its way",
      { groups: [group("delivered", 9), group("in_flight", 1, 0)] },
      "delivered",
    ],
    [
      "due deliveries that were not attempted",
      { groups: [group("waiting", 4)], overdue: 4 },
      "behind",
    ],
  ];
  for (const [title, input, verdict] of cases) {
    it(`names ${title}`, () => {
      const found = findPeriodVerdict(factsOf({ matched: 10, ...input }));
      expect(found.verdict).to.equal(verdict);
      expect(found.advice).to.match(/\.$/u);
    });
  }

  it("names the most frequent reason if nothing matched", () => {
    const groups = [group("conditions", 3), group("filters", 40), group("created_later", 2)];
    const found = findPeriodVerdict(factsOf({ groups }));
    expect(found).to.include({ verdict: "filters", count: 40 });
    expect(found.text).to.match(/40 did not match its filters. 3 matched its filters, but/u);
    expect(found.advice).to.match(/conditions/u);
  });

  it("names what happened since the webhook was created, if anything did", () => {
    const older = group("created_later", 900);
    const both = findPeriodVerdict(factsOf({ groups: [older, group("filters", 1)] }));
    expect(both).to.include({ verdict: "filters", count: 1 });
    expect(findPeriodVerdict(factsOf({ groups: [older] })).verdict).to.equal("created_later");
  });

  it("names a webhook that is off now, unless the period is over", () => {
    const { subscription } = factsOf({});
    const off = { subscription: { ...subscription, isActive: false } };
    const groups = [group("filters", 4)];
    expect(findPeriodVerdict(factsOf({ groups }, off)).verdict).to.equal("off");
    const past = { ...off, isCurrent: false };
    expect(findPeriodVerdict(factsOf({ groups }, past)).verdict).to.equal("filters");
  });

  describe("if events arrived before", () => {
    const arrived = group("delivered", 5);
    const verdictWith = (groups: VerdictCount[], more: Partial<PeriodFacts> = {}) =>
      findPeriodVerdict(factsOf({ matched: 5, groups: [arrived, ...groups] }, more));
    it("names a webhook that was disabled after the period, or during it", () => {
      const { subscription } = factsOf({});
      const off = { subscription: { ...subscription, isActive: false } };
      expect(verdictWith([group("off", 30)], off).verdict).to.equal("off");
      const within = verdictWith([group("off", 30)]);
      expect(within).to.include({ verdict: "off", count: 30 });
      expect(within.text).to.contain("30 events happened while the webhook was disabled");
    });

    it("names a change of the settings, if nothing has arrived since", () => {
      const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 20, 10, minute));
      const happened = (verdict: ExplainVerdict, minute: number): VerdictCount => ({
        ...group(verdict, 90),
        event: { ...event, occurredAt: at(minute) },
      });
      const changedAt = at(20);
      const stopped = verdictWith([happened("delivered", 19), happened("filters", 20)], {
        changedAt,
      });
      expect(stopped).to.include({ verdict: "filters", count: 90 });
      expect(stopped.text).to.contain("They were changed at 2026-11-20T10:20:00+00:00.");
      for (const [arrivedAt, missedAt, since] of [
        [21, 22, 0],
        [10, 19, 0],
        [19, 20, 30],
      ] as const) {
        const groups = [happened("delivered", arrivedAt), happened("filters", missedAt)];
        const found = verdictWith(groups, { changedAt, since: at(since) });
        expect(found.verdict, `${arrivedAt} ${missedAt} ${since}`).to.equal("delivered");
      }
      expect(verdictWith([happened("filters", 30)]).verdict).to.equal("delivered");
    });

    it("names what has not arrived first", () => {
      const failing = factsOf({ matched: 5, groups: [arrived, group("off", 9)], failing: 1 });
      expect(findPeriodVerdict(failing).verdict).to.equal("failing");
    });
  });

  it("says if older events were left out", () => {
    const truncatedAt = new Date("2026-11-20T10:00:00Z");
    const { text } = findPeriodVerdict(factsOf({ groups: [group("filters", 1)], truncatedAt }));
    expect(text).to.match(
      /^Only the newest events were read, back to 2026-11-20T10:00:00\+00:00\. /u,
    );
  });

  it("covers every verdict about a single event", () => {
    const own: readonly string[] = periodVerdicts;
    const unmatched = ["filters", "conditions", "off", "created_later", "deleted", "own"] as const;
    for (const verdict of [...unmatched, "changing", "undetermined"] as const) {
      const found = findPeriodVerdict(factsOf({ groups: [group(verdict, 1)] }));
      expect(found.verdict).to.equal(verdict);
      expect(own).to.include(verdict);
    }
  });
});
