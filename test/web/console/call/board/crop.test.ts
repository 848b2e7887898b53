import { expect } from "chai";
import { cropBetween, toPixels } from "../../../../../web/console/call/board/crop.ts";

const shown = { width: 400, height: 300, naturalWidth: 1600, naturalHeight: 1200 };

describe("a selection on a photo", () => {
  it("is the same from each corner, and stays within the photo", () => {
    const crop = { left: 20, top: 30, width: 380, height: 100 };
    expect(cropBetween({ x: 20, y: 30 }, { x: 450, y: 130 }, shown)).to.deep.equal(crop);
    expect(cropBetween({ x: 450, y: 130 }, { x: 20, y: 30 }, shown)).to.deep.equal(crop);
  });

  it("is empty after a click", () => {
    expect(cropBetween({ x: 20, y: 30 }, { x: 23, y: 31 }, shown)).to.equal(undefined);
  });

  it("is sent in the pixels of the photo", () => {
    const crop = { left: 20, top: 30, width: 380, height: 270 };
    expect(toPixels(crop, shown)).to.deep.equal({ left: 80, top: 120, width: 1520, height: 1080 });
  });
});
