import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { expect } from "chai";
import { fingerprintOf } from "../../../web/build/fingerprint.ts";
import { listFiles } from "../../run/files.ts";

const imported = /(?:from|import|import\()\s*"(\.[^"?]+)(?:\?\w+)?"/gu;

/** Sources of the pages outside of `web`: all relative imports that leave the folder. */
async function importedFromElsewhere(): Promise<string[]> {
  const files = (await listFiles(["web"])).filter((file) => /\.tsx?$/u.test(file));
  const found = await Promise.all(
    files.map(async (file) =>
      [...(await readFile(file, "utf8")).matchAll(imported)].map((match) =>
        normalize(join(dirname(file), match[1] ?? "")),
      ),
    ),
  );
  return [...new Set(found.flat())].filter((path) => !path.startsWith("web/")).toSorted();
}

describe("whether the pages have to be rebuilt", () => {
  let root: string;

  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  };

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "sightline-sources-"));
    const sources = [
      ...["web/a.ts", "build/publish.ts", "src/contracts/a.ts"],
      ...["docs/runbook.md", "package-lock.json"],
    ];
    await Promise.all(sources.map((file) => write(file, "before")));
  });
  afterEach(() => rm(root, { recursive: true }));

  it("depends on all their inputs, such as the runbook shown to operators", async () => {
    const outside = await importedFromElsewhere();
    expect(outside).to.include("docs/runbook.md").and.to.include("src/contracts/permissions.ts");
    for (const file of ["web/a.ts", "package-lock.json", ...outside]) {
      await write(file, "before");
      const before = await fingerprintOf(root);
      await write(file, "after");
      expect(await fingerprintOf(root), file).not.to.equal(before);
    }
  });

  it("is no if no input has changed", async () => {
    const before = await fingerprintOf(root);
    await write("docs/console.md", "new");
    await write("src/server.ts", "new");
    await write("web/a.ts", "before");
    expect(await fingerprintOf(root)).to.equal(before);
  });
});
