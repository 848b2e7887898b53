import { expect } from "chai";
import { Problem } from "../../../src/contracts/problems.ts";
import { checkConditions } from "../../../src/pipeline/ledger/condition-grammar.ts";

function problemOf(conditions: unknown): Problem {
  try {
    checkConditions(conditions);
  } catch (thrown) {
    if (thrown instanceof Problem) {
      return thrown;
    }
    throw thrown;
  }
  throw new Error(`Accepted: ${JSON.stringify(conditions)}`);
}

function nest(levels: number): unknown {
  return levels === 0 ? 1 : { props: undefined, ...{ a: nest(levels - 1) } };
}

describe("the grammar of conditions", () => {
  const refused: [string, unknown, string, string][] = [
    ["no object", "x", "type", "conditions: It must be an object."],
    ["an array", [{ event: "update" }], "type", "conditions: It must be an object."],
    ["nothing", {}, "empty", "conditions: It must not be empty."],
    [
      "code",
      { $where: "sleep(1000)" },
      "unknown",
      "conditions.$where: The operator $where is not allowed here.",
    ],
    [
      "a pattern",
      { "props.state": { $regex: "(a+)+$" } },
      "unknown",
      "conditions.props.state.$regex: The operator $regex is not allowed here.",
    ],
    [
      "an operator in a value",
      { "props.geoloc": { $eq: { a: { $where: "1" } } } },
      "unknown",
      "conditions.props.geoloc.$eq.a.$where: The operator $where is not allowed here.",
    ],
    [
      "$or below a field",
      { "props.state": { $or: [{ $eq: 1 }] } },
      "unknown",
      "conditions.props.state.$or: The operator $or is not allowed here.",
    ],
    [
      "operators and names side by side",
      { "props.geoloc": { $exists: true, latitude: 1 } },
      "unknown",
      "conditions.props.geoloc.latitude: The name latitude is not allowed here.",
    ],
    [
      "a path that no payload has",
      { state: "done" },
      "unknown",
      "conditions.state: A path must start with event, time, object, objectId, props.",
    ],
    [
      "the same inside $and",
      { $and: [{ event: "update" }, { $or: [{ state: "done" }] }] },
      "unknown",
      "conditions.$and.1.$or.0.state: A path must start with event, time, object, objectId, props.",
    ],
    [
      "an empty name in a path",
      { "props..a": 1 },
      "format",
      "conditions.props..a: A path has 1 to 20 names, separated by dots.",
    ],
    [
      "an inherited name",
      { "props.constructor.name": 1 },
      "format",
      "conditions.props.constructor.name: The name constructor is not allowed.",
    ],
    [
      "__proto__ in a value",
      JSON.parse('{"props.a": {"$eq": {"__proto__": {"x": 1}}}}'),
      "format",
      "conditions.props.a.$eq.__proto__: The name __proto__ is not allowed.",
    ],
    [
      "__proto__ as a path",
      JSON.parse('{"__proto__": {"$where": "1"}}'),
      "format",
      "conditions.__proto__: The name __proto__ is not allowed.",
    ],
    [
      "$in of nothing",
      { event: { $in: [] } },
      "length",
      "conditions.event.$in: It must have 1 to 100 items.",
    ],
    [
      "$in of objects",
      { event: { $in: [{ a: 1 }] } },
      "type",
      "conditions.event.$in.0: It must be text, a number, true, false or null.",
    ],
    [
      "$gt of an object",
      { time: { $gt: {} } },
      "type",
      "conditions.time.$gt: It must be text or a number.",
    ],
    [
      "$mod by 0",
      { time: { $mod: [0, 1] } },
      "type",
      "conditions.time.$mod: It must be [divisor, remainder], two whole numbers, the first not 0.",
    ],
    [
      "an unknown type",
      { time: { $type: "int" } },
      "type",
      "conditions.time.$type: It must be one of string, number, bool, object, array, null.",
    ],
    ["$or of no array", { $or: { event: 1 } }, "type", "conditions.$or: It must be an array."],
    ["an empty branch", { $or: [{}] }, "empty", "conditions.$or.0: It must not be empty."],
    [
      "$not of a value",
      { time: { $not: 5 } },
      "type",
      "conditions.time.$not: It must be an object.",
    ],
  ];
  for (const [title, conditions, reason, detail] of refused) {
    it(`rejects ${title} with the position`, () => {
      const { kind, message, errors } = problemOf(conditions);
      expect({ kind, message, errors }).to.deep.equal({
        kind: "invalid_parameter",
        message: detail,
        errors: [{ field: "conditions", reason }],
      });
    });
  }

  it("rejects queries above its limits, in any form", () => {
    const many = Array.from({ length: 101 }, (_, index) => index);
    expect(problemOf({ objectId: { $in: many } }).errors[0]?.reason).to.equal("length");
    const clauses = Array.from({ length: 60 }, (_, index) => [`props.p${index}`, index]);
    expect(problemOf(Object.fromEntries(clauses)).message).to.contain("at most 50 comparisons");
    expect(problemOf({ "props.a": "x".repeat(5_000) }).message).to.contain("4096 bytes");
    expect(problemOf({ "props.a": nest(20) }).message).to.contain("at most 8 levels deep");
    expect(problemOf({ "props.a": nest(5_000) }).message).to.contain("at most 8 levels deep");
  });
});
