import { expect } from "chai";
import { subjectOf } from "../../../../web/console/settings/audit/entry-subject.ts";

describe("the action of an audit entry", () => {
  it("is translated, with the outcome of a replay", () => {
    const replay = (to: unknown) => subjectOf({ action: "update", changes: { replay: { to } } });
    expect(subjectOf({ action: "rotate", changes: {} })).to.equal("actions.rotate");
    expect(replay({ id: 4, rate: 5, status: "dead" })).to.equal("replays.made");
    expect(replay({ id: 4, state: "paused" })).to.equal("replays.paused");
    expect(replay({ id: 4, state: "running" })).to.equal("replays.running");
    expect(replay({ id: 4, state: "cancelled" })).to.equal("replays.cancelled");
  });
});
