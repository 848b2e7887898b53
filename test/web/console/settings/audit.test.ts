import { expect } from "chai";
import { whatOf } from "../../../../web/console/settings/audit/what.ts";

describe("what the audit says was done", () => {
  it("is the action, and of a replay what became of it", () => {
    const replay = (to: unknown) => whatOf({ action: "update", changes: { replay: { to } } });
    expect(whatOf({ action: "rotate", changes: {} })).to.equal("actions.rotate");
    expect(replay({ id: 4, rate: 5, status: "dead" })).to.equal("replays.made");
    expect(replay({ id: 4, state: "paused" })).to.equal("replays.paused");
    expect(replay({ id: 4, state: "running" })).to.equal("replays.running");
    expect(replay({ id: 4, state: "cancelled" })).to.equal("replays.cancelled");
  });
});
