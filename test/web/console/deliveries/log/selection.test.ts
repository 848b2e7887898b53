import { expect } from "chai";
import type { Row } from "../../../../../web/console/deliveries/log/pages.ts";
import {
  mostSelected,
  nothingSelected,
  rangeOf,
  replayable,
  retryable,
  setSelected,
  stateOfAll,
} from "../../../../../web/console/deliveries/log/selection.ts";

function aRow(id: number, status: Row["status"] = "dead", deleted = false): Row {
  return { id, status, webhook: { id: 1, name: "CRM", origin: null, deleted } } as Row;
}

const rows = [5, 4, 3, 2, 1].map((id) => aRow(id));
function idsOf(some: Iterable<Row>): number[] {
  return [...some].map(({ id }) => id);
}

describe("the selection of deliveries", () => {
  it("adds and removes rows, and keeps rows that are no longer shown", () => {
    const some = setSelected(nothingSelected, rows.slice(0, 2), true);
    expect([...some.keys()]).to.deep.equal([5, 4]);
    expect([...setSelected(some, [aRow(4)], false).keys()]).to.deep.equal([5]);
    expect(stateOfAll(some, rows)).to.equal("some");
    expect(stateOfAll(some, rows.slice(0, 2))).to.equal("all");
    expect(stateOfAll(some, [aRow(9)])).to.equal("none");
  });

  it("extends from one row to another, in both directions", () => {
    expect(idsOf(rangeOf(rows, 4, 2))).to.deep.equal([4, 3, 2]);
    expect(idsOf(rangeOf(rows, 2, 4))).to.deep.equal([4, 3, 2]);
    expect(idsOf(rangeOf(rows, undefined, 3))).to.deep.equal([3]);
    expect(idsOf(rangeOf(rows, 99, 3)), "the first is gone").to.deep.equal([3]);
    expect(idsOf(rangeOf(rows, 3, 99))).to.deep.equal([]);
  });

  it("has a limit, up to which all rows can be selected", () => {
    const many = Array.from({ length: mostSelected + 10 }, (_, id) => aRow(id + 1));
    const all = setSelected(nothingSelected, many, true);
    expect(all.size).to.equal(mostSelected);
    expect(stateOfAll(all, many)).to.equal("all");
  });

  it("knows which rows can be replayed, and which wait for a retry", () => {
    const mixed = [
      ...[aRow(1, "dead"), aRow(2, "retry"), aRow(3, "delivered"), aRow(4, "paused")],
      ...[aRow(5, "available"), aRow(6, "cancelled", true), aRow(7, "sending")],
    ];
    const selection = setSelected(nothingSelected, mixed, true);
    expect(replayable(selection)).to.deep.equal([1, 3]);
    expect(retryable(selection)).to.deep.equal([2]);
  });
});
