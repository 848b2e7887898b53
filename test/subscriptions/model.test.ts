import { expect } from "chai";
import { applyInput, activationChangeOf } from "../../src/subscriptions/model.ts";
import { checkFilters } from "../../src/subscriptions/settings/setting.ts";
import { defaultSettings } from "../../src/subscriptions/settings/table.ts";

const stored = {
  ...defaultSettings,
  name: "CRM",
  url: "https://receiver.example/",
  isActive: true,
  isOrdered: true,
  maxInFlight: 3,
  filters: ["ticket.*"],
  headers: [{ name: "X-Key", value: "secret" }],
};
const now = new Date("2026-11-22T12:00:00Z");
function problemOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
}

describe("settings of a webhook", () => {
  it("keep their value if a change omits them", () => {
    expect(applyInput(stored, {}, now)).to.deep.equal(stored);
  });

  it("apply a change, null included", () => {
    const after = applyInput(
      stored,
      {
        ...{ name: "", url: null, active: false, ordered: false },
        ...{ maxInFlight: null, filters: [], headers: [] },
      },
      now,
    );
    expect(after).to.deep.equal(defaultSettings);
  });

  it("require a URL to be active", () => {
    const change = () => applyInput(stored, { url: null }, now);
    expect(problemOf(change)).to.deep.include({
      kind: "missing_parameter",
      details: "Parameter url",
    });
    expect(
      problemOf(() => applyInput(defaultSettings, { active: true, url: stored.url }, now)),
    ).to.deep.include({
      isActive: true,
    });
  });

  it("name the invalid filter", () => {
    const check = () => checkFilters(["ticket.*", "tickets.*"]);
    expect(problemOf(check)).to.deep.include({
      kind: "invalid_parameter",
      errors: [{ field: "filters[1]", reason: "unknown" }],
    });
  });

  it("determine the effect of a change on existing deliveries", () => {
    const off = { ...stored, isActive: false };
    const moved = { ...stored, url: "https://other.example/" };
    expect(activationChangeOf(stored, stored)).to.equal("none");
    expect(activationChangeOf(stored, off)).to.equal("off");
    expect(activationChangeOf(off, stored)).to.equal("on");
    expect(activationChangeOf(off, moved)).to.equal("on");
    expect(activationChangeOf(stored, moved)).to.equal("moved");
    expect(activationChangeOf(off, { ...moved, isActive: false })).to.equal("none");
  });
});
