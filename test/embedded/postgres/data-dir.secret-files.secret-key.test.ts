import { expect } from "chai";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadOrCreateSecretKey } from "../../../src/embedded/postgres/data-dir.ts";

describe("secret key of the embedded mode", () => {
  let dir = "";
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "sightline-key-"));
  });
  afterEach(async () => {
    await rm(dir, { recursive: true, force: true });
  });

  it("creates the data folder and a key of 32 bytes, readable by its owner only", async () => {
    const dataDir = join(dir, "new", "data");
    const key = await loadOrCreateSecretKey(dataDir);
    expect(key).to.have.length(32);
    expect((await stat(join(dataDir, "secret-key"))).mode & 0o777).to.equal(0o600);
  });

  it("returns the same key at every later start", async () => {
    const key = await loadOrCreateSecretKey(dir);
    expect((await loadOrCreateSecretKey(dir)).equals(key)).to.equal(true);
  });

  it("gives concurrent starts one key and leaves no draft", async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateSecretKey(dir)));
    expect(new Set(keys.map((key) => key.toString("hex"))).size).to.equal(1);
    expect(await readdir(dir)).to.deep.equal(["secret-key"]);
  });

  it("removes permissions of others", async () => {
    const file = join(dir, "secret-key");
    await writeFile(file, Buffer.alloc(32, 1).toString("base64"), { mode: 0o644 });
    await loadOrCreateSecretKey(dir);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it("never replaces a key file that it cannot read", async () => {
    const file = join(dir, "secret-key");
    await writeFile(file, "damaged");
    let message = "";
    await loadOrCreateSecretKey(dir).catch((thrown: unknown) => {
      message = String(thrown);
    });
    expect(message).to.contain(file);
    expect(await readFile(file, "utf8")).to.equal("damaged");
  });
});
