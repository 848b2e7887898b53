import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { admin } from "../support/browser-platform.ts";
import { findBarriers, screenshot, screenshots } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { tinyPng } from "../support/media.ts";
import { useTicketsConsole } from "../support/tickets-console.ts";
import { press } from "./keyboard.ts";

function actionsOf(page: Page): Locator {
  return page.getByRole("group", { name: "Available actions" });
}

async function hasFocus(page: Page, wanted: Locator): Promise<boolean> {
  return (await page.locator(":focus").and(wanted).count()) > 0;
}

function isFocusInDialog(page: Page): Promise<boolean> {
  return page.evaluate('document.activeElement.closest("[role=dialog]") !== null');
}

/** The open dialog traps the focus; after it closes, its opener has it again. */
async function keepsFocus(page: Page, opener: Locator): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await eventually(() => isFocusInDialog(page));
  for (let tabs = 0; tabs < 12; tabs += 1) {
    await page.keyboard.press("Tab");
    expect(await isFocusInDialog(page)).to.equal(true);
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await eventually(() => hasFocus(page, opener));
}

describe("a lazily loaded dialog", function () {
  this.timeout(120_000);
  const { create, open } = useTicketsConsole();

  it("takes the focus, and returns it to the button, the menu and the file that opened it", async () => {
    const ticket = await create();
    const page = await open(admin, `/tickets/${ticket.id}`);
    const take = actionsOf(page).getByRole("button", { name: "Take" });
    const more = actionsOf(page).getByRole("button", { name: "More" });
    await press(page, take);
    await keepsFocus(page, take);
    await press(page, more);
    await page.getByRole("menuitem").first().press("Enter");
    await keepsFocus(page, more);
    await more.click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await keepsFocus(page, more);
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "boiler.png", mimeType: "image/png", buffer: tinyPng });
    const tile = page
      .getByRole("region", { name: "Files" })
      .getByRole("button", { name: /boiler/u });
    await press(page, tile);
    await keepsFocus(page, tile);
    await press(page, tile);
    await press(page, page.getByRole("dialog").getByRole("button", { name: "Delete" }));
    const sure = page.getByRole("dialog", { name: /^Delete/u });
    await press(page, sure.getByRole("button", { name: "Delete" }));
    await tile.waitFor({ state: "detached" });
    await eventually(() =>
      hasFocus(page, page.getByRole("region", { name: "Files" }).getByRole("button").first()),
    );
    // The action is no longer available: the focus moves to the next element.
    await press(page, take);
    await press(page, page.getByRole("dialog").getByRole("button", { name: "Take ticket" }));
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await eventually(() => hasFocus(page, actionsOf(page).getByRole("button", { name: "Invite" })));
  });

  it("does so from a row of the list, the first time and every other time", async () => {
    const ticket = await create();
    const page = await open(admin, "/tickets");
    const actions = page.getByRole("button", { name: `Actions for ticket ${ticket.id}` });
    for (const name of ["Take", "Approve"]) {
      await press(page, actions);
      await page.getByRole("menuitem", { name }).press("Enter");
      await keepsFocus(page, actions);
    }
  });

  it("shows its progress without a layout shift, and says if it cannot be loaded", async () => {
    const ticket = await create();
    const page = await open(admin, "/tickets/new", {
      expectedErrors: [/ApiProblem/u],
    });
    let lose = (): void => undefined;
    const lost = new Promise<void>((resolve) => {
      lose = resolve;
    });
    const script = "**/assets/action-dialog*.js";
    await page.route(script, async (route) => {
      await lost;
      await route.abort();
    });
    await page.goto(new URL(`/tickets/${ticket.id}`, page.url()).href);
    const take = actionsOf(page).getByRole("button", { name: "Take" });
    const coming = page.getByRole("status").getByText("Loading");
    const dialog = page.getByRole("dialog");
    await take.waitFor();
    await page.getByText("Webhook deliveries").waitFor();
    const before = await actionsOf(page).boundingBox();
    await take.click();
    await coming.waitFor();
    await screenshot(page, "tickets-dialog-loading");
    expect(await actionsOf(page).boundingBox()).to.deep.equal(before);
    await page.keyboard.press("Escape");
    await coming.waitFor({ state: "detached" });
    await take.click();
    await coming.waitFor();
    lose();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    await screenshots(page, "tickets-dialog-lost");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole("button", { name: "Close" }).click();
    await alert.waitFor({ state: "detached" });
    await take.click();
    await alert.waitFor();
    // It opens by itself as soon as it is loaded.
    await page.unroute(script);
    await dialog.getByRole("button", { name: "Take ticket" }).waitFor();
  });
});
