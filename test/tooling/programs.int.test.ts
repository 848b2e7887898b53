import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
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
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { sources } from "../../bin/locate-program.js";
import { buildPrograms } from "../../build/programs.ts";
import { eventually } from "../support/eventually.ts";

const run = promisify(execFile);

/** Kept code is not used where coverage is measured; without the key, Node would pass it on. */
const env = { NODE_V8_COVERAGE: undefined };

describe("the build of the programs", function () {
  this.timeout(120_000);
  let parent = "";
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "sightline-programs-"));
  });
  afterEach(() => rm(parent, { recursive: true }));

  /** A copy of the package whose program `web` prints a word, and which has few others. */
  const copyPackage = async (word: string, more = ""): Promise<string> => {
    const root = join(parent, "package");
    for (const path of [...sources, "bin", "package.json"]) {
      await cp(path, join(root, path), { recursive: true });
    }
    await symlink(join(process.cwd(), "node_modules"), join(root, "node_modules"));
    await writeFile(join(root, "src/start.ts"), "");
    for (const worker of (await readdir(join(root, "workers"))).filter((it) => it !== "relay.ts")) {
      await rm(join(root, "workers", worker));
    }
    await print(root, word, more);
    return root;
  };
  const print = (root: string, word: string, more = "") =>
    writeFile(
      join(root, "src/server.ts"),
      `const place: string = import.meta.url; process.stdout.write("${word} " + place); ${more}`,
    );
  const start = async (root: string, ...args: string[]): Promise<string> =>
    (await run(process.execPath, ["bin/program.js", ...args], { cwd: root, env })).stdout;
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
      env: { ...env, NODE_OPTIONS: options },
    }).catch((error: { stdout: string }) => error);
    expect(stdout, "all modules were loaded").to.include("DATABASE_URL is required");
    expect(stdout).to.include("loaded []");
  });

  const ready = `import { announceReady } from "./platform/process-control.ts"; announceReady(process);`;
  const folderOf = async (root: string): Promise<string> =>
    join(root, "dist/programs", (await builds(root))[0] ?? "");
  const codeFilesOf = async (folder: string): Promise<string[]> =>
    (await readdir(folder)).filter((file) => file.startsWith("web.cjs."));

  /** Keeps the code of a script of the same length that prints another word: V8 accepts it. */
  const keepOther = `
    const [, script, file] = process.argv;
    const { readFileSync, writeFileSync } = require("node:fs");
    const source = readFileSync(script, "utf8").replace("first ", "other ");
    const code = new (require("node:vm").Script)(source, { filename: script }).createCachedData();
    const digest = require("node:crypto").createHash("sha256").update(code).digest();
    writeFileSync(file, Buffer.concat([digest, code]));`;

  it("starts from the code of an earlier run that was ready, unless it is damaged", async () => {
    const root = await copyPackage("first", ready);
    await start(root, "web");
    const folder = await folderOf(root);
    const [code = "", ...others] = await codeFilesOf(folder);
    expect(others).to.deep.equal([]);
    const file = join(folder, code);
    const written = await stat(file);
    expect(await start(root, "web")).to.match(/^first /u);
    expect((await stat(file)).ino, "not written again").to.equal(written.ino);
    await run(process.execPath, ["--eval", keepOther, join(folder, "web.cjs"), file], { env });
    expect(await start(root, "web"), "is used").to.match(/^other /u);
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 255, bytes.length - 100);
    await writeFile(file, bytes);
    expect(await start(root, "web")).to.match(/^first /u);
    expect((await readFile(file)).equals(bytes), "written anew").to.equal(false);
    await rm(file);
    await mkdir(join(file, "in-the-way"), { recursive: true });
    expect(await start(root, "web"), "cannot be written").to.match(/^first /u);
    expect(await codeFilesOf(folder), "no partial file").to.deep.equal([code]);
  });

  it("keeps code while the program runs, a second after it is ready", async () => {
    const root = await copyPackage("first", `${ready} setInterval(() => undefined, 1_000);`);
    const child = spawn(process.execPath, ["bin/program.js", "web"], { cwd: root, env });
    try {
      await eventually(async () => (await codeFilesOf(await folderOf(root))).length === 1, {
        timeoutMs: 60_000,
      });
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });

  it("keeps no code of a run that was not ready", async () => {
    const root = await copyPackage("first");
    await start(root, "web");
    expect(await codeFilesOf(await folderOf(root))).to.deep.equal([]);
  });

  it("runs strictly, and loads large modules from files of their own", async () => {
    const code = `${ready} void import("livekit-server-sdk").then(({ AccessToken }) =>
      process.stdout.write(typeof AccessToken + " " + typeof function () { return this; }()));`;
    const root = await copyPackage("first", code);
    for (const way of ["without kept code", "with it"]) {
      const { stdout, stderr } = await run(process.execPath, ["bin/program.js", "web"], {
        cwd: root,
        env,
      });
      expect(stdout, way).to.match(/function undefined$/u);
      expect(stderr.replace(/^Building .*\n/u, ""), way).to.equal("");
    }
    const folder = await folderOf(root);
    expect(await readFile(join(folder, "web.cjs"), "utf8")).not.to.include("AccessToken=");
    const load = createRequire(join(folder, "lazy/"));
    expect(load("./s3-sdk.cjs")).to.include.keys("S3Client", "Upload");
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

  it("is done again after the packages are installed", async () => {
    const root = await copyPackage("first");
    const packages = join(root, "node_modules");
    await rm(packages);
    await mkdir(packages);
    for (const name of await readdir("node_modules")) {
      await symlink(join(process.cwd(), "node_modules", name), join(packages, name));
    }
    await start(root, "web");
    const lock = join(packages, ".package-lock.json");
    await rm(lock);
    await writeFile(lock, "{}");
    await start(root, "web");
    await rm(lock);
    await start(root, "web"); // some package managers write none
    expect(await builds(root)).to.have.length(3);
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
