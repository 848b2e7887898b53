import { expect } from "chai";
import type { Page } from "playwright-core";
import { findBarriers, phone, screenshot } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { useLoaderCalls } from "../support/loader-calls.ts";
import { axeReadsStyles, inAgent } from "../support/loader-fixture.ts";
import { recordOf, recordsOf } from "../support/loader-host.ts";
import { runningRecording, seeStoredChunks } from "../support/recordings.ts";
import { see } from "../support/rooms-core.ts";

describe("a call in the box of the agent module", function () {
  this.timeout(120_000);
  const { loader, open, customerOf, callPageOf, framesOf, seeMoreFrames, answer } =
    useLoaderCalls();

  /** Expects the focus in the text field, so that the agent can continue typing. */
  const seeFocusOnInput = (page: Page): Promise<void> =>
    eventually(async () => {
      expect(await page.evaluate("document.activeElement.className")).to.equal("im-field");
    });
  /** Everything in the host page's reach that could contain a token. */
  const hostKeeps = (page: Page): Promise<string> =>
    page.evaluate(`document.documentElement.outerHTML +
      JSON.stringify(performance.getEntries()) + location.href`);

  it("shows the customer and the duration, and returns to the messages", async () => {
    const { page, ticket, box } = await open({}, axeReadsStyles);
    const customer = await customerOf(ticket);
    await box.getByRole("button", { name: "Video call" }).focus();
    await page.keyboard.press("Enter");
    const frame = await answer(page, true);
    expect(new URL(frame.url()).search, "no token").to.equal("");
    expect(await hostKeeps(page)).to.not.include("access_token");
    // Messages of other senders must be ignored; otherwise, the next steps would fail.
    await page.evaluate(`window.postMessage({ source: "sightline", type: "ended" }, "*")`);
    const { width = 0, height = 0 } = (await page.locator(".im-frame").boundingBox()) ?? {};
    expect(width).to.be.at.least(500);
    expect(height).to.be.at.least(480);
    await screenshot(page, "loader-call-box");
    expect(await findBarriers(page)).to.deep.equal([]);

    await page.frameLocator(".im-frame").locator('[data-tool="photo"]').click();
    await box.getByText("Photo saved").waitFor({ state: "attached" });

    await box.getByRole("button", { name: "Messages" }).click();
    await box.getByText("Photo saved").waitFor();
    await box.getByLabel("Write a message").fill("Look at the valve");
    await page.keyboard.press("Enter");
    await eventually(async () => {
      const texts = await customer.evaluate<string[]>(
        "window.room.view().messages.map(({ text }) => text)",
      );
      expect(texts).to.include("Look at the valve");
    });
    await seeMoreFrames(frame);
    await screenshot(page, "loader-call-text");
    await box.getByRole("button", { name: "Messages" }).click();

    await box.getByRole("button", { name: "Minimize" }).click();
    await eventually(async () => {
      expect(await box.getByRole("timer").innerText()).to.match(/^\d+:\d\d$/u);
    });
    await seeMoreFrames(frame);
    await screenshot(page, "loader-call-minimized");
    await box.getByRole("button", { name: "Open", exact: true }).click();

    await box.getByRole("button", { name: "Enlarge" }).click();
    expect((await page.locator(".im-frame").boundingBox())?.width).to.be.at.least(1_200);
    await screenshot(page, "loader-call-large");
    await box.getByRole("button", { name: "Enlarge" }).focus();
    await page.keyboard.press("Escape");
    expect((await page.locator(".im-frame").boundingBox())?.width).to.be.below(600);
    expect(callPageOf(page), "never loaded again").to.equal(frame);

    const inside = page.frameLocator(".im-frame");
    await inside.locator('[data-tool="end"]').click();
    await inside.getByRole("dialog").getByRole("button", { name: "End call" }).click();
    await box.getByText(/The call ended \(\d+:\d\d\)/u).waitFor();
    await seeFocusOnInput(page);
    expect(await box.getByRole("timer").count(), "no call runs").to.equal(0);
    await screenshot(page, "loader-call-ended");
    const types = (await recordsOf(page)).map(({ type }) => type);
    expect(types).to.deep.equal([
      ...["init", "createNewIMDiv", "openComBox", "sendMessage", "minimize", "maximize"],
    ]);
  });

  it("continues without a dropped frame while the host's page changes", async () => {
    const { page, ticket, box } = await open({ useFrame: true });
    await inAgent(page, `call(${ticket.id})`);
    await box.getByRole("button", { name: "Minimize" }).click();
    await customerOf(ticket);
    await box.getByRole("status").getByText("Customer waiting").waitFor();
    await screenshot(page, "loader-call-minimized-ringing");
    await box.getByRole("button", { name: "Open", exact: true }).click();
    const frame = await answer(page);
    await page.evaluate("window.isSameDocument = true");
    await box.getByRole("button", { name: "Minimize" }).click();
    const before = await framesOf(frame);
    await page.getByRole("link", { name: "The second page" }).click();
    await recordOf(page, "putInFrame");
    await page.frameLocator("#navIframe").getByRole("heading", { name: "CRM /second" }).waitFor();
    expect(await page.evaluate("window.isSameDocument"), "the top stays").to.equal(true);
    expect(callPageOf(page), "the page of the call stays").to.equal(frame);
    expect(await framesOf(frame)).to.be.at.least(before);
    await seeMoreFrames(frame);
    await page.frameLocator("#navIframe").getByRole("button", { name: "Go" }).click();
    await page.frame("navIframe")?.waitForURL(/\/second\?name=/u);
    await seeMoreFrames(frame);
    await box.getByRole("button", { name: "Open", exact: true }).click();
    await screenshot(page, "loader-call-use-frame");
    const types = (await recordsOf(page)).map(({ type }) => type);
    expect(types.filter((type) => type === "putInFrame")).to.have.length(1);
    const inside = page.frameLocator(".im-frame");
    await inside.locator('[data-tool="end"]').click();
    await inside.getByRole("dialog").getByRole("button", { name: "End call" }).click();
    await page.waitForURL(/\/second\?name=/u);
  });

  it("ends, and navigates the page, only after the recording is stored", async () => {
    const { page, ticket } = await open({ useFrame: true });
    const customer = await customerOf(ticket);
    await inAgent(page, `call(${ticket.id})`);
    await answer(page);
    const inside = page.frameLocator(".im-frame");
    await inside.locator('[data-tool="record"]').click();
    await see(customer, ({ recording }) => recording.state === "asked");
    await customer.evaluate("room.answerRecording(true)");
    const { db } = loader.platform;
    await seeStoredChunks(db, await runningRecording(loader.api, ticket.id), 1);
    await page.getByRole("link", { name: "The second page" }).click();
    await recordOf(page, "putInFrame");
    // The first upload of the last chunk fails.
    let pass = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      pass = resolve;
    });
    await page.route(/\/recordings\/\d+\//u, async (route) => {
      await held;
      await route.continue();
    });
    await inside.locator('[data-tool="end"]').click();
    await inside.getByRole("dialog").getByRole("button", { name: "End call" }).click();
    await inside.getByRole("heading", { name: "The call has ended" }).waitFor();
    expect(new URL(page.url()).pathname, "the top stays").to.equal("/");
    pass();
    await page.waitForURL(/\/second$/u);
    await page.getByRole("heading", { name: "CRM /second" }).waitFor();
    await eventually(async () => {
      const { body } = await loader.api.succeed(
        `GET /medias?ticketId=${ticket.id}&status=completed`,
      );
      expect(body["total"]).to.equal(1);
    });
  });

  it("fills the screen of a phone, in French and dark mode", async () => {
    const { page, ticket, box } = await open(
      { params: { culture: "fr" } },
      { viewport: phone, language: "fr", colors: "dark" },
    );
    await customerOf(ticket);
    await box.getByRole("button", { name: "Appel vidéo" }).click();
    await page.frameLocator(".im-frame").getByRole("button", { name: "Répondre" }).waitFor();
    await screenshot(page, "loader-call-phone-ringing");
    const frame = await answer(page);
    const { width, height = 0 } = (await page.locator(".im-frame").boundingBox()) ?? {};
    expect([width, height > phone.height - 110]).to.deep.equal([phone.width, true]);
    await screenshot(page, "loader-call-phone");
    await page.setViewportSize({ width: 320, height: 568 });
    expect(
      await frame.evaluate("document.documentElement.scrollWidth <= innerWidth"),
      "nothing is cut at 320 px",
    ).to.equal(true);
    const end = page.frameLocator(".im-frame").locator('[data-tool="end"]');
    const { x = 0, width: endWidth = 0 } = (await end.boundingBox()) ?? {};
    expect(x + endWidth, "the way out is in sight").to.be.at.most(320);
    await screenshot(page, "loader-call-320");
    await page.setViewportSize({ width: phone.height, height: phone.width });
    expect((await page.locator(".im-frame").boundingBox())?.width).to.equal(phone.height);
    await screenshot(page, "loader-call-phone-wide");
    await page.setViewportSize(phone);
    await box.getByRole("button", { name: "Réduire" }).click();
    await box.getByRole("timer").waitFor();
    await screenshot(page, "loader-call-phone-minimized");
    await box.getByRole("button", { name: "Ouvrir", exact: true }).click();
    await box.getByRole("button", { name: "Quitter l’appel" }).click();
    await box.getByText(/Vous avez quitté l’appel \(\d/u).waitFor();
    expect(await page.locator(".im-frame").count()).to.equal(0);
    await seeFocusOnInput(page);
  });

  it("has the same size in the second template, beside its column", async () => {
    const { page, box, ticket } = await open({ params: { template: "dock", directory: true } });
    await inAgent(page, `call(${ticket.id})`);
    await page
      .frameLocator(".im-frame")
      .getByRole("heading", { name: /^Waiting for/u })
      .waitFor();
    const { x = 0, width = 0 } = (await box.boundingBox()) ?? {};
    expect([width, x + width]).to.deep.equal([520, 1280 - 328]);
    await screenshot(page, "loader-call-dock");
  });
});
