import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, isCut, phone, screenshots, useBrowser } from "../support/browser.ts";

describe("the loader demo", () => {
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  const load = async (page: Page): Promise<void> => {
    await page.goto(`${platform.url}/loader-demo`);
    await page.getByLabel("Login", { exact: true }).fill(agent.login);
    await page.getByLabel("Password", { exact: true }).fill(agent.password);
    await page.getByRole("button", { name: "Get a token" }).click();
    await page.getByText("Signed in:").waitFor();
    await page.getByRole("button", { name: "loadAgent(…)" }).click();
    await page.locator('#log li[data-type="init"]').waitFor();
  };

  it("lets one person be the agent and the customer, and shows every callback", async () => {
    const page = await browser.open();
    await load(page);
    await page.getByRole("button", { name: "New ticket" }).click();
    await page.getByRole("region", { name: "Conversation with Jane Doe" }).waitFor();
    await page.getByLabel("Write as the customer").fill("My boiler leaks");
    await page.getByLabel("Write as the customer").press("Enter");
    const box = page.getByRole("region", { name: "Conversation with Jane Doe" });
    await box.getByText("My boiler leaks").waitFor();
    await box.getByPlaceholder("Write a message").fill("I am on my way");
    await box.getByPlaceholder("Write a message").press("Enter");
    await page.locator("#customer-lines").getByText("I am on my way").waitFor();
    await page.getByRole("button", { name: "minimize(destId)" }).click();
    await page.getByRole("button", { name: "maximize(destId)" }).click();
    await page.getByRole("button", { name: "closeBox(destId)" }).click();
    await page.locator('#log li[data-type="close"]').waitFor();
    const types = await page.evaluate<string[]>(
      "[...document.querySelectorAll('#log li')].map((li) => li.dataset.type).reverse()",
    );
    expect(types).to.deep.equal([
      "init",
      "createNewIMDiv",
      "openComBox",
      "showNewMessage",
      "sendMessage",
      "minimize",
      "maximize",
      "close",
    ]);
    await page.getByRole("button", { name: "openBox(destId)" }).click();
    await page.getByRole("region", { name: "Conversation with Jane Doe" }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "loader-demo");
  });

  it("is read on a phone and in French, with nothing cut", async () => {
    const page = await browser.open({ viewport: phone, language: "fr", colors: "dark" });
    await page.goto(`${platform.url}/loader-demo?page=orders`);
    await page.getByRole("heading", { name: "L’agent dans la page" }).waitFor();
    await page.getByRole("link", { name: "Commandes" }).waitFor();
    expect(await isCut(page)).to.equal(false);
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "loader-demo-french-dark");
  });
});
