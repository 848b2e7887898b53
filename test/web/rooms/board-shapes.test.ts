import { expect } from "chai";
import type { Shape } from "../../../src/contracts/room-messages.ts";
import {
  applyChange,
  changesTo,
  compactShape,
  type Board,
} from "../../../web/rooms/board-shapes.ts";

function pen(id: string, count = 2): Shape {
  const points = Array.from({ length: count }, (_, index) => ({ x: index / count, y: 0.123456 }));
  return { id, tool: "pen", color: "#e6003c", points };
}

const board: Board = { mediaId: 7, shapes: [pen("a"), pen("b")] };
const idsOf = (one: Board | undefined): string[] => (one?.shapes ?? []).map(({ id }) => id);

describe("a change of the drawing board", () => {
  it("opens it with what is drawn already, and closes it", () => {
    const opened = applyChange(undefined, { op: "open", mediaId: 7, shapes: [pen("a")] });
    expect(opened).to.deep.equal({ mediaId: 7, shapes: [pen("a")] });
    expect(applyChange(opened, { op: "close" })).to.equal(undefined);
  });

  it("adds a shape, and replaces one that still grows in its place", () => {
    expect(idsOf(applyChange(board, { op: "put", shape: pen("c") }))).to.deep.equal([
      "a",
      "b",
      "c",
    ]);
    const grown = applyChange(board, { op: "put", shape: pen("a", 9) });
    expect(idsOf(grown)).to.deep.equal(["a", "b"]);
    expect(grown?.shapes[0]?.points).to.have.length(9);
  });

  it("removes one, or all", () => {
    expect(idsOf(applyChange(board, { op: "remove", id: "a" }))).to.deep.equal(["b"]);
    expect(applyChange(board, { op: "clear" })).to.deep.equal({ mediaId: 7, shapes: [] });
  });

  it("does nothing to a board that is closed", () => {
    expect(applyChange(undefined, { op: "put", shape: pen("a") })).to.equal(undefined);
  });
});

describe("the board for somebody who comes later", () => {
  const follow = (one: Board): Board | undefined =>
    changesTo(one).reduce<Board | undefined>(applyChange, undefined);

  it("is one message", () => {
    expect(changesTo(board)).to.have.length(1);
    expect(follow(board)).to.deep.equal(board);
  });

  it("is several messages, each within the limit of the server, if much is drawn", () => {
    const large = { mediaId: 7, shapes: Array.from({ length: 40 }, (_, at) => pen(`${at}`, 200)) };
    for (const change of changesTo(large)) {
      expect(JSON.stringify(change).length).to.be.below(60_000);
    }
    expect(follow(large)).to.deep.equal(large);
  });
});

describe("a shape as it is sent", () => {
  it("has at most 200 points, among them the first and the last", () => {
    const { points } = compactShape(pen("a", 1_000));
    expect(points).to.have.length(200);
    expect(points[0]?.x).to.equal(0);
    expect(points[199]?.x).to.equal(0.999);
  });

  it("is within the picture, in four digits", () => {
    const { points } = compactShape({
      ...pen("a"),
      points: [
        { x: -0.2, y: 1.00001 },
        { x: 1 / 3, y: 0 },
      ],
    });
    expect(points).to.deep.equal([
      { x: 0, y: 1 },
      { x: 0.3333, y: 0 },
    ]);
  });
});
