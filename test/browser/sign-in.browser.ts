import { expect } from "chai";
import { admin, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, isCut, phone, screenshots, useBrowser } from "../support/browser.ts";

describe("the sign-in", () => {
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  it("shows the console to who signs in, and keeps the page that was asked for", async () => {
    const page = await browser.open();
    await page.goto(`${platform.url}/tickets?state=new`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await screenshots(page, "sign-in");
    expect(await findBarriers(page)).to.deep.equal([]);
    await platform.signIn(page, admin, "/tickets?state=new");
    expect(page.url()).to.equal(`${platform.url}/tickets?state=new`);
    await screenshots(page, "shell");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("says what is wrong, and nothing about which of the two it is", async () => {
    const page = await browser.open({ viewport: phone });
    await page.goto(`${platform.url}/login`);
    await page.getByLabel("Login", { exact: true }).fill("nobody@demo.example");
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The login or the password is wrong.").first().waitFor();
    expect(await isCut(page)).to.equal(false);
  });

  it("speaks French to who wants it", async () => {
    const page = await browser.open({ language: "fr" });
    await page.goto(`${platform.url}/tickets`);
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
    await platform.signIn(page, admin);
    await page.getByRole("link", { name: "Réunions" }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).to.equal("fr");
  });
});
