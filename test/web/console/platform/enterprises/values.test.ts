import { expect } from "chai";
import {
  bodyOfChange,
  bodyOfNew,
  newEnterprise,
  type EnterpriseValues,
} from "../../../../../web/console/platform/enterprises/values.ts";

const stored: EnterpriseValues = { ...newEnterprise("fr"), name: "Demo", max_users: 5 };

describe("the request body of a changed enterprise", () => {
  const body = (change: Partial<EnterpriseValues>) =>
    bodyOfChange(stored, { ...stored, ...change });

  it("contains only changed fields and quotas, so that it overwrites no concurrent change", () => {
    expect(body({ name: " Demo 2" })).to.deep.equal({ name: "Demo 2" });
    expect(body({ max_users: "", solution_enabled: false })).to.deep.equal({
      ...{ solution_enabled: false, quotas: { max_users: null } },
    });
    expect(body({ max_media_gigabytes: 2 })).to.deep.equal({
      quotas: { max_media_bytes: 2_000_000_000 },
    });
    expect(body({})).to.deep.equal({});
  });

  it("of a new one has every field", () => {
    expect(bodyOfNew(stored)).to.deep.include({
      ...{ name: "Demo", language: "fr", solution_enabled: true, managed_by: null },
      quotas: { max_users: 5, max_media_bytes: null, max_sms_per_day: 500 },
    });
  });
});
