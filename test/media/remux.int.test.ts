import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { remux } from "../../src/media/remux.ts";
import { recordedChunks } from "../support/media.ts";

describe("remux", () => {
  let folder = "";
  beforeEach("make a folder", async () => {
    folder = await mkdtemp(join(tmpdir(), "sightline-remux-"));
  });
  afterEach("remove it", () => rm(folder, { recursive: true }));

  /** Files of the folder that this process holds open. */
  const openFiles = async (): Promise<string[]> => {
    const numbers = await readdir("/proc/self/fd");
    const links = numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => ""));
    return (await Promise.all(links)).filter((link) => link.startsWith(folder));
  };
  const remuxed = async (bytes: Buffer): Promise<boolean> => {
    const from = join(folder, "chunks");
    await writeFile(from, bytes);
    return remux({ from, to: join(folder, "file"), type: "video/webm" });
  };

  it("adds the duration of a recording and keeps its packets", async () => {
    const whole = Buffer.concat(await recordedChunks());
    expect(await remuxed(whole)).to.equal(true);
    const file = await readFile(join(folder, "file"));
    expect(file.length).to.be.above(whole.length / 2);
    expect(file.includes(Buffer.from([0x44, 0x89])), "has a Duration").to.equal(true);
  });

  it("leaves no file open, for any input", async () => {
    const whole = Buffer.concat(await recordedChunks());
    const lengths = [0, 1, 40, 100, 143, 200, 1_000, 4_000, whole.length - 1, whole.length];
    for (const bytes of [
      ...lengths.map((length) => whole.subarray(0, length)),
      Buffer.from("no film"),
    ]) {
      await remuxed(bytes);
      expect(await openFiles(), `${bytes.length} bytes`).to.deep.equal([]);
    }
  });

  it("reports read and write errors, and leaves no file open", async () => {
    const from = join(folder, "chunks");
    await writeFile(from, Buffer.concat(await recordedChunks()));
    const nowhere = join(folder, "missing", "file");
    for (const order of [
      { from, to: nowhere },
      { from: nowhere, to: join(folder, "file") },
    ]) {
      const thrown = await remux({ ...order, type: "video/webm" }).catch((error: unknown) => error);
      expect(thrown).to.have.property("code", "ENOENT");
      expect(await openFiles()).to.deep.equal([]);
    }
    expect(await stat(join(folder, "file")).catch(() => undefined)).to.equal(undefined);
  });
});
