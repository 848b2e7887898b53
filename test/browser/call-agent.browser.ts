import { expect } from "chai";
import type { Page } from "playwright-core";
import { admin, agent } from "../support/browser-platform.ts";
import { desktop, findBarriers, phone, screenshots, useBrowser } from "../support/browser.ts";
import { enterAsCustomer as enterAsCustomerOf } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import { readDrawing } from "../support/jpeg-comment.ts";
import { countSounds, soundsStarted } from "../support/sounds.ts";
import { otherAgent, useTicketsConsole, type Made } from "../support/tickets-console.ts";

describe("the agent's page of a call", function () {
  this.timeout(120_000);
  const { platform, rest, create, open, stateIs } = useTicketsConsole();
  const browser = useBrowser();
  const addressOf = ({ id, button_id: button }: Made): string =>
    `/agent/entrypoint/${button}/tickets/${id}`;
  const toolOf = (page: Page, tool: string) => page.locator(`[data-tool="${tool}"]`);

  const enterAsCustomer = (ticket: Made): Promise<Page> =>
    enterAsCustomerOf(ticket, { platform, browser });

  const inCall = { context: { permissions: ["camera", "microphone", "clipboard-write"] } };

  it("waits for the customer, and says why each tool is disabled", async () => {
    const ticket = await create({ firstname: "Jeanne", lastname: "Martin", invite: true });
    const page = await open(agent, addressOf(ticket));
    await page.getByRole("heading", { name: "Waiting for Jeanne Martin" }).waitFor();
    const torch = toolOf(page, "torch");
    expect(await torch.getAttribute("aria-disabled")).to.equal("true");
    expect(await torch.getAttribute("aria-description")).to.equal("Available during the call");
    await page.getByRole("tab", { name: "Timeline" }).click();
    await page.getByText("Jeanne Martin was invited").waitFor();
    await page.getByRole("tab", { name: "Customer" }).click();
    await page.getByRole("heading", { name: "Invitation", exact: true }).waitFor();
    await screenshots(page, "call-waiting");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  /** Expects a stored drawing: the photo with pixels in the pen's color, and its shapes. */
  const seeDrawnPhoto = async (page: Page, ticket: Made): Promise<void> => {
    const { body } = await rest().succeed(`GET /medias?ticketId=${ticket.id}`);
    const medias = body["data"] as { id: number; filename: string; url: string }[];
    const drawing = medias.find(({ filename }) => filename.startsWith("drawing-"));
    const photo = medias.find(({ id }) => drawing?.filename === `drawing-${id}.jpg`);
    expect(await penPixels(page, photo?.url ?? "")).to.equal(0);
    expect(await penPixels(page, drawing?.url ?? "")).to.be.above(20);
    const { mediaId, shapes } = await readDrawing(drawing?.url ?? "");
    expect(mediaId).to.equal(photo?.id);
    expect(shapes.map(({ tool, points }) => [tool, points.length])).to.deep.equal([["arrow", 2]]);
  };

  it("rings, answers, sees the customer, takes a photo, draws, chats and ends", async () => {
    const ticket = await create({ firstname: "Jeanne", lastname: "Martin", invite: true });
    const page = await open(agent, addressOf(ticket), inCall);
    await page.getByRole("heading", { name: "Waiting for Jeanne Martin" }).waitFor();
    const customer = await enterAsCustomer(ticket);
    await page.getByRole("heading", { name: "Jeanne Martin is waiting" }).waitFor();
    await eventually(async () => /Jeanne Martin is waiting/u.test(await page.title()));
    await screenshots(page, "call-ringing");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole("button", { name: "Answer" }).click();
    await eventually(async () => {
      const width = await page.evaluate<number>(
        "document.querySelector('[data-customer-video] video')?.videoWidth ?? 0",
      );
      expect(width).to.be.above(0);
    });
    expect(await toolOf(page, "torch").getAttribute("aria-description")).to.equal(
      "This phone has no torch that web pages can use",
    );
    await customer.evaluate(`window.room.sendChat("Hello from the kitchen")`);
    await page.getByText("Hello from the kitchen").waitFor();
    await toolOf(page, "photo").click();
    await page.locator("[data-media]").first().waitFor();
    await screenshots(page, "call-in-call");
    expect(await findBarriers(page)).to.deep.equal([]);

    await toolOf(page, "freeze").click();
    const board = page.getByRole("region", { name: "Drawing" });
    await board.getByRole("img", { name: "Drawing on the photo" }).first().waitFor();
    await board.getByRole("button", { name: "Numbered arrow" }).click();
    const box = await board.locator("canvas").boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    await page.mouse.move(x - 60, y - 40);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 30, { steps: 5 });
    await page.mouse.up();
    await eventually(async () => {
      const shapes = await customer.evaluate<{ tool: string; number?: number }[]>(
        "window.room.view().board?.shapes ?? []",
      );
      expect(shapes.map(({ tool, number }) => ({ tool, number }))).to.deep.equal([
        { tool: "arrow", number: 1 },
      ]);
    });
    await board.getByRole("button", { name: "Save" }).click();
    await page.getByText("The drawing is saved with the photos.").waitFor();
    await seeDrawnPhoto(page, ticket);
    await screenshots(page, "call-drawing");
    await page.setViewportSize(phone);
    await page.getByRole("tab", { name: "Chat" }).waitFor({ state: "hidden" });
    const photo = await board.locator("canvas").boundingBox();
    expect(photo?.height, "the photo has the screen").to.be.above(150);
    await page.setViewportSize(desktop);
    await page.getByRole("tab", { name: "Chat" }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await board.getByRole("button", { name: "Close" }).click();
    await board.waitFor({ state: "detached" });

    await customer.evaluate("window.room.setPaused(true)");
    await page.getByText("Jeanne Martin paused the video").waitFor();
    expect(await toolOf(page, "photo").getAttribute("aria-description")).to.equal(
      "The customer paused the video",
    );
    await customer.evaluate("window.room.setPaused(false)");
    await toolOf(page, "end").click();
    const question = page.getByRole("dialog");
    await question.getByText("The ticket becomes “Done”").waitFor();
    await question.getByRole("button", { name: "End call" }).click();
    await page.getByRole("heading", { name: "The call has ended" }).waitFor();
    await eventually(async () => {
      const fact = (name: string) => page.locator(`[data-fact="${name}"] dd`).innerText();
      expect(await fact("duration")).to.match(/^\d/u);
      expect(Number(await fact("photos"))).to.be.at.least(2);
      expect([await fact("files"), await fact("messages")]).to.deep.equal(["0", "1"]);
    });
    await page.getByRole("link", { name: "Session report" }).waitFor();
    await page.getByRole("button", { name: "Join again" }).waitFor();
    // Only managers close tickets, and a completed ticket cannot be completed again.
    expect(await page.getByRole("button", { name: "Close ticket" }).count()).to.equal(0);
    expect(await page.getByRole("button", { name: "Complete ticket" }).count()).to.equal(0);
    await screenshots(page, "call-ended");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.locator('[data-state="done"]').first().waitFor();
  });

  it("plays the ringtone until it is muted, and after a reload only once it is unmuted", async () => {
    const ticket = await create({ firstname: "Li", lastname: "Wei", invite: true });
    const page = await browser.open(inCall);
    await page.addInitScript(countSounds);
    await platform.signIn(page, agent, addressOf(ticket));
    await page.getByRole("heading", { name: "Waiting for Li Wei" }).waitFor();
    await enterAsCustomer(ticket);
    const ringing = page.getByRole("heading", { name: "Li Wei is waiting" });
    await ringing.waitFor();
    // Four tones per ring: it rings repeatedly.
    await eventually(async () => (await soundsStarted(page)) >= 8);

    await page.getByRole("button", { name: "Mute ringtone" }).click();
    const soFar = await soundsStarted(page);
    await seeFlashes(page);
    expect(await soundsStarted(page), "muted").to.equal(soFar);
    await page.reload();
    await ringing.waitFor();
    await seeFlashes(page);
    expect(await soundsStarted(page), "muted, and reloaded").to.equal(0);
    await page.getByRole("button", { name: "Unmute ringtone" }).click();
    await eventually(async () => (await soundsStarted(page)) >= 4);
    await page.getByRole("button", { name: "Answer" }).click();
    await page.locator("[data-customer-video]").waitFor();
    const answered = await soundsStarted(page);
    await page.getByText("Li Wei · Good").waitFor();
    expect(await soundsStarted(page), "answered").to.equal(answered);
  });

  /** Waits for two flashes of the title, during which another ring would occur. */
  const seeFlashes = async (page: Page): Promise<void> => {
    for (const isShown of [true, false, true, false]) {
      await eventually(async () => (await page.title()).startsWith("●") === isShown);
    }
  };

  it("points, locates, and continues after a reload of the agent's page", async () => {
    const ticket = await create({ firstname: "Amadou", lastname: "Traoré", invite: true });
    const page = await open(agent, addressOf(ticket), inCall);
    const customer = await enterAsCustomer(ticket);
    await customer.context().setGeolocation({ latitude: 48.8566, longitude: 2.3522 });
    await page.getByRole("button", { name: "Answer" }).click();
    await page.locator("[data-customer-video]").waitFor();
    await eventually(async () => {
      expect(await toolOf(page, "pointer").getAttribute("aria-disabled")).to.equal(null);
    });
    await page.keyboard.press("o");
    const box = await page.locator("[data-customer-video]").boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    await eventually(async () => {
      // Repeated, because the first movements may precede the selection of the tool.
      await page.mouse.move(x - 20, y);
      await page.mouse.move(x, y, { steps: 3 });
      const point = await customer.evaluate<{ x: number; y: number } | undefined>(
        "window.room.view().pointer?.point",
      );
      expect(point?.x).to.be.closeTo(0.5, 0.02);
      expect(point?.y).to.be.closeTo(0.5, 0.02);
    });
    await toolOf(page, "locate").click();
    await page.getByRole("tab", { name: "Customer" }).click();
    // Before the next periodic request of the ticket.
    await page.getByText("48.8566, 2.3522").first().waitFor({ timeout: 10_000 });
    await page.reload();
    await page.getByRole("heading", { name: "Amadou Traoré is waiting" }).waitFor();
    await page.getByRole("button", { name: "Answer" }).click();
    await page.locator("[data-customer-video]").waitFor();
  });

  it("can be framed with the sso_url by an allowed site, and by no other", async () => {
    const host = "crm.customer.example";
    const { body } = await rest().succeed("GET /users/me");
    await rest().succeed(`POST /enterprises/${String(body["enterpriseId"])}/domains`, {
      body: { domain: host, alias: `video.${host}` },
    });
    const made = await create({ scope: "sso", firstname: "Ana", lastname: "Silva" });
    const { sso_url: url } = made as Made & { sso_url: string };
    const src = url.replace(/^https?:\/\/[^/]+/u, platform.url);
    for (const [site, isAllowed] of [
      [host, true],
      ["evil.example", false],
    ] as const) {
      const page = await browser.open({
        hosts: [site],
        expectedErrors: [/frame-ancestors/u],
        context: { permissions: ["local-network-access"] },
      });
      await page.route(`https://${site}/**`, (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<!doctype html><title>CRM</title><iframe title="Call" src="${src}"
            style="width:100%;height:700px" allow="camera;microphone" referrerpolicy="origin"></iframe>`,
        }),
      );
      await page.goto(`https://${site}/`);
      if (isAllowed) {
        const frame = page.frameLocator("iframe");
        await frame.getByRole("heading", { name: "Waiting for Ana Silva" }).waitFor();
        expect(await page.frames()[1]?.evaluate("document.referrer")).to.equal(page.url());
      } else {
        await eventually(() => {
          expect(page.frames().some((one) => one.url().startsWith("chrome-error"))).to.equal(true);
        });
      }
    }
  });

  it("rejects other agents, except those who may take the ticket", async () => {
    const ticket = await create({ firstname: "Li", lastname: "Wei" });
    const page = await browser.open();
    await platform.signIn(page, otherAgent, "/tickets");
    await page.goto(`${platform.url}${addressOf(ticket)}`);
    await page.getByText("You cannot open this ticket").waitFor();
    await rest().succeed(`PUT /tickets/${ticket.id}/agent`, { body: { agent: otherAgent.login } });
    await page.reload();
    await page.getByRole("heading", { name: "Waiting for Li Wei" }).waitFor();
    const watching = await open(admin, addressOf(ticket));
    await watching.getByRole("heading", { name: /^This ticket belongs to/u }).waitFor();
    await screenshots(watching, "call-not-yours");
    expect(await findBarriers(watching)).to.deep.equal([]);
  });

  it("says that the room of a closed ticket is closed, in French and dark mode", async () => {
    const ticket = await create({ firstname: "Li", lastname: "Wei" });
    await stateIs(ticket.id, "closed");
    const page = await open(agent, addressOf(ticket), { language: "fr", colors: "dark" });
    await page.getByRole("heading", { name: "La salle est fermée" }).waitFor();
    await screenshots(page, "call-closed-fr-dark");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("signs in the agent of an sso_url, for this ticket only, and drops the token", async () => {
    const made = await create({ scope: "sso", firstname: "Ana", lastname: "Silva" });
    const { sso_url: url } = made as Made & { sso_url: string };
    const page = await browser.open();
    await page.goto(url.replace(/^https?:\/\/[^/]+/u, platform.url));
    await page.getByRole("heading", { name: "Waiting for Ana Silva" }).waitFor();
    expect(page.url()).to.equal(`${platform.url}${addressOf(made)}`);
    const status = (path: string) =>
      page.evaluate<number>(`fetch(${JSON.stringify(`/api${path}`)}).then((it) => it.status)`);
    expect(await status(`/tickets/${made.id}`)).to.equal(200);
    expect(await status("/tickets")).to.equal(403);
    expect(await status("/users/me")).to.equal(403);
    expect(await status("/users/me/sessions")).to.equal(403);
    await rest().succeed(`POST /tickets/${made.id}/cancel`);
    expect(await status(`/tickets/${made.id}`)).to.equal(401);
  });
});

/** The number of pixels with the pen's color, within the tolerance of JPEG. */
function penPixels(page: Page, url: string): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const picture = await fetch(${JSON.stringify(url)}).then((it) => it.blob()).then(createImageBitmap);
    const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    const pen = [0xe6, 0x00, 0x3c];
    let found = 0;
    for (let at = 0; at < data.length; at += 4) {
      found += pen.every((part, index) => Math.abs(data[at + index] - part) < 24) ? 1 : 0;
    }
    return found;
  })()`);
}
