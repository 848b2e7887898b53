import { expect } from "chai";
import fc from "fast-check";
import {
  afterSession,
  conferenceActions,
  conferenceStatuses,
  isOver,
  transition,
  type ConferenceStatus,
} from "../../src/conferences/model.ts";

/** The whole table once more, by hand. */
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

describe("the life of a conference", () => {
  it("allows the moves of the table and no other", () => {
    for (const status of conferenceStatuses) {
      for (const action of conferenceActions) {
        const to = allowed[`${status} ${action}`];
        const { isAllowed, ...moved } = transition(status, action);
        expect(isAllowed, `${status} ${action}`).to.equal(to !== undefined);
        expect(isAllowed ? moved.to : to, `${status} ${action}`).to.equal(to);
      }
    }
  });

  it("never leaves its end, whatever happens in whatever order", () => {
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

  it("says where a refused move would lead", () => {
    expect(transition("ongoing", "cancel")).to.deep.equal({ isAllowed: false, to: "cancelled" });
    expect(transition("ended", "change")).to.deep.equal({ isAllowed: false, to: "ended" });
  });

  it("pauses while its time runs, or for ever where it is open, else it ends", () => {
    const endTime = new Date("2026-11-20T11:00:00Z");
    const before = new Date("2026-11-20T10:59:59Z");
    expect(afterSession({ endTime, isOpen: false }, before)).to.equal("pause");
    expect(afterSession({ endTime, isOpen: false }, endTime)).to.equal("end");
    expect(afterSession({ endTime, isOpen: true }, endTime)).to.equal("pause");
  });
});
