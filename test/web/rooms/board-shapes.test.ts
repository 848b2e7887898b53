import { expect } from "chai";
import type { Shape } from "../../../src/contracts/room-messages.ts";
import {
  applyChange,
  compactShape,
  mergeShapes,
  splitShapes,
  type Board,
} from "../../../web/rooms/board-shapes.ts";

function pen(id: string, count = 2): Shape {
  const points = Array.from({ length: count }, (_, index) => ({ x: index / count, y: 0.123456 }));
  return { id, tool: "pen", color: "#e6003c", points };
}

const board: Board = { mediaId: 7, shapes: [pen("a"), pen("b")] };
const idsOf = (one: Board | undefined): string[] => (one?.shapes ?? []).map(({ id }) => id);

describe("a change of the drawing board", () => {
  it("opens it with the existing shapes, and closes it", () => {
    const opened = applyChange(undefined, { op: "open", mediaId: 7, shapes: [pen("a")] });
    expect(opened).to.deep.equal({ mediaId: 7, shapes: [pen("a")] });
    expect(applyChange(opened, { op: "close" })).to.equal(undefined);
  });

  it("adds a shape, or replaces it while it is being drawn", () => {
    expect(idsOf(applyChange(board, { op: "put", shape: pen("c") }))).to.deep.equal([
      "a",
      "b",
      "c",
    ]);
    const grown = applyChange(board, { op: "put", shape: pen("a", 9) });
    expect(idsOf(grown)).to.deep.equal(["a", "b"]);
    expect(grown?.shapes[0]?.points).to.have.length(9);
  });

  it("removes one shape, or all", () => {
    expect(idsOf(applyChange(board, { op: "remove", id: "a" }))).to.deep.equal(["b"]);
    expect(applyChange(board, { op: "clear" })).to.deep.equal({ mediaId: 7, shapes: [] });
  });

  it("is ignored on a closed board", () => {
    expect(applyChange(undefined, { op: "put", shape: pen("a") })).to.equal(undefined);
  });
});

describe("the shapes of a board message", () => {
  it("fit into one message", () => {
    const { first, rest } = splitShapes(board.shapes);
    expect(first).to.deep.equal(board.shapes);
    expect(rest).to.deep.equal([]);
  });

  it("are split within the size limit of the server", () => {
    const shapes = Array.from({ length: 40 }, (_, at) => pen(`${at}`, 200));
    const { first, rest } = splitShapes(shapes);
    expect(JSON.stringify(first).length).to.be.within(20_000, 60_000);
    expect([...first, ...rest]).to.deep.equal(shapes);
  });
});

describe("the merged shapes of two pages", () => {
  const nothing = new Set<string>();
  const ids = (shapes: readonly Shape[]): string[] => shapes.map(({ id }) => id);

  it("keep the order of one page, without removed shapes", () => {
    const sides = { mine: [pen("a"), pen("m")], theirs: [pen("t"), pen("a"), pen("x")] };
    const rules = { own: nothing, removed: new Set(["x"]) };
    expect(ids(mergeShapes({ ...sides, ...rules, isTheirOrder: true }))).to.deep.equal([
      ...["t", "a", "m"],
    ]);
    expect(ids(mergeShapes({ ...sides, ...rules, isTheirOrder: false }))).to.deep.equal([
      ...["a", "m", "t"],
    ]);
  });

  it("are the version of their author", () => {
    const sides = { mine: [pen("a", 9), pen("b", 2)], theirs: [pen("a", 2), pen("b", 9)] };
    const rules = { own: new Set(["a"]), removed: nothing, isTheirOrder: true };
    const merged = mergeShapes({ ...sides, ...rules });
    expect(merged.map(({ points }) => points.length)).to.deep.equal([9, 9]);
  });
});

describe("a serialized shape", () => {
  it("has at most 200 points, including the first and the last", () => {
    const { points } = compactShape(pen("a", 1_000));
    expect(points).to.have.length(200);
    expect(points[0]?.x).to.equal(0);
    expect(points[199]?.x).to.equal(0.999);
  });

  it("is clamped to the picture, with four digits", () => {
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
