import { expect } from "chai";
import type { Page } from "playwright-core";
import { admin } from "../support/browser-platform.ts";
import { findBarriers, screenshots } from "../support/browser.ts";
import { undecryptable } from "../support/secret-box.ts";
import { useWebhooksFixture, webhooksPath } from "../support/webhooks-fixture.ts";

const oauth2 = {
  ...{ tokenUrl: "https://login.example.com/token", clientId: "crm", clientSecret: "s3cret" },
};

describe("values that were encrypted with another key", function () {
  this.timeout(120_000);
  const { platform, browser, rest, aWebhook, webhook, open } = useWebhooksFixture();

  const aLostWebhook = async (name: string): Promise<number> => {
    const { id } = await aWebhook({
      ...{ name, url: "https://crm.example.com/in", active: true, filters: ["media.*"] },
      ...{ signatures: ["v1", "v1a"], headers: [{ name: "X-Key", value: "k" }], oauth2 },
    });
    const change = {
      ...{ headers_sealed: undecryptable, oauth2_sealed: undecryptable },
      ...{ secret_sealed: undecryptable },
    };
    await platform.db("subscriptions").where({ id }).update(change);
    return id;
  };

  const showPart = (page: Page, name: string): Promise<void> =>
    page.getByRole("navigation", { name: "Webhook sections" }).getByRole("link", { name }).click();

  it("are named in the list of webhooks and on the overview, with links to what helps", async () => {
    const id = await aLostWebhook("Lost");
    const page = await open(webhooksPath);
    const row = page.getByRole("row", { name: /Lost/u });
    await row.getByText("Secrets cannot be decrypted").waitFor();
    await screenshots(page, "undecryptable-list");
    await row.getByRole("link", { name: "Lost" }).click();
    const notice = page.getByRole("alert").filter({ hasText: "Stored values cannot be decrypted" });
    await notice.getByText("Affected: custom headers, OAuth2.").waitFor();
    await notice.getByText("Affected: signing secret.").waitFor();
    await notice.getByText(/nothing is sent/u).waitFor();
    await screenshots(page, "undecryptable-overview");
    expect(await findBarriers(page)).to.deep.equal([]);
    await notice.getByRole("link", { name: "Rotate in Signing" }).click();
    await page.getByText("Cannot be decrypted: rotate it").waitFor();
    await screenshots(page, "undecryptable-signing");
    await showPart(page, "Overview");
    await notice.getByRole("link", { name: "Replace or remove in Settings" }).click();
    await page.getByRole("button", { name: "Remove headers" }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(`${webhooksPath}/${id}`);
  });

  it("are removed after a confirmation, and the notice ends with the last one", async () => {
    const id = await aLostWebhook("Cured");
    const page = await open(`${webhooksPath}/${id}?tab=settings`);
    await page.getByRole("button", { name: "Remove headers" }).waitFor();
    await screenshots(page, "undecryptable-settings");
    expect(await findBarriers(page)).to.deep.equal([]);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Remove headers" }).click();
    await dialog.getByText("Requests are then sent without custom headers.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" }); // it has a button of this name, too
    expect((await webhook(id))["undecryptable"]).to.include("headers");
    for (const name of ["Remove headers", "Remove OAuth2"]) {
      await page.getByRole("button", { name }).click();
      await screenshots(page, `undecryptable-${name.toLowerCase().replace(" ", "-")}`);
      await dialog.getByRole("button", { name }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name }).waitFor({ state: "detached" });
    }
    expect((await webhook(id))["undecryptable"]).to.deep.equal(["secrets"]);
    await showPart(page, "Signing");
    await page.getByRole("button", { name: "Rotate secret" }).click();
    await dialog.getByRole("button", { name: "Rotate", exact: true }).click();
    await page.getByText(/whsec_[A-Za-z0-9+/=]{32,}/u).waitFor();
    await showPart(page, "Overview");
    await page.getByRole("heading", { name: "Health" }).waitFor();
    expect((await webhook(id))["undecryptable"]).to.deep.equal([]);
    await page.getByText("Nothing sent yet").waitFor();
    expect(await page.getByText("Stored values cannot be decrypted").count()).to.equal(0);
  });

  it("are kept if somebody has replaced them since the page was loaded", async () => {
    const id = await aLostWebhook("Replaced");
    const page = await open(`${webhooksPath}/${id}?tab=settings`);
    await page.getByRole("button", { name: "Remove headers" }).waitFor();
    let isStale = true;
    // The page asks again only after an answer, so it stays as it is.
    const isUnanswered = new Promise<void>((resolve) => {
      void page.route(`**/api/webhooks/${id}`, async (route) => {
        if (isStale && route.request().method() === "GET") {
          resolve();
          return;
        }
        await route.continue();
      });
    });
    await page.getByRole("button", { name: "Remove headers" }).click();
    const body = { headers: [{ name: "X-Key", value: "new" }] };
    await rest().succeed(`PATCH /webhooks/${id}`, { body });
    await isUnanswered;
    isStale = false;
    await page.getByRole("dialog").getByRole("button", { name: "Remove headers" }).click();
    await page.getByText("Nothing was removed: the value has changed since").waitFor();
    expect(await page.getByText("Something went wrong").count()).to.equal(0);
    await page.getByText("X-Key: ••••").waitFor();
    expect((await webhook(id))["undecryptable"]).not.to.include("headers");
  });

  it("are asked for again at their switch if the URL gets another origin", async () => {
    const { id } = await aWebhook({ name: "Moved", url: "https://crm.example.com/in", oauth2 });
    const change = { oauth2_sealed: undecryptable };
    await platform.db("subscriptions").where({ id }).update(change);
    const page = await open(`${webhooksPath}/${id}/edit`, { expectedErrors: [/400/u] });
    await page.getByRole("textbox", { name: "URL" }).fill("https://erp.example.com/in");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The URL changed, so the stored value no longer applies.").waitFor();
    await page
      .locator(":focus")
      .and(page.getByRole("switch", { name: /access token/u }))
      .waitFor();
  });

  it("do not keep guests out of a meeting once its password is replaced or removed", async () => {
    const startTime = new Date(Date.now() + 86_400_000).toISOString();
    const body = { participants: "ann@example.com", password: "1234", startTime };
    const meeting = (await rest().succeed("POST /conferences", { body })).body;
    const { id } = meeting as { id: number };
    await platform.db("conferences").where({ id }).update({ password_sealed: undecryptable });
    const guest = await browser.open({ expectedErrors: [/403/u] });
    await guest.goto(String(meeting["short_url"]));
    await guest.getByLabel("Your name").fill("Nia");
    await guest.getByLabel("Meeting password").fill("1234");
    await guest.getByRole("button", { name: "Join" }).click();
    await guest.getByText("No password works at the moment.").waitFor();
    await screenshots(guest, "undecryptable-guest");

    const page = await browser.open();
    await platform.signIn(page, admin, `/meetings/${id}`);
    const notice = page.getByText("The password cannot be decrypted");
    await notice.waitFor();
    await screenshots(page, "undecryptable-meeting");
    expect(await findBarriers(page)).to.deep.equal([]);
    const edit = async (change: () => Promise<void>): Promise<void> => {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      await page.getByRole("checkbox", { name: "Remove the password" }).waitFor();
      await change();
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await edit(async () => {
      await page.getByLabel("New password for guests").fill("56");
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await page.getByText("Enter 4 to 16 characters from 0-9 * #.").waitFor();
      await screenshots(page, "undecryptable-meeting-edit");
      await page.getByLabel("New password for guests").fill("5678");
    });
    await notice.waitFor({ state: "detached" });
    await guest.getByLabel("Meeting password").fill("5678");
    await guest.getByRole("button", { name: "Join" }).click();
    await guest.getByRole("button", { name: "Leave" }).first().waitFor();
    await edit(async () => {
      await page.getByLabel("New password for guests").fill("56"); // too short, and given up
      await page.getByRole("checkbox", { name: "Remove the password" }).check();
    });
    const { body: access } = await rest().succeed(`GET /conferences/${id}/checkAccess`);
    expect(access).to.deep.include({ password_required: false, undecryptable: [] });
  });
});
