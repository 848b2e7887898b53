import { expect } from "chai";
import { createValidators } from "../../src/http/validate.ts";

const body = {
  type: "object",
  required: ["agent"],
  properties: {
    agent: { type: "string" },
    phone: { type: "string", pattern: "^\\+" },
    duration: { type: "integer" },
    invite: { type: "boolean", default: false },
  },
};

describe("an empty field of an operation with input from query and body", () => {
  const validate = createValidators()({ body, transport: "any" });

  it("counts as absent in the query", () => {
    const query = { agent: "a", phone: "", duration: "", invite: "" };
    const found = validate({ params: {}, query, body: undefined });
    expect(found.body).to.deep.equal({ agent: "a", invite: false });
  });

  it("is missing in the query if it is required", () => {
    const call = () => validate({ params: {}, query: { agent: "" }, body: undefined });
    expect(call).to.throw().with.property("kind", "missing_parameter");
  });

  it("is a value in the body", () => {
    const call = () => validate({ params: {}, query: {}, body: { agent: "a", duration: "" } });
    expect(call).to.throw().with.property("details", "Parameter duration");
  });
});
