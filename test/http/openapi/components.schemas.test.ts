import { expect } from "chai";
import { createCollector, toOpenApi30 } from "../../../src/http/openapi/components.ts";

describe("schemas of the description", () => {
  it("collect titled schemas once, at every depth", () => {
    const collector = createCollector();
    const person = { title: "Person", type: "object", properties: { name: { type: "string" } } };
    const list = { title: "People", type: "array", items: person };
    expect(collector.lift({ type: "object", properties: { list, owner: person } })).to.deep.equal({
      type: "object",
      properties: {
        list: { $ref: "#/components/schemas/People" },
        owner: { $ref: "#/components/schemas/Person" },
      },
    });
    expect(collector.collected()).to.deep.equal({
      People: { title: "People", type: "array", items: { $ref: "#/components/schemas/Person" } },
      Person: person,
    });
  });

  it("ignore titles that are sentences, and members named title", () => {
    const collector = createCollector();
    const schema = { title: "a title", properties: { title: { type: "string" } } };
    expect(collector.lift(schema)).to.deep.equal(schema);
    expect(collector.collected()).to.deep.equal({});
  });

  it("reject two different schemas with one title", () => {
    const collector = createCollector();
    collector.lift({ title: "Person", type: "object" });
    expect(() => collector.lift({ title: "Person", type: "array" })).to.throw("title Person");
  });

  for (const [name, input, wanted] of [
    ["null", { type: ["string", "null"] }, { type: "string", nullable: true }],
    [
      "several types",
      { type: ["integer", "string", "null"], description: "x" },
      { description: "x", anyOf: [{ type: "integer" }, { type: "string" }], nullable: true },
    ],
    [
      "a choice with null",
      { anyOf: [{ $ref: "#/x" }, { type: "null" }] },
      { anyOf: [{ $ref: "#/x" }], nullable: true },
    ],
    ["a constant", { type: "string", const: "a" }, { type: "string", enum: ["a"] }],
    ["one type", { type: "string" }, { type: "string" }],
    [
      "members at every depth",
      { properties: { type: { type: ["number", "null"] }, const: { type: "string" } } },
      { properties: { type: { type: "number", nullable: true }, const: { type: "string" } } },
    ],
  ] as const) {
    it(`convert ${name} to OpenAPI 3.0`, () => {
      expect(toOpenApi30(input)).to.deep.equal(wanted);
    });
  }
});
