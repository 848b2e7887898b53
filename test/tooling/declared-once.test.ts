import { readFile } from "node:fs/promises";
import { expect } from "chai";
import ts from "typescript";
import { listFiles } from "../run/files.ts";

/** Shorter lists are often equal by coincidence. */
const shortestList = 4;

/** Files with a list that another file also has, and the reason. */
const exceptions: Readonly<Record<string, string>> = {
  "src/cli/commands/reconcile.ts": "fields of a response, in two programs",
  "src/media/ocr.ts": "the media types of text recognition; the page shows its button for them",
  "web/console/deliveries/explain/verdict-words.ts": "groups of verdicts, and keys of their counts",
  "web/console/statistics/search.ts": "periods, and their picker",
  "web/console/tickets/detail/customer-card.tsx": "equal by chance: who can answer",
};

/** Type names with different meanings in the pipeline and in signalling. */
const twoMeanings = ["Relay"];

type Found = Map<string, Set<string>>;

function add(found: Found, key: string, file: string): void {
  found.set(key, (found.get(key) ?? new Set()).add(file));
}

/** The strings of a list or a union type; empty if it contains anything else. */
function stringsOf(node: ts.Node): string[] {
  const members = ts.isArrayLiteralExpression(node)
    ? [...node.elements]
    : ts.isUnionTypeNode(node)
      ? node.types.map((type) => (ts.isLiteralTypeNode(type) ? type.literal : type))
      : [];
  const strings = members.filter((member) => ts.isStringLiteral(member));
  return strings.length === members.length ? strings.map(({ text }) => text) : [];
}

describe("declarations", () => {
  const types: Found = new Map();
  const lists: Found = new Map();

  function scan(file: string, source: ts.SourceFile): void {
    const visit = (node: ts.Node): void => {
      if (ts.isTypeAliasDeclaration(node) && file.startsWith("src/")) {
        add(types, node.name.text, file);
      }
      const strings = stringsOf(node);
      if (strings.length >= shortestList) {
        add(lists, strings.toSorted().join(" "), file);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }

  before("read the sources", async () => {
    for (const file of await listFiles(["src", "web"])) {
      if (/\.tsx?$/u.test(file) && !file.endsWith("api-types.ts")) {
        scan(file, ts.createSourceFile(file, await readFile(file, "utf8"), ts.ScriptTarget.Latest));
      }
    }
  });

  it("give each type name of src one meaning", () => {
    expect(types.size).to.be.above(500);
    const twice = [...types].filter(([, files]) => files.size > 1).map(([name]) => name);
    expect(twice).to.have.members(twoMeanings);
  });

  it("list the same values in one place, in src/contracts if shared by pages and server", () => {
    expect(lists.size).to.be.above(100);
    const twice = [...lists].filter(([, files]) => files.size > 1);
    const unknown = twice.filter(([, files]) => ![...files].some((file) => file in exceptions));
    expect(unknown.map(([values, files]) => [values, [...files]])).to.deep.equal([]);
  });
});
