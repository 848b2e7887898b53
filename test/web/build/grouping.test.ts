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

describe("chunk groups", () => {
  it("contain the modules that the same pages need", () => {
    const atoms = [atom("a", [0, 1]), atom("b", [0, 1]), atom("c", [0]), atom("d", [1])];
    const groups = groupAtoms(atoms, { maxFiles: 2, maxBytes: [1_000, 1_000] });
    expect(sorted(groups)).to.deep.equal(["a+b", "c", "d"]);
  });

  it("are as few as possible while no page exceeds its size limit", () => {
    const atoms = [atom("a", [0, 1]), atom("b", [0]), atom("c", [0]), atom("d", [1])];
    const wide = { maxFiles: 1, maxBytes: [1_000, 1_000] };
    expect(sorted(groupAtoms(atoms, wide))).to.deep.equal(["a+b+c+d"]);
    expect(sorted(groupAtoms(atoms, { ...wide, maxFiles: 3 }))).to.have.length(4);
    const tight = { maxFiles: 1, maxBytes: [300, 200] };
    expect(sorted(groupAtoms(atoms, tight))).to.deep.equal(["a", "b+c", "d"]);
  });

  it("count with all their imports, which a page loads too", () => {
    const atoms = [
      atom("frame", [0], { bytes: 5_000 }),
      atom("of frame", [0], { imports: [0] }),
      atom("shared", [0, 1]),
    ];
    // If the shared module were grouped with the one that imports the frame, the other page would
    // load the frame.
    const groups = groupAtoms(atoms, { maxFiles: 1, maxBytes: [9_000, 1_000] });
    expect(sorted(groups)).to.not.include("of frame+shared");
  });

  it("never import themselves transitively", () => {
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

  it("exclude modules that are imported by name, and those that no entry imports", () => {
    const atoms = [atom("page", [0], { isEntry: true }), atom("a", [0]), atom("dialog", [])];
    expect(sorted(groupAtoms(atoms, { maxFiles: 1, maxBytes: [900] }))).to.deep.equal(["a"]);
  });
});
