import { expect } from "chai";
import type { Page } from "playwright-core";
import { findBarriers, screenshots } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { startOAuth2Server, type OAuth2Server } from "../support/oauth2-server.ts";
import { aClientCertificate } from "../support/send-clients.ts";
import { webhooksPath, secretShape, useWebhooksFixture } from "../support/webhooks-fixture.ts";

describe("the advanced settings of a webhook", function () {
  this.timeout(120_000);
  const { incoming, rest, aWebhook, aTicket, webhook, open } = useWebhooksFixture();
  let oauth2: OAuth2Server | undefined;

  afterEach("close the authorisation server", async () => {
    await oauth2?.close();
    oauth2 = undefined;
  });

  const begin = async (name: string, url?: string): Promise<Page> => {
    const page = await open(`${webhooksPath}/new`);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    if (url !== undefined) {
      await page.getByRole("textbox", { name: "URL" }).fill(url);
    }
    await page.getByText("Created *.create", { exact: true }).click();
    return page;
  };

  const part = (page: Page, name: string): Promise<void> =>
    page.getByRole("button", { name, exact: true }).click();

  /**
   * Clicks the label: the checkbox has no size, so Playwright would wait forever for it to be
   * stable.
   */
  const flip = async (page: Page, name: string | RegExp): Promise<void> => {
    const id = await page.getByRole("switch", { name }).getAttribute("id");
    await page.locator(`label[for="${id}"]`).first().click();
  };

  /** Opens a section of the webhook's page. */
  const showPart = (page: Page, name: string): Promise<void> =>
    page.getByRole("navigation", { name: "Webhook sections" }).getByRole("link", { name }).click();

  /** Creates a webhook. Returns its id. */
  const create = async (page: Page): Promise<number> => {
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByText(secretShape).waitFor();
    return Number(new URL(page.url()).pathname.split("/").at(-1));
  };

  it("accept ordering, limits and conditions from an example, and fetch tokens", async () => {
    oauth2 = await startOAuth2Server();
    const client = oauth2.clientOf("form");
    await aTicket();
    const page = await begin("ERP", oauth2.receiverUrl);
    await page.getByRole("button", { name: "Examples" }).click();
    await page.getByRole("menuitem", { name: "Created, or in a later state" }).click();
    expect(await page.getByRole("textbox", { name: "Conditions" }).inputValue()).to.contain("$or");
    await page.getByText(/[1-9]\d* of the last \d+ events match/u).waitFor();

    await part(page, "Order and rate");
    await flip(page, "In order");
    await page.getByRole("textbox", { name: "Requests per second" }).fill("20");
    await page.getByRole("textbox", { name: "Concurrent requests" }).fill("2");
    await part(page, "OAuth2");
    await flip(page, "Get an access token with client credentials");
    await page.getByLabel("Token URL").fill(client.tokenUrl);
    await page.getByLabel("Client ID").fill(client.clientId);
    await page.getByLabel("Client secret").fill(client.clientSecret);
    await page.getByLabel("Scope (optional)").fill("hooks");
    await page.getByRole("combobox", { name: "Client authentication" }).click();
    await page.getByRole("option", { name: "in the request body" }).click();
    await page.getByLabel("Enable", { exact: true }).check();
    await screenshots(page, "webhooks-settings");
    expect(await findBarriers(page)).to.deep.equal([]);
    const id = await create(page);

    await aTicket();
    const { received } = oauth2;
    await eventually(() => received.length > 0, { timeoutMs: 15_000 });
    expect(received[0]?.authorization).to.match(/^Bearer \S+$/u);
    expect(await webhook(id)).to.deep.include({ ordered: true, maxPerSecond: 20, maxInFlight: 2 });
    await showPart(page, "Settings");
    await page.getByText(client.tokenUrl).waitFor();
    await page.getByText("an object’s events are delivered one after the other").waitFor();

    // A stored value is never shown again, and is kept until another one is entered.
    await page.getByRole("link", { name: "Edit" }).click();
    await part(page, "OAuth2");
    expect(await page.getByLabel("Client secret").inputValue()).to.equal("••••");
    await page.getByText("Stored. Enter another one to replace it.").waitFor();
    await page.getByLabel("Scope (optional)").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "ERP", level: 1, exact: true }).waitFor();
    expect(await webhook(id)).to.have.nested.property("oauth2.scope", null);
    const before = received.length;
    await aTicket();
    await eventually(() => received.length > before, { timeoutMs: 15_000 });
    expect(await page.content()).not.to.contain(client.clientSecret);
  });

  it("sign in every format, and rotate the key pair with an overlap", async () => {
    const { receiver } = incoming;
    const page = await begin("Gateway", receiver.url);
    await part(page, "Signatures");
    await page.getByLabel(/^v1:/u).uncheck();
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByText("Choose at least one.").waitFor();
    for (const name of [/^v1:/u, /^v1a:/u, /^GitHub/u, /^Stripe/u]) {
      await page.getByLabel(name).check();
    }
    await page.getByRole("button", { name: "Add header" }).waitFor();
    await page.getByRole("button", { name: "Presets" }).click();
    await page.getByRole("menuitem", { name: /^Authorization: Bearer/u }).click();
    expect(await page.getByLabel("Name of header 1").inputValue()).to.equal("Authorization");
    await page.getByLabel("Value of header 1").fill("Bearer t0ken");
    await page.getByLabel("Enable", { exact: true }).check();
    const id = await create(page);
    await showPart(page, "Signing");
    await page.getByText("whpk_").first().waitFor();
    await page.getByRole("button", { name: "Rotate key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Transition period" }).click();
    await page.getByRole("option", { name: "1 hour" }).click();
    await dialog.getByRole("button", { name: "Rotate", exact: true }).click();
    const keys = page.getByRole("list", { name: "Public keys" });
    await keys.getByText("Expires").waitFor();
    expect(await keys.getByRole("listitem").count()).to.equal(2);
    await screenshots(page, "webhooks-signing");
    expect((await webhook(id))["publicKeys"]).to.have.length(2);

    await aTicket();
    await receiver.sees(1, { timeoutMs: 15_000 });
    const { headers } = receiver.requests[0]!;
    const signatures = String(headers["webhook-signature"]).split(" ");
    expect(signatures.map((one) => one.split(",")[0])).to.have.members(["v1", "v1a", "v1a"]);
    expect(headers["x-hub-signature-256"]).to.match(/^sha256=/u);
    expect(headers["stripe-signature"]).to.match(/^t=\d+,v1=/u);
    expect(headers["authorization"]).to.equal("Bearer t0ken");
  });

  it("accept a client certificate, and name its invalid part", async () => {
    const [one, other] = [
      await aClientCertificate("client-a"),
      await aClientCertificate("client-b"),
    ];
    const page = await begin("Bank", "https://bank.example.com/in");
    await part(page, "Client certificate");
    await flip(page, /^Present a certificate/u);
    await page.getByLabel("Certificate (PEM)").fill(one.certificate);
    await page.getByLabel("Private key (PEM)").fill(other.key);
    await page.getByRole("button", { name: "Create webhook" }).click();
    const key = page.getByLabel("Private key (PEM)");
    await page.locator("[aria-invalid=true]").and(key).waitFor();
    await key.fill(one.key);
    await page.getByLabel("CA certificates (PEM, optional)").fill(one.ca ?? "");
    const id = await create(page);
    await showPart(page, "Settings");
    await page
      .getByText(/expires/u)
      .first()
      .waitFor();
    expect(await page.content()).not.to.contain("PRIVATE KEY");
    await page.getByRole("link", { name: "Edit" }).click();
    await part(page, "Client certificate");
    expect(await key.inputValue()).to.equal("••••");
    await flip(page, /^Present a certificate/u);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Bank", level: 1, exact: true }).waitFor();
    expect((await webhook(id))["clientCertificate"]).to.equal(null);
  });

  it("keep events for pull, and hide request settings", async () => {
    const page = await begin("Desktop");
    await page.getByText("Pull", { exact: true }).click();
    await page.getByText(/^For a receiver that cannot be reached from outside/u).waitFor();
    for (const name of ["Add header", "Order and rate", "Retries", "OAuth2"]) {
      expect(await page.getByRole("button", { name, exact: true }).count(), name).to.equal(0);
    }
    expect(await page.getByRole("textbox", { name: "URL" }).count()).to.equal(0);
    await page.getByLabel("Enable", { exact: true }).check();
    const id = await create(page);
    await showPart(page, "Settings");
    await page.getByText(`/api/webhooks/${id}/events`).waitFor();
    const ticketId = await aTicket();
    await eventually(
      async () => {
        const { body } = await rest().succeed(`GET /webhooks/${id}/events`);
        return JSON.stringify(body["data"]).includes(String(ticketId));
      },
      { timeoutMs: 15_000 },
    );
    await page.getByText("Pull", { exact: true }).first().waitFor();
    await showPart(page, "Overview");
    await page.getByRole("heading", { name: "Health" }).waitFor();
    expect(await page.getByRole("button", { name: "Send test" }).count()).to.equal(0);
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
    expect(await page.getByText("Delivery mode").count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("accept filters in API syntax, and find event types by name", async () => {
    const { id } = await aWebhook({ name: "CRM", filters: ["ticket.*"] });
    const page = await open(`${webhooksPath}/${id}/edit`);
    await page.getByLabel("Search events").fill("video connected");
    await page.getByRole("checkbox", { name: /^Audio and video connected/u }).check();
    await page.getByText("conversationevent.create:session.established").last().waitFor();
    await page.getByLabel("Search events").fill("no such thing");
    await page.getByText("No matching events.").waitFor();
    await page.getByText("Text", { exact: true }).click();
    await page.getByRole("combobox", { name: "Filters" }).fill("media.create");
    await page.keyboard.press("Enter");
    await page.getByText(/^ticket\.\*, .*media\.create$/u).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "CRM", level: 1, exact: true }).waitFor();
    expect((await webhook(id))["filters"]).to.include.members(["ticket.*", "media.create"]);
  });
});
