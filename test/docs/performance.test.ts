import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { readHistory } from "../../bench/figures/history.ts";
import { fillTables } from "../../bench/report/performance-doc.ts";

describe("docs/performance.md", () => {
  it("has the figures of bench/history.json (npm run docs:performance)", async () => {
    const document = await readFile("docs/performance.md", "utf8");
    expect(document).to.equal(fillTables(document, await readHistory()));
  });

  it("gets every table from the history", async () => {
    const document = await readFile("docs/performance.md", "utf8");
    const outside = document.replaceAll(/<!-- (?:figures|costs).*?<!-- end -->/gsu, "");
    expect(outside).to.not.match(/^\|/mu);
  });
});
