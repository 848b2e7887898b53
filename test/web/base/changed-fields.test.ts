import { expect } from "chai";
import { changedFields, differing } from "../../../web/base/changed-fields.ts";

describe("the changed fields of a form", () => {
  const before = { name: "A", groups: [1, 2], limit: null as number | null };

  it("are those whose values differ, also within a list", () => {
    const after = { name: "A", groups: [2], limit: 5 };
    expect(differing(before, after)).to.deep.equal(["groups", "limit"]);
    expect(changedFields(before, after)).to.deep.equal({ groups: [2], limit: 5 });
  });

  it("are none of a form with equal values, and keep a removed value as null", () => {
    expect(changedFields(before, structuredClone(before))).to.deep.equal({});
    expect(changedFields({ ...before, limit: 5 }, before)).to.deep.equal({ limit: null });
  });
});
