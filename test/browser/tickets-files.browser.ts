import { expect } from "chai";
import { admin } from "../support/browser-platform.ts";
import { eventually } from "../support/eventually.ts";
import { tinyPng } from "../support/media.ts";
import { useTicketsConsole } from "../support/tickets-console.ts";

describe("the files of a ticket in the console", function () {
  // Browser tests are slow on busy machines.
  this.timeout(120_000);
  const { create, open } = useTicketsConsole();
  const picture = { name: "boiler.png", mimeType: "image/png", buffer: tinyPng };

  it("can be chosen again after a failed upload", async () => {
    const page = await open(admin, `/tickets/${(await create()).id}`);
    const input = page.locator("input[type=file]");
    const html = { name: "a.html", mimeType: "text/html", buffer: Buffer.from("<html>") };
    await input.setInputFiles(html);
    await page.getByText("This file type is not supported.").waitFor();
    // Browsers fire no event if the same file is chosen again.
    await eventually(async () => {
      const count = "document.querySelector('input[type=file]').files.length";
      expect(await page.evaluate(count)).to.equal(0);
    });
  });

  it("keep playing with the link that they began with, until it fails", async () => {
    const page = await open(admin, `/tickets/${(await create()).id}`);
    let links = 0;
    await page.route("**/api/medias?*", async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      links += 1;
      const body = text.replace(/"url":"[^"]+/u, `$&&n=${links}`);
      await route.fulfill({
        response,
        body: body.replace('"image"', '"video"').replace('"image/png"', '"video/webm"'),
      });
    });
    await page.locator("input[type=file]").setInputFiles(picture);
    await page
      .getByRole("region", { name: "Files" })
      .getByRole("button", { name: /boiler/u })
      .click();
    const dialog = page.getByRole("dialog");
    const video = dialog.locator("video");
    const download = dialog.getByRole("link", { name: "Download" });
    // A picture is no video.
    await eventually(() =>
      page.evaluate<boolean>('document.querySelector("video")?.error?.code > 0'),
    );
    const before = await video.getAttribute("src");
    await dialog.getByLabel("Description").fill("Plate of the boiler");
    await dialog.getByRole("button", { name: "Save" }).click();
    await eventually(async () => (await download.getAttribute("href")) !== before);
    expect(await video.getAttribute("src")).to.equal(before);
    await video.dispatchEvent("error");
    await eventually(async () => {
      expect(await video.getAttribute("src")).to.equal(await download.getAttribute("href"));
    });
  });
});
