import { expect } from "chai";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, screenshots, useBrowser } from "../support/browser.ts";

const nextPassword = "Correct-horse-9";

describe("what everybody sets for themselves", () => {
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  it("signs out of another browser", async () => {
    const [here, there] = [await browser.open(), await browser.open()];
    await platform.signIn(there, agent, "/settings/profile");
    await platform.signIn(here, agent, "/settings/profile");
    await here.getByText("This browser", { exact: true }).waitFor();
    await screenshots(here, "settings-profile");
    expect(await findBarriers(here)).to.deep.equal([]);
    await here.getByRole("button", { name: /^Sign out Chrom/u }).click();
    await here.getByRole("button", { name: /^Sign out Chrom/u }).waitFor({ state: "detached" });
    await there.reload();
    await there.getByRole("heading", { name: "Sign in" }).waitFor();
    await here.reload();
    await here.getByRole("heading", { name: "Profile" }).waitFor();
  });

  it("makes an API token that is shown once, works, and is refused once it is ended", async () => {
    const page = await browser.open();
    await platform.signIn(page, agent, "/settings/tokens");
    await page.getByLabel("Name").fill("CRM");
    await page.getByRole("button", { name: "Make the token" }).click();
    const token = await page.getByText(/^slt_/u).innerText();
    await screenshots(page, "settings-tokens");
    expect(await findBarriers(page)).to.deep.equal([]);
    const ask = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${platform.url}/api/users/me`, { headers })).status;
    };
    expect(await ask()).to.equal(200);
    await page.reload();
    await page.getByRole("button", { name: "End the token CRM" }).waitFor();
    expect(await page.getByText(token).count()).to.equal(0);
    await page.getByRole("button", { name: "End the token CRM" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End" }).click();
    await page.getByText("No tokens").first().waitFor();
    expect(await ask()).to.equal(401);
  });

  it("shows an agent the profile and the tokens, and nothing of the company", async () => {
    const page = await browser.open();
    await platform.signIn(page, agent, "/settings/profile");
    const links = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
    await links.first().waitFor();
    expect(await links.allInnerTexts()).to.deep.equal(["Profile", "API tokens"]);
    await page.goto(`${platform.url}/settings/users`);
    await page.getByText("Your role does not reach this").waitFor();
    await screenshots(page, "settings-closed");
  });

  it("takes a new password, which ends every other browser and not this one", async () => {
    const mover = { login: "mover@demo.example", password: "Correct-horse-1" };
    await (await platform.rest(admin)).succeed("POST /users", { body: mover });
    const [here, there] = [await browser.open(), await browser.open()];
    await platform.signIn(there, mover, "/settings/profile");
    await platform.signIn(here, mover, "/settings/profile");
    await here.getByLabel("Current password").fill("not the password");
    await here.getByLabel("New password", { exact: true }).fill(nextPassword);
    await here.getByLabel("New password, again").fill(nextPassword);
    await here.getByRole("button", { name: "Set the password" }).click();
    await here.getByText("This is not your password.").waitFor();
    await here.getByLabel("Current password").fill(mover.password);
    await here.getByRole("button", { name: "Set the password" }).click();
    await here.getByText("Other browsers and your API tokens are signed out.").waitFor();
    await here.reload();
    await here.getByRole("heading", { name: "Profile" }).waitFor();
    await here.getByLabel("Name that others see").fill("Alex Bernard");
    await here.getByRole("button", { name: "Save" }).click();
    await here.getByText("Saved").waitFor();
    await there.reload();
    await there.getByRole("heading", { name: "Sign in" }).waitFor();
    await platform.signIn(there, { login: mover.login, password: nextPassword });
  });
});
