import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { Problem } from "../../src/contracts/problems.ts";
import { useDistFolder } from "../support/built-pages.ts";

const [first, second] = ["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"];

async function kindOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => "none",
    (thrown: unknown) => (thrown instanceof Problem ? thrown.kind : String(thrown)),
  );
}

describe("built pages", () => {
  const dist = useDistFolder();

  it("are those of the build that `current` names, from the moment on when it names another", async () => {
    await dist.add(first, { "home/index.html": "one" });
    expect(await dist.built.html("home")).to.equal("one");
    await dist.add(second, { "home/index.html": "two" });
    expect(await dist.built.html("home")).to.equal("two");
  });

  it("keep the files of builds before, for pages that are still open", async () => {
    await dist.add(first, { "assets/old.js": "old", "start.js": "old" });
    await dist.add(second, { "assets/new.js": "new", "start.js": "new" });
    expect(await dist.built.find("assets/old.js")).to.equal(
      join(dist.path, first, "assets/old.js"),
    );
    expect(await dist.built.find("assets/new.js")).to.equal(
      join(dist.path, second, "assets/new.js"),
    );
    expect(await dist.built.find("start.js")).to.equal(join(dist.path, second, "start.js"));
    expect(await dist.built.find("assets/other.js")).to.equal(undefined);
  });

  it("are never those of a build that is still being made, nor folders", async () => {
    await dist.add(first, { "assets/a.js": "a" });
    await dist.add("building-x1", { "assets/half.js": "half" }, true);
    expect(await dist.built.find("assets/half.js")).to.equal(undefined);
    expect(await dist.built.find("assets")).to.equal(undefined);
  });

  it("are asked for again after they were missing: a build may come while the server runs", async () => {
    expect(await kindOf(dist.built.html("home"))).to.equal("dependency_down");
    expect(await dist.built.find("start.js")).to.equal(undefined);
    await dist.add(first, { "home/index.html": "now" });
    expect(await dist.built.html("home")).to.equal("now");
  });

  it("are refused with a clear word where `current` names no build or the page is missing", async () => {
    await dist.add(first, { "home/index.html": "one" });
    expect(await kindOf(dist.built.html("console"))).to.equal("dependency_down");
    await writeFile(join(dist.path, "current"), "../../etc\n");
    expect(await kindOf(dist.built.html("home"))).to.equal("dependency_down");
  });
});
