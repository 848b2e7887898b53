import { expect } from "chai";
import { bodyOfChange, newUser, type UserValues } from "../../../../web/console/users/values.ts";

const stored: UserValues = {
  ...newUser,
  ...{ login: "ann@demo.example", firstname: "Ann", lastname: "Lee", nickname: "Ann Lee" },
  ...{ email: "ann@demo.example", role: "admin", groups: ["3"], isActive: true },
};

describe("the request body of a changed user", () => {
  const body = (change: Partial<UserValues>) => bodyOfChange(stored, { ...stored, ...change });

  it("overwrites no role, group or deactivation by another administrator", () => {
    expect(body({ phone: " +33144556677 " })).to.deep.equal({ phone: "+33144556677" });
    expect(body({ firstname: "Ann ", language: "" })).to.deep.equal({});
  });

  it("contains removed values, and both names for an empty display name", () => {
    expect(body({ groups: [], nickname: " ", lastname: "Long" })).to.deep.equal({
      ...{ groups: [], lastname: "Long", nickname: "Ann Long" },
    });
    const abroad: UserValues = { ...stored, language: "fr", external_id: "7" };
    expect(bodyOfChange(abroad, stored)).to.deep.equal({ language: null, external_id: null });
  });
});
