import { expect } from "chai";
import {
  checkConditions,
  compileConditions,
  explainConditions,
} from "../../../src/pipeline/ledger/conditions.ts";

const payload = {
  event: "update",
  time: 1_774_000_000,
  object: "ticket",
  objectId: 1000,
  props: {
    state: "done",
    note: null,
    score: 7,
    geoloc: { latitude: 48.1, longitude: 11.5 },
    tags: ["vip", "roof"],
    ids: [3, 8],
    rows: [
      { kind: "photo", size: 10 },
      { kind: "video", size: 900 },
    ],
  },
};

function holds(conditions: unknown, input: unknown = payload): boolean {
  return compileConditions(checkConditions(conditions))(input);
}

describe("conditions", () => {
  const cases: [string, unknown, boolean][] = [
    ["a value at a path", { "props.state": "done" }, true],
    ["another value", { "props.state": "new" }, false],
    ["several at once, of which one fails", { event: "update", "props.score": 8 }, false],
    ["$eq", { "props.score": { $eq: 7 } }, true],
    ["$eq of an object, exactly", { "props.geoloc": { latitude: 48.1, longitude: 11.5 } }, true],
    ["an object with less in it", { "props.geoloc": { latitude: 48.1 } }, false],
    ["$eq of an array", { "props.ids": { $eq: [3, 8] } }, true],
    ["null and a null value", { "props.note": null }, true],
    ["null and a missing member", { "props.nothing": null }, true],
    ["null and another value", { "props.state": null }, false],
    ["$ne", { "props.state": { $ne: "new" } }, true],
    ["$ne of what is there", { "props.state": { $ne: "done" } }, false],
    ["$ne and a missing member", { "props.nothing": { $ne: "x" } }, true],
    ["$ne of one of several", { "props.tags": { $ne: "vip" } }, false],
    ["$gt", { "props.score": { $gt: 6 } }, true],
    ["$gt at the bound", { "props.score": { $gt: 7 } }, false],
    ["$gte and $lte", { "props.score": { $gte: 7, $lte: 7 } }, true],
    ["$lt of text", { "props.state": { $lt: "e" } }, true],
    ["a number against text", { "props.score": { $gt: "6" } }, false],
    ["$lt and a null value", { "props.note": { $lt: 1 } }, false],
    ["$in", { "props.state": { $in: ["new", "done"] } }, true],
    ["$in with null, and a missing member", { "props.nothing": { $in: [null] } }, true],
    ["$in of an array's items", { "props.ids": { $in: [8, 9] } }, true],
    ["$nin", { "props.state": { $nin: ["new", "open"] } }, true],
    ["$nin of an array's items", { "props.ids": { $nin: [8] } }, false],
    ["$exists", { "props.note": { $exists: true } }, true],
    ["$exists, not there", { "props.nothing": { $exists: false } }, true],
    ["$and", { $and: [{ event: "update" }, { "props.score": 7 }] }, true],
    ["$or", { $or: [{ event: "create" }, { "props.score": 7 }] }, true],
    ["$or of nothing that holds", { $or: [{ event: "create" }, { "props.score": 8 }] }, false],
    ["$nor", { $nor: [{ event: "create" }, { "props.score": 8 }] }, true],
    ["$not", { "props.score": { $not: { $gt: 10 } } }, true],
    ["$not of what holds", { "props.score": { $not: { $gt: 1 } } }, false],
    ["$not and a missing member", { "props.nothing": { $not: { $eq: 1 } } }, true],
    ["$all", { "props.tags": { $all: ["roof", "vip"] } }, true],
    ["$all with one missing", { "props.tags": { $all: ["roof", "car"] } }, false],
    ["$size", { "props.tags": { $size: 2 } }, true],
    ["$size of another", { "props.tags": { $size: 3 } }, false],
    ["$mod", { "props.score": { $mod: [4, 3] } }, true],
    ["$mod of another", { "props.score": { $mod: [4, 2] } }, false],
    ["$type string", { "props.state": { $type: "string" } }, true],
    ["$type number", { "props.state": { $type: "number" } }, false],
    ["$type object", { "props.geoloc": { $type: "object" } }, true],
    ["$type array", { "props.tags": { $type: "array" } }, true],
    ["$type null", { "props.note": { $type: "null" } }, true],
    ["a path through an array", { "props.rows.kind": "video" }, true],
    ["a place in an array", { "props.rows.0.kind": "video" }, false],
    [
      "$elemMatch on one item",
      { "props.rows": { $elemMatch: { kind: "video", size: 900 } } },
      true,
    ],
    [
      "$elemMatch across two items",
      { "props.rows": { $elemMatch: { kind: "video", size: 10 } } },
      false,
    ],
    ["$elemMatch of values", { "props.ids": { $elemMatch: { $gt: 3, $lt: 9 } } }, true],
    ["$elemMatch of values, none", { "props.ids": { $elemMatch: { $gt: 3, $lt: 8 } } }, false],
    [
      "$or inside $elemMatch",
      { "props.rows": { $elemMatch: { $or: [{ kind: "audio" }, { size: { $gte: 900 } }] } } },
      true,
    ],
    ["the time of the event", { time: { $gte: 1_774_000_000 } }, true],
    ["the object's id", { objectId: { $in: [1000] } }, true],
  ];
  for (const [title, conditions, expected] of cases) {
    it(`says ${expected ? "yes" : "no"} to ${title}`, () => {
      expect(holds(conditions)).to.equal(expected);
    });
  }

  it("keeps the submitted text", () => {
    expect(checkConditions({ "props.state": { $in: ["done"] } })).to.equal(
      '{"props.state":{"$in":["done"]}}',
    );
  });

  it("matches a payload that cannot be evaluated in time, so that its event is not lost", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`) as unknown;
    expect(holds({ "props.state": "new" }, { ...payload, props: deep })).to.equal(true);
    expect(compileConditions("no query")(payload)).to.equal(true);
    expect(compileConditions('{"a":{"$where":"1"}}')(payload)).to.equal(true);
  });

  describe("explained", () => {
    const explain = (conditions: unknown): unknown =>
      explainConditions(checkConditions(conditions), payload);

    it("returns nothing if all match", () => {
      expect(explain({ "props.state": "done" })).to.deep.equal([]);
    });

    it("returns each unmet part with the payload's values", () => {
      expect(
        explain({ event: "update", "props.state": "new", "props.score": { $gt: 10 } }),
      ).to.deep.equal([
        {
          condition: '{"props.state":"new"}',
          found: [{ path: "props.state", value: '"done"' }],
        },
        {
          condition: '{"props.score":{"$gt":10}}',
          found: [{ path: "props.score", value: "7" }],
        },
      ]);
    });

    it("splits $and, and shows every path of an $or", () => {
      expect(
        explain({
          $and: [{ event: "update" }, { $or: [{ "props.none": 1 }, { "props.rows.kind": "x" }] }],
        }),
      ).to.deep.equal([
        {
          condition: '{"$or":[{"props.none":1},{"props.rows.kind":"x"}]}',
          found: [
            { path: "props.none", value: null },
            { path: "props.rows.kind", value: '["photo","video"]' },
          ],
        },
      ]);
    });

    it("cuts long values", () => {
      const conditions = checkConditions({ "props.text": "a" });
      const [unmet] = explainConditions(conditions, { props: { text: "b".repeat(500) } });
      expect(unmet?.found[0]?.value).to.have.length(101);
    });

    it("does not cut a long value inside of a character", () => {
      const conditions = checkConditions({ "props.text": "a" });
      const text = `${"b".repeat(98)}😀😀`;
      const [unmet] = explainConditions(conditions, { props: { text } });
      expect(unmet?.found[0]?.value).to.equal(`"${"b".repeat(98)}…`);
    });
  });
});
