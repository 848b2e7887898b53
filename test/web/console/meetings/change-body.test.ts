import { expect } from "chai";
import { changeBody, valuesOf } from "../../../../web/console/meetings/change-body.ts";
import type { Meeting } from "../../../../web/console/meetings/types.ts";

const meeting = {
  ...{ id: 1, name: "Review", start_time: "2026-11-22T10:00:00+00:00" },
  end_time: "2026-11-22T11:00:00+00:00",
} as Meeting;

describe("the changes of a meeting", () => {
  const body = (change: object) => changeBody({ ...valuesOf(meeting), ...change }, meeting);

  it("contain only what was changed", () => {
    expect(body({})).to.deep.equal({});
    expect(body({ name: "Renamed", locked: "no" })).to.deep.equal({
      name: "Renamed",
      locked: false,
    });
  });

  it("replace the password, remove it, or keep it", () => {
    expect(body({ password: "1234" })).to.deep.equal({ password: "1234" });
    expect(body({ password: "1234", isPasswordRemoved: true })).to.deep.equal({ password: null });
  });
});
