import { expect } from "chai";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, screenshots, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";

const nextPassword = "Correct-horse-9";

describe("the personal settings", () => {
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  it("sign out of another browser", async () => {
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

  it("create an API token that is shown once, works, and is rejected after it is revoked", async () => {
    const page = await browser.open();
    await platform.signIn(page, agent, "/settings/tokens");
    await page.getByLabel("Name").fill("CRM");
    await page.getByRole("button", { name: "Create token" }).click();
    const token = await page.getByText(/^slt_/u).innerText();
    await screenshots(page, "settings-tokens");
    expect(await findBarriers(page)).to.deep.equal([]);
    const ask = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${platform.url}/api/users/me`, { headers })).status;
    };
    expect(await ask()).to.equal(200);
    await page.reload();
    await page.getByRole("button", { name: "Revoke the token CRM" }).waitFor();
    expect(await page.getByText(token).count()).to.equal(0);
    await page.getByRole("button", { name: "Revoke the token CRM" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No tokens yet").first().waitFor();
    expect(await ask()).to.equal(401);
  });

  it("show an agent the profile and the tokens, and nothing of the company", async () => {
    const page = await browser.open();
    await platform.signIn(page, agent, "/settings/profile");
    const links = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
    await links.first().waitFor();
    expect(await links.allInnerTexts()).to.deep.equal(["Profile", "API tokens"]);
    await page.goto(`${platform.url}/settings/users`);
    await page.getByText("Your role has no access to this page").waitFor();
    await screenshots(page, "settings-closed");
  });

  it("open pages and objects by name, and run an action, by keyboard only", async () => {
    const rest = await platform.rest(admin);
    const { body: webhook } = await rest.succeed("POST /webhooks", {
      body: { name: "Night watch", url: platform.inboxUrl, filters: ["ticket.*"], active: true },
    });
    const { body: ticket } = await rest.succeed("POST /tickets", {
      body: { agent: agent.login, email: "palette@customer.example" },
    });
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/profile");
    const own = page.getByLabel("Display name");
    await own.focus();
    const name = await own.inputValue();
    // The dialog gets the input, even while its script is still loading.
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/assets/commands-dialog-*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("new webhok");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("ook");
    release();
    const field = page.getByRole("combobox", { name: "Commands and search" });
    await field.waitFor();
    await eventually(async () => expect(await field.inputValue()).to.equal("new webhook"));
    expect(await own.inputValue()).to.equal(name);
    await field.fill("");
    const options = page.getByRole("dialog").getByRole("option");
    const chosen = page.getByRole("dialog").locator('[role="option"][aria-selected="true"]');
    await options.first().waitFor();
    await screenshots(page, "palette");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.keyboard.press("ArrowUp");
    const last = await options.last().innerText();
    expect(await chosen.innerText()).to.equal(last);
    expect(await field.getAttribute("aria-activedescendant")).to.equal(
      await chosen.getAttribute("id"),
    );
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });

    await page.keyboard.press("Control+k");
    await page.keyboard.type("disable night");
    await page.getByRole("option", { name: "Disable webhook Night watch" }).waitFor();
    expect(await chosen.innerText()).to.contain("Disable webhook Night watch");
    await page.keyboard.press("Enter");
    await page.getByText("Night watch is disabled.").waitFor();
    const after = await rest.succeed(`GET /webhooks/${String(webhook["id"])}`);
    expect(after.body).to.include({ active: false });

    await page.keyboard.press("Control+k");
    await page.keyboard.type("palette@customer.example");
    const found = page.getByRole("option", { name: `Ticket ${String(ticket["id"])}` });
    await found.waitFor();
    await screenshots(page, "palette-found");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/tickets/${String(ticket["id"])}`);
  });

  it("list the shortcuts, and disable single-key ones", async () => {
    const page = await browser.open();
    await platform.signIn(page, agent, "/tickets");
    await page.getByRole("heading", { name: "Tickets" }).waitFor();
    await page.keyboard.press("Shift+?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.getByText("Invite a customer (in Tickets)").waitFor();
    await screenshots(page, "shortcuts");
    expect(await findBarriers(page)).to.deep.equal([]);
    await list.getByRole("switch", { name: "Single-key shortcuts" }).click();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { name: "Tickets" }).waitFor();
    await page.keyboard.press("n");
    await page.keyboard.press("Shift+?");
    // The last key has an effect, which shows that the two before it had none.
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Commands and search" }).waitFor();
    expect(await page.getByRole("dialog").count()).to.equal(1);
    expect(new URL(page.url()).pathname).to.equal("/tickets");
    await page.keyboard.type("shortcuts");
    await page.getByRole("option", { name: "Keyboard shortcuts" }).click();
    await list.getByRole("switch").click();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await page.keyboard.press("n");
    await page.waitForURL("**/tickets/new");
  });

  it("apply the chosen language and colour scheme before scripts run", async () => {
    const page = await browser.open({ colors: "light" });
    await platform.signIn(page, agent, "/settings/profile");
    const menu = page.getByRole("button", { name: "Account" });
    await menu.click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await page.getByRole("menuitemradio", { name: "Français" }).click();
    await page.getByRole("heading", { name: "Profil" }).waitFor();
    await screenshots(page, "user-menu-fr-dark");
    expect(await findBarriers(page)).to.deep.equal([]);
    const scheme = () =>
      page.evaluate<string>("document.documentElement.dataset.mantineColorScheme");
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.goto(page.url(), { waitUntil: "commit" });
    await page.waitForLoadState("domcontentloaded");
    expect(await scheme()).to.equal("dark");
    await page.unrouteAll();
    await page.reload();
    await page.getByRole("heading", { name: "Profil" }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).to.equal("fr");
    await page.getByRole("button", { name: "Compte" }).click();
    await page.getByRole("menuitemradio", { name: "Système" }).click();
    await page.getByRole("menuitemradio", { name: "Langue du navigateur" }).click();
    await page.getByRole("heading", { name: "Profile" }).waitFor();
    expect(await scheme()).to.equal("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await eventually(() =>
      page.evaluate("document.documentElement.dataset.mantineColorScheme === 'dark'"),
    );
  });

  it("change the password, which ends every other session", async () => {
    const mover = { login: "mover@demo.example", password: "Correct-horse-1" };
    const rest = await platform.rest(admin);
    const { body: made } = await rest.succeed("POST /users", { body: mover });
    const [here, there] = [await browser.open(), await browser.open()];
    await platform.signIn(there, mover, "/settings/profile");
    await platform.signIn(here, mover, "/settings/profile");
    await here.getByLabel("Current password").fill("not the password");
    await here.getByLabel("New password", { exact: true }).fill(nextPassword);
    await here.getByLabel("Confirm new password").fill(nextPassword);
    await here.getByRole("button", { name: "Set password" }).click();
    await here.getByText("Wrong password.").waitFor();
    await here.getByLabel("Current password").fill(mover.password);
    await here.getByRole("button", { name: "Set password" }).click();
    await here.getByText("Your other browsers were signed out").waitFor();
    await here.reload();
    await here.getByRole("heading", { name: "Profile" }).waitFor();
    await here.getByLabel("Display name").fill("Alex Bernard");
    await here.getByRole("button", { name: "Save" }).click();
    await here.getByText("Saved").waitFor();
    const own = (await rest.succeed(`GET /users/${String(made["id"])}`)).body;
    expect(own).to.include({ nickname: "Alex Bernard", language: null });
    await there.reload();
    await there.getByRole("heading", { name: "Sign in" }).waitFor();
    await platform.signIn(there, { login: mover.login, password: nextPassword });
  });

  type Kept = { messages: { to: string; text: string }[] };
  const kept = async (to: string) => {
    const { messages } = (await (await fetch(`${platform.url}/mailbox/messages`)).json()) as Kept;
    return messages.find((message) => message.to === to);
  };

  it("configure alert emails and their recipients, and an external address confirms", async () => {
    const rest = await platform.rest(admin);
    const made = await rest.succeed("POST /webhooks", {
      body: { name: "CRM", url: platform.inboxUrl, filters: ["ticket.create"] },
    });
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/alerts");
    await page.getByLabel("All attempts failing for").first().click();
    await page.getByRole("option", { name: "30 minutes" }).click();
    await page.getByLabel("Deliveries late by").first().click();
    await page.getByRole("option", { name: "10 minutes" }).click();
    await page.getByRole("checkbox", { name: "All administrators" }).uncheck();
    await page.getByText("No one gets these emails").waitFor();
    await page.getByRole("combobox", { name: "Users" }).fill(agent.login.slice(0, 5));
    await page.getByRole("option", { name: agent.login }).click();
    await page.getByText("No one gets these emails").waitFor({ state: "detached" });
    const emails = page.getByRole("combobox", { name: "Other email addresses" });
    await emails.fill("nobody");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("One of these is not a valid email address.").waitFor();
    await emails.focus();
    await page.keyboard.press("Backspace");
    await emails.fill("night@partner.example");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("nothing is sent yet: night@partner.example").waitFor();
    await page
      .getByRole("group", { name: "CRM" })
      .getByRole("combobox", { name: "Deliveries late by" })
      .click();
    await page.getByRole("option", { name: "2 minutes", exact: true }).click();
    const settings = async () => (await rest.succeed("GET /alerts")).body;
    await eventually(async () =>
      expect((await settings())["webhooks"]).to.deep.equal([
        {
          ...{ id: made.body["id"], failing_minutes: null },
          ...{ past_due_minutes: 2, failed_deliveries: null },
        },
      ]),
    );
    await screenshots(page, "settings-alerts");
    expect(await findBarriers(page)).to.deep.equal([]);

    const mail = await eventually(async () => {
      const found = await kept("night@partner.example");
      expect(found).to.not.equal(undefined);
      return found;
    });
    const [, link = ""] = /(\/alerts#token=\S+)/u.exec(mail?.text ?? "") ?? [];
    const outside = await browser.open();
    await outside.goto(`${platform.url}${link}`);
    await screenshots(outside, "alerts-link");
    expect(await findBarriers(outside)).to.deep.equal([]);
    await outside.getByRole("button", { name: "Yes, send alerts" }).click();
    await outside.getByText("night@partner.example now receives the alerts of").waitFor();
    expect(await settings()).to.deep.include({
      ...{ failing_minutes: 30, past_due_minutes: 10, administrators: false },
    });
    await outside.goto("about:blank");
    await outside.goto(`${platform.url}${link}`);
    await outside.getByRole("button", { name: "Don’t send alerts" }).click();
    await outside.getByText("no longer receives alerts").waitFor();
    expect((await settings())["emails"]).to.deep.equal([]);
  });
});
