import { expect } from "chai";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, seeFits, phone, screenshots, useBrowser } from "../support/browser.ts";
import { changeIdentities } from "../support/identities.ts";

describe("the sign-in", function () {
  this.timeout(60_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  it("is required for a link whose token is invalid, which is removed from the address", async () => {
    const page = await browser.open();
    await page.goto(`${platform.url}/agent/entrypoint/1/tickets/1?access_token=very-secret&tab=a`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(page.url()).to.equal(`${platform.url}/agent/entrypoint/1/tickets/1?tab=a`);
    expect(await page.context().cookies()).to.deep.equal([]);
  });

  it("opens the console, and keeps the requested page", async () => {
    const page = await browser.open();
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) {
        refused.push(`${response.status()} ${response.url()}`);
      }
    });
    await page.goto(`${platform.url}/tickets?state=new`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(refused, "who is not signed in is no fault").to.deep.equal([]);
    await screenshots(page, "sign-in");
    expect(await findBarriers(page)).to.deep.equal([]);
    await platform.signInByForm(page, admin, "/tickets?state=new");
    expect(page.url()).to.equal(`${platform.url}/tickets?state=new`);
    await screenshots(page, "shell");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("reports a failure without saying whether login or password is wrong", async () => {
    const page = await browser.open({ viewport: phone });
    await page.goto(`${platform.url}/login`);
    await page.getByLabel("Login", { exact: true }).fill("nobody@demo.example");
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Wrong login or password.").first().waitFor();
    // A wrong password shows no request id for support.
    expect(await page.getByRole("alert").locator("code").count()).to.equal(0);
    await seeFits(page);
  });

  it("is available in French", async () => {
    const page = await browser.open({ language: "fr" });
    await page.goto(`${platform.url}/tickets`);
    await page.getByRole("heading", { name: "Connexion" }).waitFor();
    await platform.signInByForm(page, admin);
    await page.getByRole("link", { name: "Réunions" }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).to.equal("fr");
  });

  it("ends by the menu: no cookie, nothing behind Back, and other tabs ask to sign in", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/company");
    await page.getByRole("heading", { name: "Company", exact: true }).waitFor();
    const other = await browser.openBeside(page);
    // This page makes no periodic requests, so it notices the sign-out at the next navigation.
    await other.goto(`${platform.url}/settings/company`);
    await other.getByRole("heading", { name: "Company", exact: true }).waitFor();
    // The cookie of a known browser is kept; it grants no access.
    const named = async (): Promise<string[]> =>
      (await page.context().cookies()).map(({ name }) => name).filter((name) => name !== "browser");
    expect(await named()).to.have.length.greaterThan(0);

    await page.getByRole("button", { name: /Account/u }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await named()).to.deep.equal([]);
    expect((await page.request.get(`${platform.url}/api/users/me`)).status()).to.equal(401);

    await page.goBack();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.getByRole("navigation").count()).to.equal(0);
    expect(await page.content()).not.to.contain(admin.login);

    await other.getByRole("link", { name: "Tickets" }).click();
    const ended = other.getByRole("dialog", { name: "Your session has ended" });
    await ended.getByLabel("Password", { exact: true }).waitFor();
    await ended.getByRole("button", { name: "Leave this page" }).click();
    await other.getByText("Your session has ended. Sign in to return").waitFor();
    expect(await other.getByRole("navigation").count()).to.equal(0);
  });

  it("keeps a form over an ended session: it is shown above the form, and no text is lost", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/webhooks/new");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Kept through");
    await page.getByRole("textbox", { name: "URL" }).fill("https://receiver.example/hook");
    await changeIdentities(platform.db, "DELETE FROM browser_sessions");
    const save = page.getByRole("button", { name: "Create webhook" });
    await save.click();
    const ended = page.getByRole("dialog", { name: "Your session has ended" });
    const password = ended.getByLabel("Password", { exact: true });
    await password.waitFor();
    await screenshots(page, "session-ended");
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(await ended.getByLabel("Login", { exact: true }).inputValue()).to.equal(admin.login);
    await password.fill(admin.password);
    await ended.getByRole("button", { name: "Sign in" }).click();
    await ended.waitFor({ state: "detached" });
    expect(await page.getByRole("textbox", { name: "URL" }).inputValue()).to.equal(
      "https://receiver.example/hook",
    );
    await save.click();
    await page.getByRole("heading", { name: "Kept through", level: 1 }).waitFor();
  });

  it("repeats a change with the new session after a sign-in in another tab", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/webhooks/new");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Token renewed");
    await changeIdentities(platform.db, "DELETE FROM browser_sessions");
    await page.context().clearCookies();
    await platform.signIn(await browser.openBeside(page), admin);
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByRole("heading", { name: "Token renewed", level: 1 }).waitFor();
  });

  it("continues automatically after a sign-in in another tab", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/webhooks/new");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Signed in beside");
    await changeIdentities(platform.db, "DELETE FROM browser_sessions");
    await page.getByRole("button", { name: "Create webhook" }).click();
    const ended = page.getByRole("dialog", { name: "Your session has ended" });
    await ended.waitFor();
    await platform.signIn(await browser.openBeside(page), admin);
    await ended.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByRole("heading", { name: "Signed in beside", level: 1 }).waitFor();
  });

  it("of another user in another tab reloads the page, and none of its input is saved", async () => {
    const page = await browser.open();
    await page.clock.install();
    await platform.signIn(page, admin, "/settings/profile");
    await page.getByLabel("Display name").fill("Not the agent");
    await platform.signIn(await browser.openBeside(page), agent, "/settings/profile");
    const reloaded = page.waitForEvent("domcontentloaded");
    await page.clock.fastForward("05:30");
    await reloaded;
    await page.getByText(agent.login).first().waitFor();
    expect(await page.getByLabel("Display name").inputValue()).not.to.equal("Not the agent");
  });

  it("is kept if the sign-out meets unsaved changes and the user stays", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/webhooks/new");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Stayed");
    const signOut = async (answer: string) => {
      await page.getByRole("button", { name: /Account/u }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
      await dialog.getByRole("button", { name: answer }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await signOut("Stay");
    expect((await page.request.get(`${platform.url}/api/browser-session`)).status()).to.equal(200);
    await signOut("Leave");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect((await page.request.get(`${platform.url}/api/browser-session`)).status()).to.equal(401);
  });

  it("explains why it is shown: an ended session, or a page that requires one", async () => {
    const page = await browser.open();
    await page.goto(`${platform.url}/settings/company`);
    await page.getByText("Sign in to open the page you requested.").waitFor();
    await platform.signIn(page, admin, "/settings/company");
    await changeIdentities(platform.db, "DELETE FROM browser_sessions");
    await page.goto(`${platform.url}/settings/company`);
    await page.getByText("Your session has ended.").waitFor();
  });

  it("emails a link for a forgotten password, which sets a new one once", async () => {
    const [forgetful, next] = [
      { login: "forgetful@demo.example", password: "Correct-horse-1" },
      "Correct-horse-2",
    ];
    const body = { ...forgetful, email: forgetful.login };
    await (await platform.rest(admin)).succeed("POST /users", { body });
    const page = await browser.open();
    await page.goto(`${platform.url}/login`);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "Password reset" }).waitFor();
    await page.getByRole("button", { name: "Email me a link" }).click();
    await page.getByText("Required", { exact: true }).waitFor();
    await page.getByLabel("Login").fill(forgetful.login);
    await page.keyboard.press("Enter");
    await page.getByText("If an account has this login").waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);

    // On a development platform, the email is on the mailbox page.
    const mailbox = await browser.openBeside(page);
    await mailbox.goto(`${platform.url}/mailbox`);
    await mailbox.getByText(forgetful.login).first().click();
    const said = await mailbox
      .getByText(/\/password#token=/u)
      .last()
      .innerText();
    const address = /https?:\S+\/password#token=\S+/u.exec(said)?.[0] ?? "";
    expect(address).to.contain(`${platform.url}/password#`);
    await page.goto(address);
    await page.getByLabel("New password", { exact: true }).fill("short");
    await page.getByLabel("Confirm new password").fill("other");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("The passwords do not match.").waitFor();
    await screenshots(page, "password");
    await page.getByLabel("New password", { exact: true }).fill(next);
    await page.getByLabel("Confirm new password").fill(next);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Your password is set.").waitFor();
    await page.getByRole("link", { name: "Go to sign-in" }).click();

    await page.getByLabel("Login", { exact: true }).fill(forgetful.login);
    await page.getByLabel("Password", { exact: true }).fill(forgetful.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Wrong login or password.").first().waitFor();
    await page.getByLabel("Password", { exact: true }).fill(next);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation").first().waitFor();

    const late = await browser.open({ viewport: phone });
    await late.goto(address);
    await late.getByLabel("New password", { exact: true }).fill("Correct-horse-3");
    await late.getByLabel("Confirm new password").fill("Correct-horse-3");
    await late.getByRole("button", { name: "Set password" }).click();
    await late.getByRole("alert").waitFor();
    await seeFits(late);
    await screenshots(late, "password-used");
    await platform.signIn(await browser.open(), { ...forgetful, password: next });
  });
});
