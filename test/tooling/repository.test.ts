import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { listFiles } from "../run/files.ts";

type Manifest = {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
  scarfSettings: { enabled: boolean };
};

type Lock = {
  packages: Record<
    string,
    { optionalDependencies?: Record<string, string>; hasInstallScript?: boolean }
  >;
};

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, "utf8")) as T;
}

describe("the repository", () => {
  it("names exact versions only", async () => {
    const { dependencies, devDependencies } = await readJson<Manifest>("package.json");
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(?:npm:[@\w/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(version),
    );
    expect(loose).to.deep.equal([]);
  });

  it("locks the packages of every platform, not only of the author's", async () => {
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

  it("allows or denies each package's install script, and disables telemetry", async () => {
    const { packages } = await readJson<Lock>("package-lock.json");
    const { allowScripts, scarfSettings } = await readJson<Manifest>("package.json");
    const scripted = Object.entries(packages).flatMap(([path, { hasInstallScript = false }]) =>
      hasInstallScript ? [path.replace(/^.*node_modules\//u, "")] : [],
    );
    expect(scripted).to.have.members(Object.keys(allowScripts));
    // npm versions before 12 run the script despite the setting.
    expect(scarfSettings.enabled).to.equal(false);
  });

  it("builds its pages in production, without development dependencies", async () => {
    const { dependencies } = await readJson<Manifest>("package.json");
    // Vite reads the nearest tsconfig of every file it transforms, and the configs that it extends.
    const { extends: bases } = await readJson<{ extends: string[] }>("tsconfig.json");
    const packages = bases.map((base) => base.split("/").slice(0, 2).join("/"));
    expect(packages).to.not.deep.equal([]);
    expect(packages.filter((name) => dependencies[name] === undefined)).to.deep.equal([]);
  });

  it("builds its programs in production, too", async () => {
    const { dependencies } = await readJson<Manifest>("package.json");
    const sources = await Promise.all(
      (await listFiles(["build"])).map((file) => readFile(file, "utf8")),
    );
    const imported = sources.flatMap((text) =>
      [...text.matchAll(/^import .* from "(?!node:|\.)([^"]+)"/gmu)].map(([, name = ""]) => name),
    );
    expect(imported).to.include("esbuild");
    const packages = [...imported, "tsx"]; // tsx runs the build itself
    expect(packages.filter((name) => dependencies[name] === undefined)).to.deep.equal([]);
  });

  it("is tested by CI with the command in the README", async () => {
    const command = "npm ci && npm test";
    expect(await readFile("README.md", "utf8")).to.contain(command);
    expect((await readFile(".ci/run", "utf8")).split("\n")).to.include(command);
  });

  it("has a README of at most seven kilobytes", async () => {
    expect((await readFile("README.md")).byteLength).to.be.at.most(7 * 1024);
  });
});
