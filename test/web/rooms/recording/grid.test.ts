import { expect } from "chai";
import { gridOf } from "../../../../web/rooms/recording/grid.ts";

describe("the pictures of a recording", () => {
  it("fill the frame with one person", () => {
    expect(gridOf(1, 1280, 720)).to.deep.equal([{ left: 0, top: 0, width: 1280, height: 720 }]);
  });

  it("are side by side with two", () => {
    expect(gridOf(2, 1280, 720).map(({ left }) => left)).to.deep.equal([0, 640]);
  });

  it("have a centred last row", () => {
    const cells = gridOf(3, 1200, 600);
    expect(cells[2]).to.deep.equal({ left: 300, top: 300, width: 600, height: 300 });
  });

  it("are empty without participants", () => {
    expect(gridOf(0, 1280, 720)).to.deep.equal([]);
  });
});
