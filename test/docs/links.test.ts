import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect } from "chai";
import { listFiles } from "../run/files.ts";
import { anchorsOf, linksOf, readPage } from "../support/markdown.ts";

const rootPages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];

describe("the documentation", () => {
  it("links to files and headings that exist", async () => {
    const pages = (await listFiles(["docs", "src"])).filter((file) => file.endsWith(".md"));
    const dead: string[] = [];
    let links = 0;
    for (const page of [...rootPages, ...pages]) {
      for (const link of linksOf(await readPage(page))) {
        links += 1;
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? page : normalize(join(dirname(page), path));
        const isThere =
          existsSync(target) &&
          (anchor === undefined || anchorsOf(await readPage(target)).has(anchor));
        if (!isThere) {
          dead.push(`${page}: ${link}`);
        }
      }
    }
    expect(dead).to.deep.equal([]);
    expect(links).to.be.greaterThan(20);
  });

  it("keeps every decision to the 40 lines that CONTRIBUTING.md asks for", async () => {
    const decisions = await listFiles(["docs/decisions"]);
    expect(decisions).to.have.length.above(30);
    const lengths = await Promise.all(
      decisions.map(async (file) => [file, (await readPage(file)).trimEnd().split("\n").length]),
    );
    expect(lengths.filter(([, lines]) => Number(lines) > 40)).to.deep.equal([]);
  });
});
