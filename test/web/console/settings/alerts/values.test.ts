import { expect } from "chai";
import {
  bodyOfChange,
  type AlertValues,
} from "../../../../../web/console/settings/alerts/values.ts";

const stored: AlertValues = {
  ...{ failing: 30, pastDue: 10, failed: true, repeat: 24, administrators: true },
  ...{ users: [], emails: ["ops@demo.example"] },
};

describe("the request body of changed alert settings", () => {
  it("contains only changed fields, so that it overwrites no concurrent change", () => {
    const after: AlertValues = { ...stored, pastDue: 5, users: [{ id: 7, login: "ann" }] };
    expect(bodyOfChange(stored, after)).to.deep.equal({ past_due_minutes: 5, users: [7] });
    expect(bodyOfChange(stored, { ...stored })).to.deep.equal({});
  });
});
