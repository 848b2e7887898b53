import { expect } from "chai";
import {
  containedRect,
  toFraction,
  toNearestFraction,
  toPosition,
} from "../../../../web/rooms/ui/letterbox.ts";

const box = { width: 400, height: 400 };

describe("a letterboxed picture", () => {
  const wide = containedRect(box, { width: 1600, height: 800 });
  const tall = containedRect(box, { width: 800, height: 1600 });

  it("has bars above and below, or on the sides", () => {
    expect(wide).to.deep.equal({ left: 0, top: 100, width: 400, height: 200 });
    expect(tall).to.deep.equal({ left: 100, top: 0, width: 200, height: 400 });
  });

  it("converts positions to fractions of the picture, and back", () => {
    expect(toFraction({ x: 200, y: 150 }, wide)).to.deep.equal({ x: 0.5, y: 0.25 });
    expect(toPosition({ x: 0.5, y: 0.25 }, wide)).to.deep.equal({ x: 200, y: 150 });
  });

  it("has no fraction for the bars, except its edge for a line that leaves the picture", () => {
    expect(toFraction({ x: 200, y: 50 }, wide)).to.equal(undefined);
    expect(toNearestFraction({ x: 200, y: 50 }, wide)).to.deep.equal({ x: 0.5, y: 0 });
    expect(toNearestFraction({ x: 900, y: 350 }, wide)).to.deep.equal({ x: 1, y: 1 });
  });

  it("has no position without a size", () => {
    const none = containedRect(box, { width: 0, height: 0 });
    expect(toFraction({ x: 10, y: 10 }, none)).to.equal(undefined);
    expect(toNearestFraction({ x: 0, y: 0 }, none)).to.deep.equal({ x: 0, y: 0 });
  });
});
