import { expect } from "chai";
import type { Page } from "playwright-core";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, seeFits, phone, screenshots, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import type { RestClient } from "../support/rest-client.ts";
import { isNight } from "../support/night.ts";

type Kept = { messages: { to: string; text: string }[] };

const names = [
  ...["Marie-Anne de La Tour-Maubourg", "Ludovic Lefèvre", "Sofía Hernández Castillo"],
  ...["Jürgen Straßburger", "Wim van den Broek", "Ana Beatriz Gonçalves", "Paolo Di Stefano"],
];
const roleNames = ["agent", "viewer", "manager", "agent", "integration"];

/** Thirty people with realistic names. */
async function makePeople(rest: RestClient, enterpriseId: number): Promise<void> {
  const groups = await Promise.all(
    ["Support Île-de-France", "Second line", "Night"].map(async (name) => {
      const body = { name, members: [] };
      const made = await rest.succeed(`POST /enterprises/${enterpriseId}/user-groups`, { body });
      return Number(made.body["id"]);
    }),
  );
  for (const index of Array.from({ length: 28 }, (_, number) => number)) {
    const [firstname = "", ...rest_] = (names[index % names.length] ?? "").split(" ");
    const login = `${firstname
      .toLowerCase()
      .normalize("NFD")
      .replaceAll(/[^a-z]/gu, "")}.${index}@demo.example`;
    await rest.succeed("POST /users", {
      body: {
        ...{ login, firstname, lastname: rest_.join(" "), password: "Correct-horse-1" },
        ...{ role: roleNames[index % roleNames.length], isActive: index % 9 !== 4 },
        groups: groups.slice(0, index % 3),
        phone: index % 2 === 0 ? "+33 6 12 34 56 78" : "",
      },
    });
  }
}

function sections(page: Page): Promise<string[]> {
  return page
    .getByRole("navigation", { name: /^(Settings|Paramètres)$/u })
    .getByRole("link")
    .allInnerTexts();
}

describe("the users in the settings", () => {
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  before(async function () {
    this.timeout(60_000);
    await makePeople(await platform.rest(admin), platform.enterpriseId);
  });

  it("are listed thirty per page, filtered by the address", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/users");
    await page.getByText("30 entries").waitFor();
    await screenshots(page, "settings-users");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByLabel("Search", { exact: true }).last().fill("straß");
    await page.getByText("4 entries").waitFor();
    expect(new URL(page.url()).search).to.equal("?q=stra%C3%9F");
    await page.goto(`${platform.url}/settings/users?role=manager&active=no`);
    await page.getByText("1 entry").waitFor();
    await page.goto(`${platform.url}/settings/users?q=${admin.login}&page=3`);
    await page.waitForURL(/page=1/u);
    await page.getByRole("row", { name: new RegExp(admin.login, "u") }).waitFor();
    await page.goto(`${platform.url}/settings/users?q=nobody-at-all`);
    await page.getByText("No users match").waitFor();
    await page.getByRole("button", { name: "Show all users" }).click();
    await page.getByText("30 entries").waitFor();
  });

  it("can be created by keyboard only, sign in, and see what the role permits", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/users");
    await page.getByText("30 entries").waitFor();
    await page.getByRole("button", { name: "New user" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Login").last().waitFor();
    await page.getByRole("radio", { name: "Set a password" }).waitFor({ state: "attached" });
    // A panel focuses its close button when it opens.
    await eventually(() =>
      page.evaluate('document.activeElement.closest("[role=dialog], aside") !== null'),
    );
    await page.keyboard.press("Tab");
    for (const text of ["z.new@demo.example", "Zoé", "Ångström", "", "+33 1 44 55 66 77"]) {
      await page.keyboard.type(text);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("ArrowDown"); // opens the list of roles at “Agent”
    await page.getByRole("option", { name: /^Agent/u }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText("Manages the tickets of their groups").waitFor();
    await page.keyboard.press("Tab"); // to the groups
    await page.keyboard.press("Tab"); // to the sign-in method
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Correct-horse-2");
    await screenshots(page, "settings-user-new");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Access" }).waitFor();
    await screenshots(page, "settings-user");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.keyboard.press("Escape");
    await page.getByText("31 entries").waitFor();

    const theirs = await browser.open({ viewport: phone });
    const login = { login: "z.new@demo.example", password: "Correct-horse-2" };
    await platform.signIn(theirs, login, "/settings/users");
    await theirs.getByText("31 entries").waitFor();
    expect(await sections(theirs)).to.deep.equal(["Profile", "API tokens", "Users", "Groups"]);
    expect(await theirs.getByRole("button", { name: "New user" }).count()).to.equal(0);
    await seeFits(theirs);
    await theirs.goto(`${platform.url}/settings/services`);
    await theirs.getByText("Your role has no access to this page").waitFor();
  });

  it("have a validation error for a login in use, and for invalid values", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/users?open=new");
    await page.getByLabel("Login").last().fill("two words");
    await page.getByRole("button", { name: "Create user" }).click();
    await page.getByText("Enter one word, without spaces.").waitFor();
    await page.getByLabel("Login").last().fill("plain");
    await page.getByRole("button", { name: "Create user" }).click();
    await page.getByText("Required to send the link.").waitFor();
    await page.getByLabel("Login").last().fill(agent.login);
    await page.getByRole("button", { name: "Create user" }).click();
    await page.getByText("This login or external ID is already in use").waitFor();
  });

  it("are changed, sent a link, signed out and deleted", async () => {
    const rest = await platform.rest(admin);
    const { body } = await rest.succeed("POST /users", {
      body: { login: "leaver@demo.example", password: "Correct-horse-1", firstname: "Lea" },
    });
    const theirs = await browser.open();
    const login = { login: "leaver@demo.example", password: "Correct-horse-1" };
    await platform.signIn(theirs, login, "/settings/profile");
    const page = await browser.open();
    await page.clock.install();
    await platform.signIn(page, admin, `/settings/users?open=${String(body["id"])}`);
    const panel = page.getByRole("dialog", { name: "Lea" });
    await panel.getByLabel("Phone").fill("+33 1 11 22 33 44");
    await rest.succeed(`PATCH /users/${String(body["id"])}`, { body: { role: "viewer" } });
    // A failed request for newer data keeps the form and its input.
    const data = new RegExp(`/api/users/${String(body["id"])}$`, "u");
    await page.route(data, (route) => route.fulfill({ status: 400, json: {} }), { times: 1 });
    const failed = page.waitForResponse(data);
    await page.clock.fastForward("10:00");
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await (await failed).finished();
    await page.unroute(data);
    await panel.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").first().waitFor();
    const changed = (await rest.succeed(`GET /users/${String(body["id"])}`)).body;
    expect(changed).to.include({ phone: "+33111223344", role: "viewer" });
    await page.goto(`${platform.url}/settings/users?open=${String(body["id"])}`);
    await page.getByRole("button", { name: "Send a password link" }).click();
    const ask = page.getByRole("dialog", { name: "Send Lea a password link" });
    await ask.getByText("leaver@demo.example").waitFor();
    await ask.getByRole("button", { name: "Send a password link" }).click();
    await page.getByText("The link is on its way to leaver@demo.example.").waitFor();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page
      .getByRole("dialog", { name: "Sign out Lea everywhere" })
      .getByRole("button", { name: "Sign out everywhere" })
      .click();
    await page.getByText("Lea was signed out everywhere.").waitFor();
    await theirs.reload();
    await theirs.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByRole("button", { name: "Delete user" }).click();
    const sure = page.getByRole("dialog", { name: "Delete Lea" });
    await sure.getByText("This cannot be undone").waitFor();
    await screenshots(page, "settings-user-delete");
    await sure.getByRole("button", { name: "Delete user" }).click();
    await page.getByText("Lea was deleted.").waitFor();
    expect((await rest.call(`GET /users/${String(body["id"])}`)).status).to.equal(404);
    await eventually(async () => {
      const { messages } = (await (await fetch(`${platform.url}/mailbox/messages`)).json()) as Kept;
      const mail = messages.find(({ to }) => to === "leaver@demo.example");
      expect(mail?.text).to.contain(`${platform.url}/password#token=`);
    });
  });

  if (isNight) {
    it("have roles with their permissions described, in both languages and in dark mode", async () => {
      const page = await browser.open({ language: "fr", colors: "dark" });
      await platform.signIn(page, admin, "/settings/users");
      await page.getByText("entrées").waitFor();
      await screenshots(page, "settings-users-fr-dark");
      expect(await findBarriers(page)).to.deep.equal([]);
      await page.getByRole("button", { name: "Permissions des rôles" }).click();
      const table = page.getByRole("dialog").getByRole("table");
      const row = table.getByRole("row", { name: /^approuver, rejeter/u });
      expect(await row.getByRole("cell").allInnerTexts()).to.deep.equal([
        ...["–\nnon", "–\nnon", "groupe", "tous", "tous", "tous"],
      ]);
      await screenshots(page, "settings-roles-fr-dark");
      expect(await findBarriers(page)).to.deep.equal([]);
    });
  }

  it("are put into groups, which can be deleted only while unused", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/groups");
    await page.getByRole("button", { name: "New group" }).click();
    const panel = page.getByRole("dialog");
    await panel.getByLabel("Name").fill("Night");
    await panel.getByRole("button", { name: "Create group" }).click();
    await panel.getByText("A group with this name already exists.").waitFor();
    await panel.getByLabel("Name").fill("Weekend");
    await panel.getByLabel("Add a member").fill("wim");
    await page.getByRole("option", { name: /^Wim/u }).first().click();
    await panel.getByText("1 member", { exact: true }).waitFor();
    await screenshots(page, "settings-group-new");
    expect(await findBarriers(page)).to.deep.equal([]);
    await panel.getByRole("button", { name: "Create group" }).click();
    await page.getByRole("row", { name: /Weekend/u }).waitFor();
    await screenshots(page, "settings-groups");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole("row", { name: /Weekend/u }).click();
    await page.getByRole("button", { name: "Delete group" }).click();
    const sure = page.getByRole("dialog", { name: "Delete the group Weekend" });
    await sure.getByText("1 member leaves the group and stays a user.").waitFor();
    await sure.getByRole("button", { name: "Delete group" }).click();
    await page.getByRole("row", { name: /Weekend/u }).waitFor({ state: "detached" });
    const rest = await platform.rest(admin);
    const groups = `/enterprises/${platform.enterpriseId}/user-groups`;
    const { body } = await rest.succeed(`GET ${groups}`);
    const [group] = (body["data"] as { id: number; name: string }[]).filter(
      ({ name }) => name === "Second line",
    );
    const services = (await rest.succeed("GET /services")).body["data"] as { id: number }[];
    await rest.succeed(`PATCH /services/${services[0]?.id}`, { body: { groups: [group?.id] } });
    await page.goto(`${platform.url}/settings/groups?open=${group?.id}`);
    await page.getByRole("button", { name: "Delete group" }).click();
    const used = page.getByRole("dialog", { name: "Delete the group Second line" });
    await used.getByRole("button", { name: "Delete group" }).click();
    await page.getByText("is used by tickets or services").waitFor();
    await used.getByRole("button", { name: "Cancel" }).click();
    // A rename keeps the members, which another administrator changes meanwhile.
    await panel.getByLabel("Name").fill("Third line");
    await rest.succeed(`PATCH ${groups}/${group?.id}`, { body: { members: [] } });
    await panel.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /Third line/u }).waitFor();
    const renamed = (await rest.succeed(`GET ${groups}`)).body["data"] as object[];
    expect(renamed).to.deep.include({ id: group?.id, name: "Third line", members: [] });
  });
});
