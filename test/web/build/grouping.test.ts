import { expect } from "chai";
import { groupAtoms, type Atom } from "../../../web/build/grouping.ts";

function atom(name: string, pages: number[], more: Partial<Atom> = {}): Atom {
  return {
    ...{ modules: [name], bytes: 100, imports: [], pages, isEntry: false },
    ...more,
  };
}

function sorted(groups: string[][]): string[] {
  return groups.map((names) => names.toSorted().join("+")).toSorted();
}

describe("files that are put together", () => {
  it("are first those that the same pages need", () => {
    const atoms = [atom("a", [0, 1]), atom("b", [0, 1]), atom("c", [0]), atom("d", [1])];
    const groups = groupAtoms(atoms, { maxFiles: 2, maxBytes: [1_000, 1_000] });
    expect(sorted(groups)).to.deep.equal(["a+b", "c", "d"]);
  });

  it("are no more than it takes, and no page loads more than its bound", () => {
    const atoms = [atom("a", [0, 1]), atom("b", [0]), atom("c", [0]), atom("d", [1])];
    const wide = { maxFiles: 1, maxBytes: [1_000, 1_000] };
    expect(sorted(groupAtoms(atoms, wide))).to.deep.equal(["a+b+c+d"]);
    expect(sorted(groupAtoms(atoms, { ...wide, maxFiles: 3 }))).to.have.length(4);
    const tight = { maxFiles: 1, maxBytes: [300, 200] };
    expect(sorted(groupAtoms(atoms, tight))).to.deep.equal(["a", "b+c", "d"]);
  });

  it("count with all that they import: a page gets that as well", () => {
    const atoms = [
      atom("frame", [0], { bytes: 5_000 }),
      atom("of frame", [0], { imports: [0] }),
      atom("shared", [0, 1]),
    ];
    // Together with what imports the frame, the shared one would bring it to the other page.
    const groups = groupAtoms(atoms, { maxFiles: 1, maxBytes: [9_000, 1_000] });
    expect(sorted(groups)).to.not.include("of frame+shared");
  });

  it("never import themselves by way of others", () => {
    const atoms = [
      atom("low", [0]),
      atom("entry", [0], { imports: [0], isEntry: true }),
      atom("high", [0], { imports: [1] }),
    ];
    expect(sorted(groupAtoms(atoms, { maxFiles: 1, maxBytes: [900] }))).to.deep.equal([
      "high",
      "low",
    ]);
  });

  it("leave alone what others ask for by its name, and what no page begins with", () => {
    const atoms = [atom("page", [0], { isEntry: true }), atom("a", [0]), atom("dialog", [])];
    expect(sorted(groupAtoms(atoms, { maxFiles: 1, maxBytes: [900] }))).to.deep.equal(["a"]);
  });
});
