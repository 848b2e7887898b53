import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { loadOrCreatePassword } from "../../../src/embedded/postgres/data-dir.ts";

describe("loadOrCreatePassword", () => {
  let dir: string;
  let path: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "sightline-password-"));
    path = join(dir, "postgres-password");
  });

  afterEach(async () => {
    await rm(dir, { recursive: true });
  });

  it("creates a password once, readable by its owner only", async () => {
    const password = await loadOrCreatePassword(dir);
    expect(password).to.have.length(48);
    expect(await loadOrCreatePassword(dir)).to.equal(password);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    expect(await readdir(dir)).to.deep.equal(["postgres-password"]);
  });

  it("gives concurrent callers the same password", async () => {
    const passwords = await Promise.all([1, 2, 3, 4, 5].map(async () => loadOrCreatePassword(dir)));
    expect(new Set(passwords).size).to.equal(1);
    expect((await readFile(path, "utf8")).trim()).to.equal(passwords[0]);
  });

  it("removes permissions of others, and never replaces a file it cannot use", async () => {
    const password = await loadOrCreatePassword(dir);
    await chmod(path, 0o644);
    expect(await loadOrCreatePassword(dir)).to.equal(password);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    await writeFile(path, "\n");
    const error = await loadOrCreatePassword(dir).catch((thrown: unknown) => thrown);
    expect(String(error)).to.include(path);
    expect(await readFile(path, "utf8")).to.equal("\n");
  });
});
