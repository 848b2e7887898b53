import { expect } from "chai";
import { isScheduled } from "../../../../../web/console/tickets/detail/schedule.ts";

describe("the scheduled time of a ticket", () => {
  const created = "2026-11-29T22:41:34+00:00";

  it("is not the default, which is the time of the creation", () => {
    expect(isScheduled({ created, start_time: created })).to.equal(false);
    expect(isScheduled({ created, start_time: "2026-11-29T22:41:33+00:00" })).to.equal(false);
    // Saved by the form, whose times have no seconds.
    expect(isScheduled({ created, start_time: "2026-11-29T22:41:00+00:00" })).to.equal(false);
  });

  it("is a time that somebody chose", () => {
    expect(isScheduled({ created, start_time: "2026-11-30T09:00:00+00:00" })).to.equal(true);
    expect(isScheduled({ created, start_time: "2026-11-29T09:00:00+00:00" })).to.equal(true);
  });
});
