import { expect } from "chai";
import type { BodyOf } from "../../src/http/schema.ts";

const schema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", maxLength: 10 },
    note: { type: ["string", "null"] },
    color: { type: "string", enum: ["red", "blue"] },
    isOpen: { type: ["boolean", "integer", "string"] },
    ids: { type: "array", items: { type: "integer" } },
  },
} as const;

describe("the type of a body", () => {
  it("follows from its schema", () => {
    const smallest: BodyOf<typeof schema> = { name: "a" };
    const full: BodyOf<typeof schema> = {
      name: "a",
      note: null,
      color: "red",
      isOpen: "1",
      ids: [1],
    };
    // @ts-expect-error: `name` is required
    const nameless: BodyOf<typeof schema> = { note: "a" };
    // @ts-expect-error: not in the list
    const green: BodyOf<typeof schema> = { name: "a", color: "green" };
    // @ts-expect-error: `name` cannot be null
    const nullName: BodyOf<typeof schema> = { name: null };
    expect([smallest, full, nameless, green, nullName]).to.have.length(5);
  });
});
