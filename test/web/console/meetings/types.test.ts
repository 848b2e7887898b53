import { expect } from "chai";
import { endedBeforeStart } from "../../../../web/console/meetings/types.ts";

describe("a meeting that is over before its planned start", () => {
  it("has no time since its start", () => {
    const meeting = { start_time: "2026-11-20T10:00:00+00:00", status: "ended" } as const;
    const [early, late] = ["2026-11-20T09:49:00+00:00", "2026-11-20T10:30:00+00:00"];
    expect(endedBeforeStart({ ...meeting, modified: early })).to.equal(true);
    expect(endedBeforeStart({ ...meeting, status: "cancelled", modified: early })).to.equal(true);
    expect(endedBeforeStart({ ...meeting, modified: late })).to.equal(false);
    expect(endedBeforeStart({ ...meeting, status: "scheduled", modified: early })).to.equal(false);
  });
});
