import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { readFixture } from "../support/media.ts";

describe("OCR process", function () {
  this.timeout(30_000);
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sightline-test-ocr-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it("exits immediately with its parent", async () => {
    const picture = join(folder, "picture");
    await writeFile(picture, await readFixture("text.png"));
    const child = fork("bin/program.js", ["ocr-process"], {
      execArgv: [],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const ended = once(child, "exit");
    child.send({ folder, picture, rectangle: undefined });
    await eventually(async () => expect(await readdir(folder)).to.include("eng.traineddata.gz"), {
      timeoutMs: 20_000,
    });
    child.disconnect();
    expect(await ended).to.deep.equal([1, null]);
  });
});
