import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { admin, useBrowserPlatform } from "../support/browser-platform.ts";
import { useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { press } from "./keyboard.ts";

async function hasFocus(page: Page, wanted: Locator): Promise<boolean> {
  return (await page.locator(":focus").and(wanted).count()) > 0;
}

/** Expects the focus in the opened element, and on its opener after it closes. */
async function closesTo(page: Page, opener: Locator): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await eventually(async () =>
    expect(
      await page.evaluate('document.activeElement.closest("[role=dialog]") !== null'),
    ).to.equal(true),
  );
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await eventually(async () => expect(await hasFocus(page, opener)).to.equal(true));
}

describe("the focus after a dialog", function () {
  this.timeout(120_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  /** Twice, because the first opening loads the code of the element and the second does not. */
  const twice = async (page: Page, opener: Locator): Promise<void> => {
    for (const time of ["first", "second"]) {
      await press(page, opener);
      await closesTo(page, opener).catch((thrown: unknown) => {
        throw new Error(`the ${time} time: ${String(thrown)}`);
      });
    }
  };

  it("returns to the button, the menu and the row that opened it", async () => {
    const rest = await platform.rest(admin);
    const { body } = await rest.succeed("POST /conferences", {
      body: { participants: "jane@example.com,paul@example.com", name: "Boiler" },
    });
    const page = await browser.open();
    await platform.signIn(page, admin, `/meetings/${String(body["id"])}`);
    await twice(page, page.getByRole("button", { name: "Invite more guests" }));
    const more = page.getByRole("button", { name: "More", exact: true });
    await press(page, more);
    await page.getByRole("menuitem", { name: "Edit" }).press("Enter");
    await closesTo(page, more);
    await twice(page, page.getByRole("button", { name: "Remove paul@example.com" }));
  });

  it("returns to the confirmed action on the page of a service", async () => {
    const rest = await platform.rest(admin);
    const { body } = await rest.succeed("GET /services");
    const [service] = body["data"] as { id: number }[];
    const page = await browser.open();
    await platform.signIn(page, admin, `/settings/services/${service?.id}`);
    await twice(page, page.getByRole("button", { name: /^Rename / }).first());
    await twice(page, page.getByRole("button", { name: "Delete service" }));
  });

  it("returns to the row of a list, and to the button above it", async () => {
    const rest = await platform.rest(admin);
    await rest.succeed("POST /sms", { body: { to: "+33612345678", text: "At ten" } });
    const page = await browser.open();
    await platform.signIn(page, admin, "/messages");
    await twice(page, page.getByRole("button", { name: "Send an SMS" }));
    await twice(page, page.getByRole("row", { name: /\+33612345678/u }));
    await page.goto(new URL("/settings/users", page.url()).href);
    await twice(page, page.getByRole("row", { name: /agent@demo\.example/u }));
    await twice(page, page.getByRole("button", { name: "New user" }));
    await page.goto(new URL("/dashboard/deliveries/replays", page.url()).href);
    await twice(page, page.getByRole("button", { name: "New replay" }));
  });
});
