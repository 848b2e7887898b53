import { execFile } from "node:child_process";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { sources } from "../../bin/locate-program.js";
import { buildPrograms } from "../../build/programs.ts";

const run = promisify(execFile);

describe("the build of the programs", function () {
  this.timeout(120_000);
  let parent = "";
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "sightline-programs-"));
  });
  afterEach(() => rm(parent, { recursive: true }));

  /** A copy of the package whose program `web` prints a word, and which has few others. */
  const copyPackage = async (word: string): Promise<string> => {
    const root = join(parent, "package");
    for (const path of [...sources, "bin", "package.json"]) {
      await cp(path, join(root, path), { recursive: true });
    }
    await symlink(join(process.cwd(), "node_modules"), join(root, "node_modules"));
    await writeFile(join(root, "src/start.ts"), "");
    for (const worker of (await readdir(join(root, "workers"))).filter((it) => it !== "relay.ts")) {
      await rm(join(root, "workers", worker));
    }
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
    const inputs = await buildPrograms(join(parent, "out"));
    const others = inputs
      .filter((path) => !path.includes("node_modules/"))
      .filter((path) => !sources.some((source) => path.startsWith(`${source}/`)));
    expect(others).to.deep.equal([]);
    for (const file of await readdir(join(parent, "out"), { recursive: true })) {
      const text = /\.c?js$/u.test(file) ? await readFile(join(parent, "out", file), "utf8") : "";
      expect(text.match(/.{0,40}[\u0100-\u{10ffff}]/u), `${file} takes twice its size`).to.equal(
        null,
      );
    }
  });

  it("does not load undici when a process starts", async () => {
    const root = await copyPackage("none");
    const script = `
      process.on("exit", () => {
        const loaded = process.moduleLoadList.filter((name) => name.includes("undici"));
        process.stdout.write("loaded " + JSON.stringify(loaded));
      });`;
    const options = `--import=data:text/javascript,${encodeURIComponent(script)}`;
    const { stdout } = await run(process.execPath, ["bin/program.js", "relay"], {
      cwd: root,
      env: { NODE_OPTIONS: options },
    }).catch((error: { stdout: string }) => error);
    expect(stdout, "all modules were loaded").to.include("DATABASE_URL is required");
    expect(stdout).to.include("loaded []");
  });

  it("starts from the code of an earlier run, unless it is damaged", async () => {
    const root = await copyPackage("first");
    await start(root, "web");
    const [build = ""] = await builds(root);
    const folder = join(root, "dist/programs", build);
    const codeFiles = async () =>
      (await readdir(folder)).filter((file) => file.startsWith("web.cjs."));
    const [code = "", ...others] = await codeFiles();
    expect(others).to.deep.equal([]);
    const file = join(folder, code);
    const written = await stat(file);
    expect(await start(root, "web")).to.match(/^first /u);
    expect((await stat(file)).ino, "used as it is").to.equal(written.ino);
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 255, bytes.length - 100);
    await writeFile(file, bytes);
    expect(await start(root, "web")).to.match(/^first /u);
    expect((await readFile(file)).equals(bytes), "written anew").to.equal(false);
    await rm(file);
    await mkdir(join(file, "in-the-way"), { recursive: true });
    expect(await start(root, "web"), "cannot be written").to.match(/^first /u);
    expect(await codeFiles(), "no partial file").to.deep.equal([code]);
  });

  it("keeps no code of a run that failed", async () => {
    const root = await copyPackage("none");
    await start(root, "relay").catch(() => undefined);
    const [build = ""] = await builds(root);
    const files = await readdir(join(root, "dist/programs", build));
    expect(files.filter((file) => file.startsWith("relay."))).to.deep.equal(["relay.cjs"]);
  });

  it("loads large modules when they are needed, from files of their own", async () => {
    const root = await copyPackage("none");
    await writeFile(
      join(root, "src/server.ts"),
      `void import("livekit-server-sdk").then((sdk) => process.stdout.write(typeof sdk.AccessToken));`,
    );
    expect(await start(root, "web")).to.equal("function");
    const [build = ""] = await builds(root);
    const folder = join(root, "dist/programs", build);
    expect(await readFile(join(folder, "web.cjs"), "utf8")).not.to.include("AccessToken=");
    const lazy = async (name: string) => Object.keys(await import(join(folder, "lazy", name)));
    expect(await lazy("s3-sdk.js")).to.include.members(["S3Client", "Upload"]);
    expect(await lazy("remux.js")).to.include("remux");
  });

  it("names sources in stack traces if Node is asked for it", async () => {
    const root = await copyPackage("none");
    await writeFile(join(root, "src/server.ts"), `\n\nthrow new Error("here");`);
    const { stderr } = await run(process.execPath, ["bin/program.js", "web"], {
      cwd: root,
      env: { NODE_OPTIONS: "--enable-source-maps" },
    }).catch((error: { stderr: string }) => error);
    expect(stderr).to.include("Error: here").and.include("src/server.ts:3:");
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
