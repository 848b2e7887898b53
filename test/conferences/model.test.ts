import { expect } from "chai";
import fc from "fast-check";
import {
  afterSession,
  conferenceActions,
  isOver,
  transition,
} from "../../src/conferences/model.ts";
import { conferenceStatuses, type ConferenceStatus } from "../../src/contracts/conferences.ts";

/** An independent copy of the transition table. */
const allowed: Readonly<Record<string, ConferenceStatus>> = {
  "scheduled start": "ongoing",
  "scheduled lapse": "ended",
  "scheduled cancel": "cancelled",
  "scheduled change": "scheduled",
  "scheduled invite": "scheduled",
  "ongoing pause": "scheduled",
  "ongoing end": "ended",
  "ongoing change": "ongoing",
  "ongoing invite": "ongoing",
};

describe("the state machine of a conference", () => {
  it("allows the transitions of the table and no others", () => {
    for (const status of conferenceStatuses) {
      for (const action of conferenceActions) {
        const to = allowed[`${status} ${action}`];
        const { isAllowed, ...moved } = transition(status, action);
        expect(isAllowed, `${status} ${action}`).to.equal(to !== undefined);
        expect(isAllowed ? moved.to : to, `${status} ${action}`).to.equal(to);
      }
    }
  });

  it("never leaves a terminal status, in any order of actions", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...conferenceActions)), (actions) => {
        let status: ConferenceStatus = "scheduled";
        for (const action of actions) {
          const { isAllowed, to } = transition(status, action);
          const next: ConferenceStatus = isAllowed ? to : status;
          expect(isOver(status) ? next : status).to.equal(status);
          expect(next === status || allowed[`${status} ${action}`] === next).to.equal(true);
          status = next;
        }
      }),
    );
  });

  it("returns the target status of a rejected transition", () => {
    expect(transition("ongoing", "cancel")).to.deep.equal({ isAllowed: false, to: "cancelled" });
    expect(transition("ended", "change")).to.deep.equal({ isAllowed: false, to: "ended" });
  });

  it("pauses before the planned end, or whenever it is open, and otherwise ends", () => {
    const endTime = new Date("2026-11-20T11:00:00Z");
    const before = new Date("2026-11-20T10:59:59Z");
    expect(afterSession({ endTime, isOpen: false }, before)).to.equal("pause");
    expect(afterSession({ endTime, isOpen: false }, endTime)).to.equal("end");
    expect(afterSession({ endTime, isOpen: true }, endTime)).to.equal("pause");
  });
});
