import { Ajv } from "ajv";
import { expect } from "chai";
import { Problem } from "../../../src/contracts/problems.ts";
import { compileMessage, createMessageReader } from "../../../src/http/validate.ts";
import * as schemas from "../../../src/signalling/room/schemas.ts";

describe("schemas of call messages", () => {
  it("are valid schemas, compile, and reject a message that is none of them", () => {
    const ajv = new Ajv();
    for (const [name, read] of Object.entries(schemas)) {
      const isValid = ajv.validateSchema(read.compile().schema);
      expect(isValid, `${name}: ${ajv.errorsText()}`).to.equal(true);
      expect(() => read({ nonsense: 1 }), name).to.throw(Problem);
    }
  });
});

describe("a reader of messages", () => {
  const schema = { type: "object", required: ["to"], properties: { to: { type: "string" } } };

  it("names the first invalid field, and returns a valid message", () => {
    const read = createMessageReader(() => compileMessage<{ to: string }>(schema));
    expect(read({ to: "a" })).to.deep.equal({ to: "a" });
    expect(() => read({})).to.throw(Problem, /to/u);
    expect(() => read({ to: 1 })).to.throw(Problem, "The to must be string.");
    expect(read({ to: "b" })).to.deep.equal({ to: "b" });
  });
});
