import { readFile, writeFile } from "node:fs/promises";
import { expect } from "chai";
import { describeSettings } from "../../src/config/reference.ts";
import { settings } from "../../src/config/settings.ts";

describe("the configuration reference", () => {
  it("equals docs/configuration.md (written by npm run docs:config)", async () => {
    const file = "docs/configuration.md";
    if (process.env["WRITE_CONFIG_DOC"] === "1") {
      await writeFile(file, describeSettings());
    }
    expect(await readFile(file, "utf8")).to.equal(describeSettings());
  });

  it("has a row for every setting, with its default", () => {
    const page = describeSettings();
    for (const name of Object.keys(settings)) {
      expect(page).to.contain(`| \`${name}\` |`);
    }
    expect(page).to.match(/\| `PORT` \| integer: 0 to 65535 \| `3000` \|/u);
  });

  it("marks secrets", () => {
    const [row] = describeSettings()
      .split("\n")
      .filter((line) => line.startsWith("| `SECRET_KEY`"));
    expect(row).to.match(/Secret\. \|$/u);
  });
});
