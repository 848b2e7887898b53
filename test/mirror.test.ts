import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect } from "chai";
import { listFiles } from "./run/files.ts";

/** Tests that belong to no source file. End-to-end and fault tests have separate suffixes. */
const general =
  /^test\/(?:tooling|dashboards|docs|migrations|matrix)\/|^test\/mirror\.test|^test\/web\/[^/]+\.test/u;

/**
 * `test/a/b.races.int.test.ts` tests `src/a/b.ts`; `test/a/b/b.test.ts` may test all of `src/a/b/`.
 */
function sourcesOf(test: string): string[] {
  const path = dirname(test).replace(/\/alone$/u, "");
  // The sources of these folders are beside `src`.
  const isBeside = /^test\/(?:web|workers|bench)\b/u.test(test);
  const folder = isBeside ? path.replace("test/", "") : path.replace("test", "src");
  const [stem = ""] = basename(test).split(".");
  const whole = stem === basename(folder) ? [folder] : [];
  return [`${folder}/${stem}.ts`, `${folder}/${stem}.js`, `${folder}/${stem}`, ...whole];
}

describe("the tree of tests", () => {
  it("mirrors the source tree: every test has its source", async () => {
    const tests = (await listFiles(["test"])).filter((file) => file.endsWith(".test.ts"));
    expect(tests.length).to.be.greaterThan(20);
    const orphans = tests
      .filter((test) => !general.test(test))
      .filter((test) => !sourcesOf(test).some((source) => existsSync(source)));
    expect(orphans).to.deep.equal([]);
  });
});
