import { readFile } from "node:fs/promises";
import { expect } from "chai";
import ts from "typescript";
import { listFiles } from "../run/files.ts";
import { ambiguousPartsOf } from "../support/slow-patterns.ts";

/** The regular expressions that a file contains as literals. */
function expressionsIn(file: string, text: string): { source: string; flags: string }[] {
  const found: { source: string; flags: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return found;
}

describe("regular expressions of the processes", () => {
  it("cannot read a part of a text in several ways", async () => {
    const files = (await listFiles(["src"])).filter((file) => file.endsWith(".ts"));
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
    const all = files.flatMap((file, index) =>
      expressionsIn(file, texts[index] ?? "").map((expression) => ({ file, ...expression })),
    );
    expect(all).to.have.length.above(100);
    const slow = all.flatMap(({ file, ...expression }) => {
      const parts = ambiguousPartsOf(expression);
      return parts.length === 0 ? [] : [{ file, ...expression, parts }];
    });
    expect(slow).to.deep.equal([]);
  });
});
