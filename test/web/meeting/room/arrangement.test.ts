import { expect } from "chai";
import { arrange } from "../../../../web/meeting/room/arrangement.ts";
import { gridFor } from "../../../../web/meeting/room/grid-layout.ts";

const person = (id: string, isSharing = false) => ({ id, isSharing });

describe("the layout of a meeting", () => {
  const put = (others: ReturnType<typeof person>[], pinnedId?: string) =>
    arrange({ selfId: "me", others, pinnedId });

  it("shows one person large, several in a grid", () => {
    expect(put([])).to.deep.equal({ kind: "alone" });
    expect(put([person("a")])).to.deep.equal({ kind: "pair", large: "a" });
    expect(put([person("a"), person("b")])).to.deep.equal({ kind: "grid", ids: ["a", "b", "me"] });
  });

  it("shows the latest shared screen large, with the participants in a strip", () => {
    expect(put([person("a", true), person("b", true)])).to.deep.equal({
      ...{ kind: "large", large: { id: "b", what: "screen" } },
      strip: ["a", "b", "me"],
    });
  });

  it("shows the pinned participant large while present", () => {
    expect(put([person("a", true), person("b")], "b")).to.deep.equal({
      ...{ kind: "large", large: { id: "b", what: "camera" } },
      strip: ["a", "me"],
    });
    expect(put([person("a"), person("b")], "gone").kind).to.equal("grid");
  });
});

describe("the grid of a meeting", () => {
  const shape = (count: number, width: number, height: number) => {
    const { columns, rows } = gridFor(count, { width, height }, 10);
    return [columns, rows];
  };

  it("has as few empty cells as the window allows", () => {
    expect(shape(2, 1256, 674)).to.deep.equal([2, 1]);
    expect(shape(3, 1256, 674)).to.deep.equal([2, 2]);
    expect(shape(4, 1256, 674)).to.deep.equal([2, 2]);
    expect(shape(6, 1256, 674)).to.deep.equal([3, 2]);
    expect(shape(3, 374, 720)).to.deep.equal([1, 3]);
    expect(shape(6, 374, 720)).to.deep.equal([2, 3]);
  });

  it("never makes tiles larger than the window, or distorted", () => {
    for (let count = 1; count <= 6; count += 1) {
      for (const [width, height] of [
        [1256, 674],
        [374, 720],
        [320, 200],
        [0, 0],
      ] as const) {
        const { columns, rows, tile } = gridFor(count, { width, height }, 10);
        expect(columns * rows).to.be.at.least(count);
        expect(columns * tile.width + (columns - 1) * 10).to.be.at.most(
          Math.max(width, 10 * count),
        );
        if (tile.height > 0 && tile.width > 0) {
          expect(tile.width / tile.height).to.be.within(0.79, 1.79);
        }
      }
    }
  });
});
