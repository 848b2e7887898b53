import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { readPage, tableOf } from "../support/markdown.ts";

/** Small enough for a new contributor to read them all. */
const maxFiles = 50;

type Step = { file: string; symbol: string };

function withoutMarks(cell = ""): string {
  return cell.replaceAll("`", "");
}

describe("docs/event-path.md", () => {
  let steps: Step[] = [];

  before("read the table", async () => {
    steps = tableOf(await readPage("docs/event-path.md")).map(([, file, symbol]) => ({
      file: withoutMarks(file),
      symbol: withoutMarks(symbol),
    }));
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
});
