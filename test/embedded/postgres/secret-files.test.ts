import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { loadOrCreatePassword } from "../../../src/embedded/postgres/secret-files.ts";

describe("loadOrCreatePassword", () => {
  let dir: string;
  let path: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "sightline-password-"));
    path = join(dir, "password");
  });

  afterEach(async () => {
    await rm(dir, { recursive: true });
  });

  it("makes up a password once, for its owner's eyes only", async () => {
    const password = await loadOrCreatePassword(path);
    expect(password).to.have.length(48);
    expect(await loadOrCreatePassword(path)).to.equal(password);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    expect(await readdir(dir)).to.deep.equal(["password"]);
  });

  it("gives all that ask at the same moment the same one", async () => {
    const passwords = await Promise.all(
      [1, 2, 3, 4, 5].map(async () => loadOrCreatePassword(path)),
    );
    expect(new Set(passwords).size).to.equal(1);
    expect((await readFile(path, "utf8")).trim()).to.equal(passwords[0]);
  });

  it("replaces a file that a full disk left empty, and closes one that was opened to others", async () => {
    await writeFile(path, "\n");
    const password = await loadOrCreatePassword(path);
    expect(password).to.have.length(48);
    await chmod(path, 0o644);
    expect(await loadOrCreatePassword(path)).to.equal(password);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });
});
