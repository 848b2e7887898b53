import { readFile } from "node:fs/promises";
import { expect } from "chai";

type Manifest = {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

type Lock = { packages: Record<string, { optionalDependencies?: Record<string, string> }> };

const readJson = async <T>(file: string): Promise<T> =>
  JSON.parse(await readFile(file, "utf8")) as T;

describe("the repository", () => {
  it("names exact versions only", async () => {
    const { dependencies, devDependencies } = await readJson<Manifest>("package.json");
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(version),
    );
    expect(loose).to.deep.equal([]);
  });

  it("locks every platform's packages, not only those of whoever wrote the lock file", async () => {
    const { packages } = await readJson<Lock>("package-lock.json");
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          packages[`${path}/node_modules/${name}`] === undefined &&
          packages[`node_modules/${name}`] === undefined,
      ),
    );
    expect(missing).to.deep.equal([]);
  });

  it("is tested by CI with the very command that the README names", async () => {
    const command = "npm ci && npm test";
    expect(await readFile("README.md", "utf8")).to.contain(command);
    expect((await readFile(".ci/run", "utf8")).split("\n")).to.include(command);
  });
});
