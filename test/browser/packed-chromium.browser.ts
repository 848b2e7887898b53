import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { chromium, type BrowserServer } from "playwright-core";
import { packedChromium } from "../../bench/support/chromium.ts";

/** The libraries that a process has loaded. */
async function loadedBy(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/maps`, "utf8");
}

describe("the Chromium from npm", function () {
  this.timeout(120_000); // the first run unpacks it
  let server: BrowserServer | undefined;
  afterEach(async () => server?.close());

  it("opens a page with its own libraries and fonts; nothing else has to be installed", async () => {
    const { folder, executablePath, env } = await packedChromium();
    server = await chromium.launchServer({
      ...{ executablePath, env, headless: true },
      args: ["--no-sandbox", "--disable-gpu"],
    });
    const browser = await chromium.connect(server.wsEndpoint());
    const page = await browser.newPage();
    await page.setContent("<title>Opened</title><p style='font-family: Open Sans'>Hello</p>");
    expect(await page.title()).to.equal("Opened");

    const maps = await loadedBy(server.process().pid ?? 0);
    for (const library of ["libnss3.so", "libnspr4.so", "libnssutil3.so", "libexpat.so.1"]) {
      const from = maps.split("\n").filter((line) => line.includes(`/${library}`));
      expect(from, library).to.not.deep.equal([]);
      expect(from.every((line) => line.endsWith(join(folder, "al2023/lib", library)))).to.equal(
        true,
      );
    }

    const devTools = await page.context().newCDPSession(page);
    await devTools.send("DOM.enable");
    await devTools.send("CSS.enable");
    const { root } = await devTools.send("DOM.getDocument");
    const { nodeId } = await devTools.send("DOM.querySelector", {
      nodeId: root.nodeId,
      selector: "p",
    });
    const { fonts } = await devTools.send("CSS.getPlatformFontsForNode", { nodeId });
    expect(fonts.map(({ familyName }) => familyName)).to.deep.equal(["Open Sans"]);
    await browser.close();
  });
});
