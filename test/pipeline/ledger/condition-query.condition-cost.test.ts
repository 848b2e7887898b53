import { expect } from "chai";
import { checkConditions, compileConditions } from "../../../src/pipeline/ledger/conditions.ts";
import { promised } from "../../support/promised.ts";

const payload = { event: "update", time: 1, object: "ticket", objectId: 1000, props: {} };

describe("the cost of conditions", () => {
  it("evaluates the largest payload with the largest query within 50 ms", () => {
    const tests = Array.from({ length: 49 }, () => ({ $gt: 1 }));
    const queries = [
      { $and: tests.map(() => ({ "props.a": { $nin: ["x"] } })) },
      { "props.a": { $all: Array.from({ length: 100 }, (_, index) => index) } },
      { "props.a": { $not: { $not: { $not: { $not: { $eq: 1 } } } } } },
      { "props.a": { $elemMatch: { $elemMatch: { $elemMatch: { $elemMatch: { $eq: 1 } } } } } },
      { "props.a": { $elemMatch: { $not: { $elemMatch: { $not: { $eq: [1, 2] } } } } } },
      { "props.a": { $eq: Array.from({ length: 100 }, () => 0) } },
      { "props.a.a.a.a": { $ne: 0 } },
    ].map((query) => compileConditions(checkConditions(query)));
    const flat = `[${"0,".repeat(127_000)}0]`;
    const lists = `[${"[0,0,0,0],".repeat(25_000)}[]]`;
    const nested = `${"[".repeat(60)}${"0,".repeat(120_000)}0${"]".repeat(60)}`;
    const deep = `${"[".repeat(125_000)}${"]".repeat(125_000)}`;
    const objects = `[${'{"a":[{"a":[0]}]},'.repeat(14_000)}{}]`;
    const some = `[${"[0,0,0,0],".repeat(1_200)}[]]`;
    for (const a of [flat, lists, nested, deep, objects, some]) {
      expect(a.length).to.be.at.most(262_144);
      const input = { ...payload, props: { a: JSON.parse(a) as unknown } };
      for (const query of queries) {
        const times = [1, 2, 3, 4, 5].map(() => {
          const from = performance.now();
          query(input);
          return performance.now() - from;
        });
        expect(Math.min(...times)).to.be.below(promised(50));
      }
    }
  });
});
