import { expect } from "chai";
import {
  bodyOfChange,
  newService,
  type ServiceValues,
} from "../../../../web/console/services/values.ts";

const stored: ServiceValues = { ...newService, name: "Support", reminder_minutes: 30 };

describe("the request body of a changed service", () => {
  it("contains only changed fields, so that it overwrites no concurrent change", () => {
    const after: ServiceValues = { ...stored, name: " Help ", reminder_minutes: "", groups: ["4"] };
    expect(bodyOfChange(stored, after)).to.deep.equal({
      ...{ name: "Help", reminder_minutes: null, groups: [4] },
    });
    expect(bodyOfChange(stored, { ...stored, name: "Support " })).to.deep.equal({});
  });
});
