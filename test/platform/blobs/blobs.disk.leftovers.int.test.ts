import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { removeLeftovers } from "../../../src/platform/blobs/blobs.ts";

const hourMs = 3_600_000;

describe("files left by a killed process", () => {
  let dir = "";
  beforeEach("make folders", async () => {
    dir = await mkdtemp(join(tmpdir(), "sightline-test-"));
    await mkdir(join(dir, "blobs", "incoming"), { recursive: true });
    await mkdir(join(dir, "tmp"));
  });
  afterEach("remove them", async () => {
    await rm(dir, { recursive: true });
  });

  const now = new Date();
  const aFile = async (path: string, ageMs: number): Promise<void> => {
    await writeFile(join(dir, path), "half");
    const at = new Date(now.getTime() - ageMs);
    await utimes(join(dir, path), at, at);
  };
  const clean = () =>
    removeLeftovers({ blobDir: join(dir, "blobs"), temporaryDir: join(dir, "tmp") }, now);

  it("are deleted when older than a day, and kept while they may be in use", async () => {
    await aFile("blobs/incoming/old", 25 * hourMs);
    await aFile("blobs/incoming/young", 23 * hourMs);
    await aFile("tmp/sightline-upload-old", 25 * hourMs);
    await aFile("tmp/sightline-upload-young", 23 * hourMs);
    await aFile("tmp/somebody-elses", 100 * hourMs);
    expect(await clean()).to.equal(2);
    expect(await readdir(join(dir, "blobs", "incoming"))).to.deep.equal(["young"]);
    expect(await readdir(join(dir, "tmp"))).to.have.members([
      "sightline-upload-young",
      "somebody-elses",
    ]);
  });

  it("are deleted with their folder: pictures and recordings", async () => {
    const at = new Date(now.getTime() - 25 * hourMs);
    for (const name of ["sightline-ocr-abc", "sightline-recording-abc"]) {
      await mkdir(join(dir, "tmp", name));
      await writeFile(join(dir, "tmp", name, "picture"), "half");
      await utimes(join(dir, "tmp", name), at, at);
    }
    expect(await clean()).to.equal(2);
    expect(await readdir(join(dir, "tmp"))).to.deep.equal([]);
  });

  it("are none if the folder does not exist", async () => {
    const places = { blobDir: join(dir, "none"), temporaryDir: join(dir, "neither") };
    expect(await removeLeftovers(places, now)).to.equal(0);
    expect(await removeLeftovers({ ...places, blobDir: undefined }, now)).to.equal(0);
  });
});
