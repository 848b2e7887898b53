/** What the agent does with the photos of a call: texts on them, and texts in them. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent } from "../support/browser-platform.ts";
import { useBrowser } from "../support/browser.ts";
import { enterAsCustomer } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import { readFixture } from "../support/media.ts";
import { useTicketsConsole } from "../support/tickets-console.ts";

describe("the photos of the agent in a call", function () {
  this.timeout(150_000);
  const { platform, rest, create, open } = useTicketsConsole();
  const browser = useBrowser();

  const aCall = async () => {
    const ticket = await create({ firstname: "Jeanne", lastname: "Martin", invite: true });
    const address = `/agent/entrypoint/${ticket.button_id}/tickets/${ticket.id}`;
    const context = { permissions: ["camera", "microphone"] };
    const page = await open(agent, address, { context });
    const customer = await enterAsCustomer(ticket, { platform, browser });
    await page.getByRole("button", { name: "Answer" }).click();
    await page.locator("[data-customer-video] video").waitFor();
    return { ticket, page, customer };
  };

  const sendPhoto = async (customer: Page): Promise<number> => {
    const photo = (await readFixture("text.png")).toString("base64");
    return customer.evaluate<number>(`room.sendFile(
      new Blob([Uint8Array.from(atob("${photo}"), (one) => one.charCodeAt(0))], { type: "image/png" }),
      "plate.png",
    )`);
  };

  it("keep a text that is being written when another one is begun", async () => {
    const { page, customer } = await aCall();
    const mediaId = await sendPhoto(customer);
    await page.locator(`[data-media="${mediaId}"]`).click();
    await page.getByRole("button", { name: "Draw on it" }).click();
    const board = page.getByRole("region", { name: "Drawing" });
    await board.getByRole("img", { name: "Drawing on the photo" }).first().waitFor();
    await board.getByRole("button", { name: "Text", exact: true }).click();
    const { x, y, width, height } = (await board.locator("canvas").boundingBox())!;
    const middle = { x: x + width / 2, y: y + height / 2 };
    for (const [nth, text] of ["first", "second"].entries()) {
      await page.mouse.click(middle.x - 40, middle.y - 40 + 60 * nth);
      await board.locator("input").waitFor();
      await page.keyboard.type(text);
    }
    await page.keyboard.press("Enter");
    await eventually(async () => {
      const shapes = await customer.evaluate<{ text?: string }[]>(
        "window.room.view().board?.shapes ?? []",
      );
      expect(shapes.map(({ text }) => text)).to.deep.equal(["first", "second"]);
    });
  });

  it("show no earlier text as that of another photo before the timeline has loaded", async () => {
    const { ticket, page, customer } = await aCall();
    const earlier = await sendPhoto(customer);
    const body = { left: 0, top: 0, width: 420, height: 74 };
    await rest().succeed(`POST /medias/${earlier}/ocr`, { body });
    await eventually(
      async () => {
        const { body: events } = await rest().succeed(`GET /tickets/${ticket.id}/events`);
        const types = (events as unknown as { eventType: string }[]).map((one) => one.eventType);
        expect(types).to.include("media.OCRDone");
      },
      { timeoutMs: 60_000 },
    );
    const other = await sendPhoto(customer);
    let loadTimeline = (): void => undefined;
    const isLoading = new Promise<void>((resolve) => {
      loadTimeline = resolve;
    });
    await page.route(/\/tickets\/\d+\/events/u, async (route) => {
      await isLoading;
      await route.continue();
    });
    await page.reload();
    await page.locator(`[data-media="${other}"]`).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Read text" }).click();
    loadTimeline();
    const found = dialog.getByLabel("Text found");
    await found.waitFor({ timeout: 60_000 });
    expect((await found.innerText()).trim()).to.equal("Meter 48213\nSerial AB 7790");
  });
});
