import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect } from "chai";
import { failuresOf, mochaArgs, runMocha, type Counts } from "../run/mocha.ts";
import { filesToTryAgain, tryAgain, type Tried } from "../run/second-try.ts";

describe("files with failed tests", function () {
  this.timeout(60_000);
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "second-try-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const path = (name: string): string => relative(process.cwd(), join(folder, name));

  const run = (files: readonly string[]): Promise<Counts> =>
    runMocha({
      args: mochaArgs(files.length, files),
      env: {},
      isSilent: true,
      signal: new AbortController().signal,
    });

  /**
   * Writes a test file with one passing test, and `tests` that fail in the first run of the file.
   */
  const write = async (name: string, tests: number): Promise<string> => {
    const mark = JSON.stringify(join(folder, `${name}.ran`));
    const text = `import { existsSync, writeFileSync } from "node:fs";
      const isFirst = !existsSync(${mark});
      writeFileSync(${mark}, "");
      describe("chance", () => {
        it("passes", () => undefined);
        for (let n = 0; n < ${tests}; n += 1) {
          it("some" + n, () => { if (isFirst) { throw new Error("once"); } });
        }
      });`;
    await writeFile(join(folder, name), text);
    return path(name);
  };

  const runTwice = async (files: readonly string[]): Promise<Tried> =>
    tryAgain(await run(files), run);

  it("are run once more, and the first failure is reported", async () => {
    const files = [await write("a.test.ts", 1), await write("b.test.ts", 1)];
    const { counts, secondTries } = await runTwice([...files, await write("good.test.ts", 0)]);
    expect(counts).to.deep.equal({ passed: 5, failing: {} });
    expect(secondTries).to.deep.equal(["chance › some0: once", "chance › some0: once"]);
  });

  it("are run with their hooks, even if one of those failed", async () => {
    const file = path("hook.test.ts");
    const hook = 'if (isFirst) { throw new Error("in a hook"); }';
    const text = `import { existsSync, writeFileSync } from "node:fs";
      const isFirst = !existsSync("${path("ran")}");
      writeFileSync("${path("ran")}", "");
      describe("chance", () => {
        beforeEach("make something", () => { ${hook} });
        it("passes", () => undefined);
        it("passes too", () => undefined);
      });`;
    await writeFile(file, text);
    const { counts, secondTries } = await runTwice([file]);
    expect(counts).to.deep.equal({ passed: 2, failing: {} });
    expect(secondTries).to.have.length(1);
    expect(secondTries[0]).to.match(/make something.*in a hook$/u);
  });

  it("stay failed if they fail again", async () => {
    const file = path("bad.test.ts");
    await writeFile(file, 'it("fails", () => { throw new Error("always"); });');
    const { counts, secondTries } = await runTwice([file]);
    expect(failuresOf(counts)).to.deep.equal(["fails: always"]);
    expect(secondTries).to.deep.equal([]);
  });

  it("are not run again if there are many failures, or none belongs to a file", async () => {
    const { counts, secondTries } = await runTwice([await write("many.test.ts", 4)]);
    expect(failuresOf(counts)).to.have.length(4);
    expect(secondTries).to.deep.equal([]);
    const failures = ["mocha ended with a signal"];
    const first = { passed: 9, failing: { a: { passed: 1, failures: ["a: once"] } } };
    const crashed = { passed: 0, failing: { "": { passed: 0, failures } } };
    const lost = await tryAgain(first, async () => crashed);
    expect(failuresOf(lost.counts)).to.deep.equal(["a: once", ...failures]);
    expect(lost.secondTries).to.deep.equal([]);
    expect(filesToTryAgain({ passed: 1, failing: { "": { passed: 0, failures } } })).to.deep.equal(
      [],
    );
  });
});
