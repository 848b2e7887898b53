import { expect } from "chai";
import type { Frame, Page } from "playwright-core";
import { watchConnections } from "../../bench/support/rooms-core.ts";
import { findBarriers, phone, screenshot, type OpenOptions } from "../support/browser.ts";
import { enterAsCustomer } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import { axeReadsStyles, inAgent, useLoaderDesk } from "../support/loader-desk.ts";
import { recordOf, recordsOf, type LoaderWish } from "../support/loader-host.ts";

type Ticket = Readonly<{ id: number; requestor_url: string }>;

describe("a call in the box of the agent module", function () {
  this.timeout(120_000);
  const desk = useLoaderDesk();

  /** A page of another site with the box of a new ticket. */
  const open = async (wish: LoaderWish = {}, options: OpenOptions = {}) => {
    const ticket: Ticket = await desk.aTicket();
    const page = await desk.browser.open({
      ...options,
      context: { permissions: ["microphone", "camera", "local-network-access"] },
    });
    await page.addInitScript(watchConnections);
    await desk.host.show(page, { hasCalls: true, ...wish }, desk.host.foreignUrl);
    await recordOf(page, "init");
    await inAgent(page, `openBox(${ticket.id})`);
    return { page, ticket, box: page.locator(".im-box") };
  };
  const customerOf = (ticket: Ticket): Promise<Page> => enterAsCustomer(ticket, desk);

  const callPageOf = (page: Page): Frame => {
    const found = page.frames().find((frame) => frame.url().includes("/agent/entrypoint/"));
    if (found === undefined) {
      throw new Error(
        `no page of a call among ${page
          .frames()
          .map((frame) => frame.url())
          .join()}`,
      );
    }
    return found;
  };
  const framesOf = (frame: Frame): Promise<number> => frame.evaluate("window.framesDecoded()");
  const seeMoreFrames = async (frame: Frame): Promise<void> => {
    const before = await framesOf(frame);
    await eventually(async () => expect(await framesOf(frame)).to.be.above(before + 5), {
      timeoutMs: 20_000,
    });
  };
  /** Answers the customer who rings, by the keyboard or by a click. Out: the frame. */
  const answer = async (page: Page, hasFocus = false): Promise<Frame> => {
    const button = page.frameLocator(".im-frame").getByRole("button", { name: /Answer|Répondre/u });
    await button.waitFor();
    await (hasFocus ? page.keyboard.press("Enter") : button.click());
    await page.locator(".im-duration").first().waitFor();
    const frame = callPageOf(page);
    await seeMoreFrames(frame);
    return frame;
  };
  /** Where the agent goes on to write. */
  const seeFocusOnInput = (page: Page): Promise<void> =>
    eventually(async () => {
      expect(await page.evaluate("document.activeElement.className")).to.equal("im-field");
    });
  /** Everything of the host's page that could keep a token. */
  const hostKeeps = (page: Page): Promise<string> =>
    page.evaluate(`document.documentElement.outerHTML +
      JSON.stringify(performance.getEntries()) + location.href`);

  it("shows the customer, counts the time, and returns to the messages", async () => {
    const { page, ticket, box } = await open({}, axeReadsStyles);
    const customer = await customerOf(ticket);
    await box.getByRole("button", { name: "Video call" }).focus();
    await page.keyboard.press("Enter");
    const frame = await answer(page, true);
    expect(new URL(frame.url()).search, "no token").to.equal("");
    expect(await hostKeeps(page)).to.not.include("access_token");
    // Anybody can post a message; only the frame's counts. The next steps would fail without it.
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

  it("goes on without a lost frame while the host's page changes", async () => {
    const { page, ticket, box } = await open({ useFrame: true });
    await customerOf(ticket);
    await inAgent(page, `call(${ticket.id})`);
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

  it("fills the screen of a phone, in French and in the dark", async () => {
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

  it("is as large in the second template, beside its column", async () => {
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

  /** Calls, and expects a tab and words why. */
  const callsInTab = async (page: Page, ticket: Ticket, words: string): Promise<void> => {
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      inAgent<boolean>(page, `call(${ticket.id})`).then((isShown) =>
        expect(isShown).to.equal(true),
      ),
    ]);
    await tab.getByRole("button", { name: "Sign in" }).waitFor();
    await tab.close();
    const box = page.locator(".im-box");
    await box.getByText(`${words} The call is open in another tab.`).waitFor();
    expect(await page.locator(".im-frame:visible").count()).to.equal(0);
  };

  it("is in a tab, with words, where the domain is not allowed any more", async () => {
    const { page, ticket } = await open();
    const domain = new URL(desk.host.foreignUrl).host;
    const removed = desk.platform.db("enterprise_domains").where({ domain });
    const [row] = await removed.clone().select("enterprise_id", "domain");
    await removed.clone().delete();
    await callsInTab(page, ticket, "This site is not allowed to show calls.");
    await screenshot(page, "loader-call-refused");
    await desk.platform.db("enterprise_domains").insert(row);
  });

  it("is in a tab where the host's policy forbids the frame", async () => {
    const { page, ticket } = await open({ hasCalls: false }, { expectedErrors: [/frame-src/u] });
    const words = "Your browser or this site does not allow the call here.";
    await callsInTab(page, ticket, words);
  });

  it("is in a tab where the browser keeps no cookie of the frame", async () => {
    const { page, ticket } = await open({}, { expectedErrors: [/frame-ancestors/u] });
    // The answer to the token, without its cookie.
    await page.route(/access_token=/u, (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ status: 303, headers: { location: pathname } });
    });
    const words = "Your browser or this site does not allow the call here.";
    await callsInTab(page, ticket, words);
  });

  it("moves to a tab where the agent wants it there, and back", async () => {
    const { page, ticket, box } = await open();
    await inAgent(page, `call(${ticket.id})`);
    await page
      .frameLocator(".im-frame")
      .getByRole("heading", { name: /^Waiting for/u })
      .waitFor();
    const other: Ticket = await desk.aTicket();
    const [second] = await Promise.all([
      page.context().waitForEvent("page"),
      inAgent(page, `call(${other.id})`),
    ]);
    await second.close();
    await page.getByText("This page already shows another call.").waitFor();
    const own = page.locator(`.im-box[data-dest-id="${ticket.id}"]`);
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      own.getByRole("button", { name: "Open in a tab" }).click(),
    ]);
    expect(tab.url()).to.match(new RegExp(`/tickets/${ticket.id}$`, "u"));
    await own.getByText("The call is open in another tab.").waitFor();
    await eventually(async () => expect(await page.locator(".im-frame").count()).to.equal(0));
    await tab.close();
    await own.getByRole("button", { name: "Video call" }).click();
    await page
      .frameLocator(".im-frame")
      .getByRole("heading", { name: /^Waiting for/u })
      .waitFor();
    expect(await box.count()).to.equal(2);
  });
});
