import { expect } from "chai";
import type { Visit } from "../../../web/visit/guest-types.ts";
import {
  nextCheckMs,
  screenAfterCall,
  screenOfClosedVisit,
  screenOfRefusal,
  screenOfVisit,
} from "../../../web/visit/visit-screen.ts";

const fresh: Visit = {
  ...{ state: "invited", has_consent: false, has_devices: false, is_accepted: false },
  ...{ position_request: null, is_survey_due: false, end_reason: null },
};

const inRoom = { ...fresh, has_consent: true, has_devices: true, is_accepted: true };

describe("the screen of a visit", () => {
  it("follows the steps, so that a reload returns to the same one", () => {
    expect(screenOfVisit(fresh)).to.equal("welcome");
    expect(screenOfVisit({ ...fresh, has_consent: true })).to.equal("devices");
    expect(screenOfVisit({ ...fresh, has_consent: true, has_devices: true })).to.equal("devices");
    expect(screenOfVisit(inRoom)).to.equal("room");
  });

  it("asks for the position before the call only; in the call the agent requests it", () => {
    const position_request = { id: "1", created: "" };
    expect(screenOfVisit({ ...fresh, has_consent: true, position_request })).to.equal("position");
    expect(screenOfVisit({ ...fresh, position_request })).to.equal("welcome");
    expect(screenOfVisit({ ...inRoom, position_request })).to.equal("room");
  });

  it("is the survey of the ended call, not of one before the next call", () => {
    expect(screenOfVisit({ ...inRoom, is_survey_due: true })).to.equal("survey");
    expect(screenOfVisit({ ...fresh, state: "done", is_survey_due: true })).to.equal("survey");
    expect(screenOfVisit({ ...fresh, is_survey_due: true })).to.equal("welcome");
  });

  it("explains a rejection", () => {
    const screenOf = (status: number, details?: string) => screenOfRefusal({ status, details });
    expect([404, 400, 429, 500, 0].map((status) => screenOf(status))).to.deep.equal([
      ...["unknown", "unknown", "failed", "failed", "failed"],
    ]);
    const ends = ["expired", "cancelled", "closed", "declined", "deleted"];
    expect(ends.map((end) => screenOf(410, `Reason ${end}`))).to.deep.equal([
      ...["expired", "cancelled", "finished", "declined", "deleted"],
    ]);
    expect(screenOf(410)).to.equal("finished");
  });

  it("says after the end of the room what happened, if the platform knows more", () => {
    const closed = { ...inRoom, state: "closed" };
    expect(screenOfClosedVisit(inRoom)).to.equal("closed");
    expect(screenOfClosedVisit({ ...closed, end_reason: "closed" })).to.equal("closed");
    expect(screenOfClosedVisit({ ...closed, end_reason: "cancelled" })).to.equal("cancelled");
    const surveyed = { ...closed, end_reason: "cancelled", is_survey_due: true } as const;
    expect(screenOfClosedVisit(surveyed)).to.equal("survey");
  });
});

const during = {
  overReason: undefined,
  phase: "in-call",
  leaveReason: undefined,
  joinFault: undefined,
} as const;

describe("the screen after a call", () => {
  it("is empty while the call is running or being restored", () => {
    expect(screenAfterCall(during)).to.equal(undefined);
    expect(screenAfterCall({ ...during, phase: "joining" })).to.equal(undefined);
  });

  it("says who left, and why", () => {
    const left = { ...during, phase: "left" } as const;
    expect(screenAfterCall(left)).to.equal("left");
    expect(
      (["ended", "removed", "elsewhere", "lost"] as const).map((leaveReason) =>
        screenAfterCall({ ...left, leaveReason }),
      ),
    ).to.deep.equal(["closed", "closed", "elsewhere", "lost"]);
  });

  it("does not say that the customer left if the platform ended the connection", () => {
    const abandoned = { ...during, phase: "left" } as const; // the phase that the room reports
    expect(
      (["room", "removed", "token", "refused", "flood"] as const).map((overReason) =>
        screenAfterCall({ ...abandoned, overReason }),
      ),
    ).to.deep.equal(["closed", "closed", "lost", "failed", "failed"]);
  });

  it("is the same screen for a closed ticket, in any order of events", () => {
    const joinFault = { kind: "gone", detail: "", reason: "over" };
    const outside = { ...during, phase: "outside", joinFault } as const;
    const left = { ...during, phase: "left" } as const;
    expect(
      [
        { ...left, leaveReason: "ended" } as const,
        { ...left, overReason: "room" } as const,
        { ...left, leaveReason: "ended", overReason: "room" } as const,
        outside,
        { ...outside, overReason: "room" } as const,
        { ...outside, joinFault: { ...joinFault, reason: undefined } },
      ].map(screenAfterCall),
    ).to.deep.equal(Array.from({ length: 6 }, () => "closed"));
  });

  it("asks again for a consent that was used up, and names other errors", () => {
    const refused = (kind: string, reason?: string) =>
      screenAfterCall({
        ...during,
        phase: "outside",
        joinFault: { kind, detail: "", reason },
      });
    expect(refused("conflict", "consent")).to.equal("consent");
    expect(refused("conflict", "full")).to.equal("full");
    expect(refused("dependency_down")).to.equal("lost");
  });
});

describe("the checks whether the survey is due", () => {
  it("become rarer, and end when it cannot be answered any more", () => {
    const minutes = [0, 1, 5, 60, 24 * 60 - 1, 24 * 60 + 1];
    expect(minutes.map((minute) => nextCheckMs(minute * 60_000))).to.deep.equal([
      ...[3_000, 6_000, 30_000, 60_000, 60_000],
      undefined,
    ]);
  });
});
