import { readFileSync } from "node:fs";
import { expect } from "chai";
import { readSection, spansOf } from "../../../../../web/console/platform/runbook/read.ts";

const runbook = readFileSync(new URL("../../../../../docs/runbook.md", import.meta.url), "utf8");

describe("the runbook on the health page", () => {
  it("has a section for each verdict", () => {
    const assessSource = readFileSync(
      new URL("../../../../../src/operations/health.ts", import.meta.url),
      "utf8",
    );
    const named = [...assessSource.matchAll(/runbook: "([^"]+)"/gu)].map((match) => match[1] ?? "");
    expect(named.length).to.be.greaterThan(10);
    for (const anchor of named) {
      expect(readSection(runbook, anchor)?.blocks, anchor).to.have.length.greaterThan(0);
    }
    expect(readSection(runbook, "no-such-section")).to.equal(undefined);
  });

  it("contains no unparsed Markdown", () => {
    const titles = [...runbook.matchAll(/^## (.+)$/gmu)].map((match) => match[1] ?? "");
    const anchors = titles.map((title) => title.toLowerCase().replaceAll(" ", "-"));
    for (const anchor of anchors) {
      const { blocks = [] } = readSection(runbook, anchor) ?? {};
      const lines = blocks.flatMap((block) => {
        switch (block.kind) {
          case "code":
            return [];
          case "list":
            return block.items;
          case "table":
            return [block.head, ...block.rows].flat();
          default:
            return [block.text];
        }
      });
      const shown = lines.flatMap(spansOf).filter(({ kind }) => kind !== "code");
      const left = shown.filter(({ text }) => /\*\*|\]\(|```|^\||^#/u.test(text));
      expect(left, anchor).to.deep.equal([]);
    }
  });

  it("parses code blocks, lists and tables", () => {
    const { blocks = [] } = readSection(runbook, "past-due") ?? {};
    expect(blocks.map(({ kind }) => kind)).to.include.members(["text", "code", "table"]);
    const code = blocks.find(({ kind }) => kind === "code");
    expect(code)
      .to.have.property("text")
      .that.matches(/^SELECT [^]+LIMIT 20;$/u);
    const aside = readSection(runbook, "dead-letters")?.blocks ?? [];
    expect(aside.find(({ kind }) => kind === "list")).to.deep.include({ isOrdered: true });
  });

  it("distinguishes links, code and emphasis", () => {
    expect(spansOf("**Do:** see [Past due](#past-due), `a|b`.")).to.deep.equal([
      { kind: "strong", text: "Do:" },
      { kind: "plain", text: " see " },
      { kind: "link", text: "Past due", target: "#past-due" },
      { kind: "plain", text: ", " },
      { kind: "code", text: "a|b" },
      { kind: "plain", text: "." },
    ]);
  });
});
