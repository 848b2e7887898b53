import { expect } from "chai";
import {
  bodyOfChange,
  type CompanyValues,
} from "../../../../../web/console/settings/company/values.ts";

const stored: CompanyValues = {
  ...{ name: "Demo", time_zone: "Europe/Paris", language: "fr" },
  ...{ sip_phone_number: "", sms_sender: "Demo", payload_days: 30, log_days: "" },
};

describe("the request body of the changed company", () => {
  const body = (change: Partial<CompanyValues>) => bodyOfChange(stored, { ...stored, ...change });

  it("contains only changed fields, so that it overwrites no concurrent change", () => {
    expect(body({ sms_sender: "" })).to.deep.equal({ sms_sender: "" });
    expect(body({ payload_days: "" })).to.deep.equal({ retention: { payload_days: null } });
    expect(body({ log_days: 7 })).to.deep.equal({ retention: { log_days: 7 } });
    expect(body({})).to.deep.equal({});
  });
});
