import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { sources } from "../../bin/locate-program.js";
import { bundlePrograms, listPrograms } from "../../build/programs.ts";

const run = promisify(execFile);

describe("the build of the programs", function () {
  this.timeout(120_000);
  let parent = "";
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "sightline-programs-"));
  });
  afterEach(() => rm(parent, { recursive: true }));

  /** A copy of the package whose program `web` prints a word. */
  const copyPackage = async (word: string): Promise<string> => {
    const root = join(parent, "package");
    for (const path of [...sources, "bin", "package.json"]) {
      await cp(path, join(root, path), { recursive: true });
    }
    await symlink(join(process.cwd(), "node_modules"), join(root, "node_modules"));
    await print(root, word);
    return root;
  };
  const print = (root: string, word: string) =>
    writeFile(
      join(root, "src/server.ts"),
      `const place: string = import.meta.url; process.stdout.write("${word} " + place);`,
    );
  const start = async (root: string, ...args: string[]): Promise<string> =>
    (await run(process.execPath, ["bin/program.js", ...args], { cwd: root })).stdout;
  const builds = (root: string) => readdir(join(root, "dist/programs"));

  it("includes only sources whose change causes a rebuild", async () => {
    const inputs = await bundlePrograms(await listPrograms(), join(parent, "out"));
    const others = inputs
      .filter((path) => !path.includes("node_modules/"))
      .filter((path) => !sources.some((source) => path.startsWith(`${source}/`)));
    expect(others).to.deep.equal([]);
    for (const file of await readdir(join(parent, "out"), { recursive: true })) {
      const text = file.endsWith(".js") ? await readFile(join(parent, "out", file), "utf8") : "";
      expect(text.match(/.{0,40}[\u0100-\u{10ffff}]/u), `${file} takes twice its size`).to.equal(
        null,
      );
    }
  });

  it("does not load undici when a process starts", async () => {
    const out = join(parent, "package", "out");
    await bundlePrograms({ relay: "workers/relay.ts" }, out);
    await copyPackage("none");
    const script = `
      process.on("exit", () => {
        const loaded = process.moduleLoadList.filter((name) => name.includes("undici"));
        process.stdout.write("loaded " + JSON.stringify(loaded));
      });
      await import(${JSON.stringify(join(out, "relay.js"))});`;
    const args = ["--input-type=module", "--eval", script];
    const { stdout } = await run(process.execPath, args, { env: {} }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout, "all modules were loaded").to.include("DATABASE_URL is required");
    expect(stdout).to.include("loaded []");
  });

  it("follows the sources, and can be moved to another folder", async () => {
    const root = await copyPackage("first");
    expect(await start(root, "web")).to.equal(`first file://${root}/src/server.ts`);
    expect(await start(root, "web"), "not built again").to.match(/^first /u);
    expect(await builds(root)).to.have.length(1);
    await print(root, "second");
    expect(await start(root, "web")).to.match(/^second /u);
    const moved = join(parent, "moved");
    await rename(root, moved);
    expect(await start(moved, "web")).to.equal(`second file://${moved}/src/server.ts`);
    expect(await builds(moved), "the move built nothing").to.have.length(2);
  });

  it("runs once for processes that start at the same time, and names a build error", async () => {
    const root = await copyPackage("word");
    const outputs = await Promise.all([1, 2].map(() => start(root, "web")));
    expect(outputs.map((output) => output.split(" ")[0])).to.deep.equal(["word", "word"]);
    expect(await builds(root)).to.have.length(1);
    const unknown = await start(root, "nonsense").catch(
      (error: { stderr: string }) => error.stderr,
    );
    expect(unknown).to.include("Unknown program nonsense. Programs: build-pages, cli");
    await writeFile(join(root, "src/server.ts"), "const = 1;");
    const broken = await start(root, "web").catch((error: { stderr: string }) => error.stderr);
    expect(broken).to.include("Building the programs, once per version");
    expect(broken).to.include("The programs could not be built").and.include("src/server.ts:1:6");
    expect(await builds(root), "nothing half-built").to.have.length(1);
  });
});
