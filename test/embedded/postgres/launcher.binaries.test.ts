import { mkdir, mkdtemp, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { findBinaries, placeLibraryLinks } from "../../../src/embedded/postgres/launcher.ts";
import { EmbeddedPostgresError } from "../../../src/embedded/postgres/processes.ts";

describe("server programs", () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "sightline-binaries-"));
    await mkdir(join(root, "native", "lib"), { recursive: true });
    await writeFile(join(root, "native", "lib", "libx.so.1.2"), "x");
    const link = { source: "native/lib/libx.so.1.2", target: "native/lib/libx.so.1" };
    await writeFile(join(root, "native", "pg-symlinks.json"), JSON.stringify([link]));
  });

  afterEach(async () => {
    await rm(root, { recursive: true });
  });

  it("are found for this machine, executable", async () => {
    const { initdb, postgres } = await findBinaries();
    expect((await stat(initdb)).mode & 0o100).to.equal(0o100);
    expect((await stat(postgres)).mode & 0o100).to.equal(0o100);
  });

  it("get the library links of the install script, even twice and concurrently", async () => {
    await Promise.all([placeLibraryLinks(root), placeLibraryLinks(root)]);
    await placeLibraryLinks(root);
    expect(await readlink(join(root, "native", "lib", "libx.so.1"))).to.equal("libx.so.1.2");
  });

  it("report a missing link that cannot be created", async () => {
    const link = { source: "native/lib/libx.so.1.2", target: "native/absent/libx.so.1" };
    await writeFile(join(root, "native", "pg-symlinks.json"), JSON.stringify([link]));
    try {
      await placeLibraryLinks(root);
    } catch (thrown) {
      expect(thrown).to.be.instanceOf(EmbeddedPostgresError);
      expect((thrown as Error).message).to.include("npm rebuild");
      return;
    }
    throw new Error("It was expected to fail");
  });
});
