import { expect } from "chai";
import { publicSchema } from "../../../src/http/openapi/public-schema.ts";
import { emailField } from "../../../src/http/schema.ts";

const empty = { type: "string", maxLength: 0 };

describe("the description of a field with a format", () => {
  it("also allows an empty text, which counts as absent", () => {
    const { anyOf, ...others } = publicSchema(emailField);
    expect(anyOf).to.deep.equal([{ type: "string", format: "email", maxLength: 320 }, empty]);
    expect(others).to.have.all.keys("description");
    const nullable = publicSchema({ type: ["string", "null"], format: "day" });
    expect(nullable["anyOf"]).to.deep.equal([
      { type: "string", format: "date", pattern: "^(0[1-9]|[1-9][0-9])[0-9][0-9]-" },
      empty,
      { type: "null" },
    ]);
  });

  it("does not allow an empty text if the field must not be empty", () => {
    expect(publicSchema({ ...emailField, minLength: 1 })).to.include({
      type: "string",
      format: "email",
      minLength: 1,
      maxLength: 320,
    });
  });
});
