import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { mochaArgs, runMocha, type Counts } from "../run/mocha.ts";

/** Where tests that failed once are counted. */
describe("a test that passes at its second try", function () {
  this.timeout(60_000);
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "second-try-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const text = (tests: number): string => `describe("chance", () => {
    for (let n = 0; n < ${tests}; n += 1) {
      let tries = 0;
      it("some" + n, () => { if ((tries += 1) === 1) throw new Error("once"); });
    }
  });`;

  /** Runs so many tests, each of which fails at its first try, in each of these files. */
  const run = async (names: readonly string[], tests: number): Promise<Counts> => {
    const files = names.map((name) => join(folder, name));
    await Promise.all(files.map((file) => writeFile(file, text(tests))));
    return runMocha({
      args: mochaArgs(files.length, files),
      env: { TEST_NIGHT: "" },
      isSilent: true,
      signal: new AbortController().signal,
    });
  };

  it("is told with what the first one found, where it has a browser", async () => {
    const { passed, failed, secondTries } = await run(["a.browser.ts", "b.browser.ts"], 1);
    expect({ passed, failed }).to.deep.equal({ passed: 2, failed: 0 });
    // The same test of two files is one here.
    expect(secondTries).to.deep.equal(["chance › some0: once"]);
  });

  it("is no chance any more where there are many", async () => {
    const { failed, failures } = await run(["many.browser.ts"], 4);
    expect(failed).to.equal(1);
    expect(failures).to.deep.equal(["4 tests passed at their second try only"]);
  });

  it("is tried once where it has none", async () => {
    expect((await run(["plain.test.ts"], 1)).failed).to.equal(1);
  });
});
