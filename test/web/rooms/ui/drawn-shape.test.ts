import { expect } from "chai";
import type { Shape } from "../../../../src/contracts/room-messages.ts";
import { beginShape, growShape, isVisible } from "../../../../web/rooms/ui/drawn-shape.ts";

const begin = (tool: Shape["tool"], shapes: readonly Shape[] = []): Shape =>
  beginShape({ id: "new", tool, color: "#e6003c", point: { x: 0.5, y: 0.5 } }, shapes);

describe("a shape while it is drawn", () => {
  it("grows as a line, and follows the pointer as an arrow", () => {
    const points = [
      { x: 0.6, y: 0.5 },
      { x: 0.7, y: 0.5 },
    ];
    expect(points.reduce(growShape, begin("pen")).points).to.have.length(3);
    expect(points.reduce(growShape, begin("arrow")).points).to.deep.equal([
      { x: 0.5, y: 0.5 },
      { x: 0.7, y: 0.5 },
    ]);
  });

  it("ignores invisible movements", () => {
    const shape = begin("pen");
    expect(growShape(shape, { x: 0.5001, y: 0.5 })).to.equal(shape);
  });

  it("numbers arrows in order", () => {
    const first = begin("arrow");
    expect(first.number).to.equal(1);
    expect(begin("arrow", [{ ...first, number: 4 }]).number).to.equal(5);
    expect(begin("circle", [first]).number).to.equal(undefined);
  });

  it("is empty for an arrow without length, or a text without letters", () => {
    expect(isVisible(begin("arrow"))).to.equal(false);
    expect(isVisible(growShape(begin("arrow"), { x: 0.9, y: 0.9 }))).to.equal(true);
    expect(isVisible({ ...begin("text"), text: "  " })).to.equal(false);
    expect(isVisible(begin("pen"))).to.equal(true);
  });
});
