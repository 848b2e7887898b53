import { readFile } from "node:fs/promises";
import { expect } from "chai";

const samples = {
  node: "### Node",
  python: "### Python",
  php: "### PHP",
  go: "### Go",
  "public-key": "### With a public key",
};

/** The first code block below a heading. */
function codeUnder(page: string, heading: string): string {
  const part = page.slice(page.indexOf(`\n${heading}\n`));
  return /```\w+\n(?<code>[^`]*(?:`(?!``)[^`]*)*)```/u.exec(part)?.groups?.["code"] ?? "";
}

describe("the code samples of the console", () => {
  for (const [name, heading] of Object.entries(samples)) {
    it(`are those of the receiver guide, which are tested: ${name}`, async () => {
      const page = await readFile("docs/receivers.md", "utf8");
      const shown = await readFile(`web/console/webhooks/samples/${name}.txt`, "utf8");
      expect(shown).to.equal(codeUnder(page, heading)).and.contain("webhook-signature");
    });
  }
});
