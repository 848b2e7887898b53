import { expect } from "chai";
import { criteriaOfRecovery } from "../../../src/deliveries/replays/criteria.ts";
import type { Replay } from "../../../src/deliveries/replays/model.ts";
import { presentReplay } from "../../../src/deliveries/replays/present.ts";
import type { ReplayProgress } from "../../../src/pipeline/ledger/replay-deliveries.ts";

const at = new Date("2026-11-23T10:00:00Z");

function replay(more: Partial<Replay>): Replay {
  return {
    ...{ id: 1, enterpriseId: 1, subscriptionId: 2, state: "running", rate: 50, error: null },
    ...{ criteria: criteriaOfRecovery(at), matching: { filters: [], conditions: null } },
    ...{ total: 5_213, made: 143, position: { phase: "deliveries", position: 9 } },
    ...{ lastSequence: 9, lastEventRowId: 9, createdBy: 1, created: at, started: at, ended: null },
    ...more,
  };
}

const none: ReplayProgress = { dead: 0, cancelled: 0, waiting: 0, recent: 0, recentSince: null };

function shown(more: Partial<Replay>, figures: Partial<ReplayProgress> = {}) {
  return presentReplay({ replay: replay(more), progress: { ...none, ...figures } }, at);
}

describe("the progress of a replay", () => {
  it("is kept when it is cancelled, with the number of deliveries never created", () => {
    const { progress, not_made, cancelled, delivered } = shown(
      { state: "cancelled", ended: at },
      { cancelled: 7 },
    );
    expect(progress).to.equal(0.0274);
    expect({ not_made, cancelled, delivered }).to.deep.equal({
      ...{ not_made: 5_070, cancelled: 7, delivered: 136 },
    });
  });

  it("is null if it was cancelled while counting", () => {
    const { progress, not_made, total } = shown({
      state: "cancelled",
      ended: at,
      started: null,
      total: 40,
      made: 0,
    });
    expect({ progress, not_made, total }).to.deep.equal({
      progress: 0,
      not_made: null,
      total: null,
    });
  });

  it("refers to the whole total while it is paused", () => {
    expect(shown({ state: "paused" }, { waiting: 9 })).to.include({
      ...{ progress: 0.0257, not_made: null },
    });
  });

  it("reaches 1 when everything has ended, not counting events without content", () => {
    const done = { state: "done", ended: at, total: 10, made: 8 } as const;
    expect(shown(done, { waiting: 2 }).progress).to.equal(0.75);
    expect(shown(done)).to.include({ progress: 1, skipped: 2, not_made: null });
    expect(shown({ ...done, total: 0, made: 0 }).progress).to.equal(1);
  });
});
