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

  it("are those of the build that `current` names, even after a change", async () => {
    await dist.add(first, { "home/index.html": "one" });
    expect(await dist.built.html("home")).to.equal("one");
    await dist.add(second, { "home/index.html": "two" });
    expect(await dist.built.html("home")).to.equal("two");
  });

  it("keep the files of previous builds for open pages", async () => {
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

  it("are never those of an unfinished build, nor folders", async () => {
    await dist.add(first, { "assets/a.js": "a" });
    await dist.add("building-x1", { "assets/half.js": "half" }, true);
    expect(await dist.built.find("assets/half.js")).to.equal(undefined);
    expect(await dist.built.find("assets")).to.equal(undefined);
  });

  it("are read again after they were missing, because a build may finish later", async () => {
    expect(await kindOf(dist.built.html("home"))).to.equal("dependency_down");
    expect(await dist.built.find("start.js")).to.equal(undefined);
    await dist.add(first, { "home/index.html": "now" });
    expect(await dist.built.html("home")).to.equal("now");
  });

  it("report clearly that there is no build or that the page is missing", async () => {
    await dist.add(first, { "home/index.html": "one" });
    expect(await kindOf(dist.built.html("console"))).to.equal("dependency_down");
    await writeFile(join(dist.path, "current"), "../../etc\n");
    expect(await kindOf(dist.built.html("home"))).to.equal("dependency_down");
  });
});
