import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { readPage, sectionOf, tableOf, wordsOf } from "../support/markdown.ts";

/** Small enough for a new contributor to read them all. */
const maxFiles = 50;

type Step = { file: string; symbol: string };

/** Not part of the path, as the page says. */
const leftOutFolders = /^src\/(?:compose|contracts|platform\/db)\//u;

/** Run for an event, although no listed file imports them: `src/compose` passes them in. */
const passedIn = [
  ...["src/platform/secret-box.ts", "src/http/rate-store.ts"],
  "src/platform/process-control.ts",
];

function withoutMarks(cell = ""): string {
  return cell.replaceAll("`", "");
}

/** The files that this one imports, except those of which it only needs types. */
async function importsOf(file: string): Promise<string[]> {
  const source = await readFile(file, "utf8");
  return [...source.matchAll(/^import (\{[^}]*\}|\* as \w+) from "(\.[^"]+)";$/gmu)]
    .filter(([, names = ""]) => !/^\{(?:\s*type \w+,?)*\s*\}$/u.test(names))
    .map(([, , path = ""]) => join(dirname(file), path));
}

describe("docs/event-path.md", () => {
  let steps: Step[] = [];
  let leftOut: string[] = [];

  before("read the tables", async () => {
    const page = await readPage("docs/event-path.md");
    steps = tableOf(page).map(([, file, symbol]) => ({
      file: withoutMarks(file),
      symbol: withoutMarks(symbol),
    }));
    leftOut = wordsOf(sectionOf(page, "Left out"))
      .filter((word) => /^\w+\/.+\.ts$/u.test(word))
      .map((file) => `src/${file}`);
  });

  it("names files that exist, with the function or type", async () => {
    const missing: string[] = [];
    for (const { file, symbol } of steps) {
      const source = await readFile(file, "utf8").catch(() => "");
      if (!new RegExp(`\\b${symbol}\\b`, "u").test(source)) {
        missing.push(`${file}: ${symbol}`);
      }
    }
    expect(missing).to.deep.equal([]);
  });

  it("names each file once, at most fifty", () => {
    const files = steps.map(({ file }) => file);
    expect(files).to.deep.equal([...new Set(files)]);
    expect(files.length).to.be.within(30, maxFiles);
  });

  it("lists each file that a listed one imports, or says why it is left out", async () => {
    const listed = new Set(steps.map(({ file }) => file));
    const imported = new Set((await Promise.all([...listed].map(importsOf))).flat());
    const others = [...imported].filter((file) => !listed.has(file) && !leftOutFolders.test(file));
    expect([...others, ...passedIn].toSorted()).to.deep.equal(leftOut.toSorted());
  });
});
