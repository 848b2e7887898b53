import { expect } from "chai";
import { conditionFields } from "../../../../../web/console/webhooks/conditions/fields.ts";
import {
  isWrongKind,
  queryOf,
  rowsOf,
  type Row,
} from "../../../../../web/console/webhooks/conditions/rows.ts";

const fields = conditionFields(["ticket"], ["media.OCRDone"]);
function kindOf(path: string) {
  return fields.find((field) => field.path === path)?.kind ?? "any";
}
function row(field: string, operator: Row["operator"], ...values: string[]): Row {
  return {
    ...{ field, operator, values },
  };
}

describe("conditions as form rows", () => {
  it("convert to the equivalent query", () => {
    expect(
      queryOf(
        [
          row("props.state", "in", "done", "closed"),
          row("props.geoloc", "exists"),
          row("object", "eq", "ticket"),
          row("props.eventCode", "gte", "40"),
          row("props.eventCode", "lt", "50"),
          row("", "eq", "left out"),
        ],
        kindOf,
      ),
    ).to.deep.equal({
      "props.state": { $in: ["done", "closed"] },
      "props.geoloc": { $exists: true },
      object: "ticket",
      "props.eventCode": { $gte: 40, $lt: 50 },
    });
    expect(queryOf([], kindOf)).to.equal(null);
  });

  it("support two conditions on one field", () => {
    const rows = [row("props.state", "ne", "new"), row("props.state", "ne", "open")];
    const query = queryOf(rows, kindOf);
    expect(query).to.deep.equal({
      "props.state": { $ne: "new" },
      $and: [{ "props.state": { $ne: "open" } }],
    });
    expect(rowsOf(query, kindOf)).to.deep.equal(rows);
  });

  it("round-trip, with texts that look like numbers as texts", () => {
    const rows = [
      row("props.text", "eq", "42"),
      row("props.newPriority", "eq", '"42"'),
      row("props.oldPriority", "eq", "42"),
      row("objectId", "in", "1001", "8f14e45f"),
      row("props.geoloc", "absent"),
    ];
    const query = queryOf(rows, kindOf);
    expect(query).to.deep.include({
      "props.text": "42",
      "props.newPriority": "42",
      "props.oldPriority": 42,
      objectId: { $in: [1001, "8f14e45f"] },
    });
    expect(rowsOf(query, kindOf)).to.deep.equal(rows);
  });

  it("do not support every query", () => {
    for (const query of [
      { $or: [{ event: "create" }] },
      { "props.state": { $not: { $eq: "new" } } },
      { "props.geoloc": { lat: 1 } },
      { "props.x": {} },
      { "props.x": [1] },
      // As rows, these values would become texts.
      { "props.state": null },
      { "props.state": { $ne: null } },
      { "props.state": { $in: ["new", null] } },
      { "props.text": 42 },
      { "props.ticketId": { $in: [1, null] } },
      { "props.ticketId": true },
      { "props.ticketId": "5" },
    ]) {
      expect(rowsOf(query, kindOf), JSON.stringify(query)).to.equal(undefined);
    }
    expect(rowsOf(null, kindOf)).to.deep.equal([]);
  });

  it("keep null and truth values of fields of any kind", () => {
    const query = {
      "props.geoloc": null,
      "props.newPriority": { $in: [true, null, "null", "a "] },
    };
    expect(queryOf(rowsOf(query, kindOf) ?? [], kindOf)).to.deep.equal(query);
  });

  it("match nothing, rather than everything, while a list or value is empty", () => {
    expect(queryOf([row("props.state", "in")], kindOf)).to.deep.equal({
      "props.state": { $in: [""] },
    });
    expect(queryOf([row("props.state", "eq")], kindOf)).to.deep.equal({ "props.state": "" });
  });

  it("parse a number if one is required", () => {
    expect(isWrongKind(row("time", "gt", "soon"), "number")).to.equal(true);
    expect(isWrongKind(row("time", "gt", "1795216792"), "number")).to.equal(false);
    expect(isWrongKind(row("time", "exists"), "number")).to.equal(false);
  });
});
