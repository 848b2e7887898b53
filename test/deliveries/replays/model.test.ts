import { expect } from "chai";
import {
  allowanceOf,
  maxUnattempted,
  transitionReplay,
  paceAfter,
  type ReplayAction,
} from "../../../src/deliveries/replays/model.ts";
import { replayStates } from "../../../src/contracts/deliveries.ts";

function at(ms: number): Date {
  return new Date(1_000_000 + ms);
}

describe("a replay's rate", () => {
  it("allows one second's worth at first, and nothing more at the same time", () => {
    expect(allowanceOf(50, undefined, at(0))).to.equal(50);
    const paced = paceAfter(50, undefined, { now: at(0), made: 50 });
    expect(allowanceOf(50, paced, at(0))).to.equal(0);
  });

  it("allows the elapsed time's worth, independent of the step size", () => {
    let paced = paceAfter(100, undefined, { now: at(0), made: 100 });
    let made = 0;
    for (let ms = 70; ms <= 1_400; ms += 70) {
      const allowed = allowanceOf(100, paced, at(ms));
      made += allowed;
      paced = paceAfter(100, paced, { now: at(ms), made: allowed });
    }
    expect(made).to.equal(140);
  });

  it("does not catch up after a pause", () => {
    const paced = paceAfter(100, undefined, { now: at(0), made: 100 });
    expect(allowanceOf(100, paced, at(3_600_000))).to.equal(100);
  });

  it("keeps an unused allowance for a second", () => {
    const paced = paceAfter(100, undefined, { now: at(0), made: 30 });
    expect(allowanceOf(100, paced, at(0))).to.equal(70);
  });

  it("delays a slow replay until a whole delivery is allowed", () => {
    const paced = paceAfter(1, undefined, { now: at(0), made: 1 });
    expect(allowanceOf(1, paced, at(999))).to.equal(0);
    expect(allowanceOf(1, paced, at(1_000))).to.equal(1);
  });

  it("continues immediately after the clock was set back", () => {
    const paced = paceAfter(50, undefined, { now: at(3_600_000), made: 50 });
    expect(allowanceOf(50, paced, at(0))).to.equal(50);
    const again = paceAfter(50, paced, { now: at(0), made: 50 });
    expect(allowanceOf(50, again, at(0))).to.equal(0);
    expect(allowanceOf(50, again, at(100))).to.equal(5);
  });

  it("tolerates the clock of another process that is slightly ahead", () => {
    const paced = paceAfter(50, undefined, { now: at(200), made: 50 });
    expect(allowanceOf(50, paced, at(0))).to.equal(0);
    expect(allowanceOf(50, paced, at(300))).to.equal(5);
  });

  it("allows 500 unattempted deliveries, or one second's worth", () => {
    expect([1, 50, 1_000].map(maxUnattempted)).to.deep.equal([500, 500, 1_000]);
  });
});

describe("the states of a replay", () => {
  const allowed: Record<ReplayAction, Record<string, string>> = {
    pause: { running: "paused" },
    resume: { paused: "running" },
    cancel: { counting: "cancelled", running: "cancelled", paused: "cancelled" },
  };

  it("allow the documented transitions and refuse all others with the transition", () => {
    for (const action of ["pause", "resume", "cancel"] as const) {
      for (const state of replayStates) {
        const to = allowed[action][state];
        if (to === undefined) {
          expect(() => transitionReplay(state, action), `${action} ${state}`)
            .to.throw()
            .with.property("details")
            .that.matches(new RegExp(`^Transition ${state} → `, "u"));
        } else {
          expect(transitionReplay(state, action)).to.equal(to);
        }
      }
    }
  });
});
