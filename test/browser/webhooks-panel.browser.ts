import { expect } from "chai";
import type { Page } from "playwright-core";
import { admin } from "../support/browser-platform.ts";
import { screenshot } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { webhooksPath, useWebhooksFixture } from "../support/webhooks-fixture.ts";

describe("the webhooks page", () => {
  const webhooks = useWebhooksFixture();
  const { platform, browser, incoming, rest, aWebhook, aTicket, webhook, open } = webhooks;
  const { passedThrough } = webhooks;
  const parts = (page: Page) => page.getByRole("navigation", { name: "Webhook sections" });

  it("disables and enables a webhook with one click each, at once", async () => {
    const { receiver } = incoming;
    const { id } = await aWebhook({
      ...{ name: "CRM", url: receiver.url, active: true, filters: ["ticket.create"] },
    });
    await aTicket();
    await receiver.sees(1);
    const page = await open(webhooksPath);
    const toggle = page.getByRole("switch", { name: "Enable CRM" });
    await toggle.waitFor();
    await toggle.click({ force: true });
    const row = page.getByRole("row").filter({ hasText: "CRM" });
    await row.getByText("Disabled").first().waitFor();
    await row.getByText("admin@demo.example").first().waitFor();
    await eventually(async () => (await webhook(id))["active"] === false);
    await passedThrough(await aTicket());
    expect(receiver.requests).to.have.length(1);

    await toggle.click({ force: true });
    await eventually(async () => (await webhook(id))["active"] === true);
    const last = await aTicket();
    await receiver.waitFor((request) => request.json()["objectId"] === last);
    expect(await toggle.isChecked()).to.equal(true);
  }).timeout(60_000);

  it("says that more deliveries are paused than were counted", async () => {
    await aWebhook({ name: "CRM", url: incoming.receiver.url, filters: ["ticket.create"] });
    const page = await browser.open();
    await page.route(/webhooks\/live/u, async (route) => {
      const response = await route.fetch();
      const { webhooks: live, ...others } = (await response.json()) as { webhooks: object[] };
      const paused = { count: 10_000, more: true };
      const json = { ...others, webhooks: live.map((one) => ({ ...one, paused })) };
      await route.fulfill({ response, json });
    });
    await platform.signIn(page, admin, webhooksPath);
    await page.getByRole("row", { name: /CRM/u }).getByText("10,000+ paused").waitFor();
  });

  it("keeps the order of the webhooks while one is switched, until the next visit", async () => {
    const settings = { url: incoming.receiver.url, active: true, filters: ["ticket.*"] };
    await aWebhook({ name: "Beta", ...settings });
    const first = await aWebhook({ name: "Alpha", ...settings });
    await aWebhook({ name: "Gamma", ...settings });
    const page = await open(webhooksPath);
    const names = () => page.getByRole("row").getByRole("link").allTextContents();
    const seesAnew = async () => {
      await Promise.all([
        page.waitForResponse((answer) => answer.url().endsWith("/api/webhooks")),
        page.waitForResponse(/webhooks\/live/u),
      ]);
    };
    const isOn = async (): Promise<unknown> => (await webhook(first.id))["active"];
    await page.getByRole("switch", { name: "Enable Alpha" }).waitFor();
    const before = await names();
    expect(before.filter((name) => name !== "Inbox")).to.deep.equal(["Alpha", "Beta", "Gamma"]);
    // The pointer stays where it clicked.
    const row = page.getByRole("row").filter({ hasText: "Alpha" });
    const place = await row.locator(".mantine-Switch-track").boundingBox();
    const [x, y] = [(place?.x ?? 0) + 12, (place?.y ?? 0) + (place?.height ?? 0) / 2];
    await page.mouse.click(x, y);
    await eventually(async () => (await isOn()) === false);
    await seesAnew();
    await row.getByText("Disabled").first().waitFor();
    expect(await names()).to.deep.equal(before);
    await page.mouse.click(x, y);
    await eventually(async () => (await isOn()) === true);
    await seesAnew();
    expect(await names()).to.deep.equal(before);
    const { body } = await rest().succeed("GET /webhooks");
    const off = (body["data"] as { active: boolean }[]).filter(({ active }) => !active);
    expect(off).to.deep.equal([]);

    // New webhooks are appended; the list is sorted by severity again on the next visit.
    await page.mouse.click(x, y);
    await eventually(async () => (await isOn()) === false);
    await aWebhook({ name: "Aardvark", ...settings });
    // The list is requested every five seconds.
    await eventually(async () => (await names()).length > before.length, { timeoutMs: 15_000 });
    expect(await names()).to.deep.equal([...before, "Aardvark"]);
    await page.reload();
    await page.getByRole("switch", { name: "Enable Alpha" }).waitFor();
    expect((await names()).at(-1)).to.equal("Alpha");
    expect((await names()).filter((name) => name !== "Inbox")[0]).to.equal("Aardvark");
  }).timeout(60_000);

  it("says at the switch what is missing, with a link to the field", async () => {
    await aWebhook({ name: "Unfinished", filters: ["ticket.*"] });
    const page = await open(webhooksPath);
    const toggle = page.getByRole("switch", { name: "Enable Unfinished" });
    await toggle.waitFor();
    expect(await toggle.isDisabled()).to.equal(true);
    await page.getByText("Needs a URL").waitFor();
    await page.getByRole("link", { name: "Edit Unfinished" }).click();
    await page.getByRole("heading", { name: "Edit Unfinished", level: 1 }).waitFor();
  }).timeout(60_000);

  it("deletes only after showing the number of deliveries that are lost", async () => {
    const { receiver } = incoming;
    receiver.answerWith([500]);
    const { id } = await aWebhook({
      ...{ name: "CRM", url: receiver.url, active: true, filters: ["ticket.create"] },
      retrySchedule: [600],
    });
    await aTicket();
    await receiver.sees(1);
    const page = await open(`${webhooksPath}/${id}`);
    await page.getByText("1 retrying").waitFor();
    await parts(page).getByRole("link", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Delete webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("1 waiting delivery will be cancelled and never sent.").waitFor();
    await screenshot(page, "webhooks-delete");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(`**${webhooksPath}`);
    expect((await rest().call(`GET /webhooks/${id}`)).status).to.equal(404);
  }).timeout(60_000);

  it("links to the deliveries of this webhook in the log", async () => {
    const { receiver } = incoming;
    const settings = { url: receiver.url, active: true, filters: ["ticket.create"] };
    const { id } = await aWebhook({ name: "CRM", ...settings });
    await aWebhook({ name: "Billing", ...settings });
    const tickets = [await aTicket(), await aTicket()];
    await receiver.sees(4);
    const page = await open(`${webhooksPath}/${id}`);
    await page.getByRole("link", { name: "Open in the log" }).click();
    await page.getByText("2 deliveries", { exact: true }).waitFor();
    const { pathname, search } = new URL(page.url());
    expect([pathname, search]).to.deep.equal(["/dashboard/deliveries/log", `?webhook=${id}`]);
    await page.getByRole("button", { name: /^Webhook\s*CRM$/u }).waitFor();
    const log = page.getByRole("table", { name: "Delivery log" });
    const rows = await log.locator("[data-delivery]").allInnerTexts();
    expect(rows).to.have.length(2);
    for (const [at, ticketId] of tickets.toReversed().entries()) {
      expect(rows[at]).to.contain("CRM").and.contain(String(ticketId));
    }
    await page.getByRole("button", { name: "Remove: Webhook" }).click();
    await log.getByText("Billing").first().waitFor();
  }).timeout(60_000);

  it("is read-only without the permission to change webhooks", async () => {
    const { id } = await aWebhook({ name: "CRM", url: incoming.receiver.url, filters: ["*"] });
    const page = await browser.open();
    await page.route("**/api/browser-session", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { permissions?: Record<string, string> };
      delete body.permissions?.["webhooks.write"];
      await route.fulfill({ response, json: body });
    });
    await platform.signIn(page, admin, webhooksPath);
    const toggle = page.getByRole("switch", { name: "Enable CRM" });
    await toggle.waitFor();
    expect(await toggle.isDisabled()).to.equal(true);
    expect(await page.getByRole("link", { name: "New webhook" }).count()).to.equal(0);
    for (const [tab, name] of [
      ["signing", "Rotate secret"],
      ["overview", "Send test"],
      ["settings", "Delete webhook"],
    ]) {
      await page.goto(`${platform.url}${webhooksPath}/${id}?tab=${tab}`);
      await page.getByRole("main").getByRole("heading", { level: 2 }).first().waitFor();
      expect(await page.getByRole("button", { name: name ?? "" }).count(), name).to.equal(0);
    }
    expect(await page.getByRole("link", { name: "Edit" }).count()).to.equal(0);
  }).timeout(60_000);

  it("is usable by keyboard only", async () => {
    const { id } = await aWebhook({
      ...{ name: "CRM", url: incoming.receiver.url, filters: ["ticket.*"] },
    });
    const page = await open(webhooksPath);
    const toggle = page.getByRole("switch", { name: "Enable CRM" });
    await toggle.focus();
    // New values must not move the focus.
    await page.waitForResponse(/webhooks\/live/u);
    await page.waitForResponse(/webhooks\/live/u);
    await page.keyboard.press("Space");
    await eventually(async () => (await webhook(id))["active"] === true);
    await page.getByRole("row").filter({ hasText: "CRM" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "CRM", level: 1 }).waitFor();
    await parts(page).getByRole("link", { name: "Signing" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Rotate secret" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Edit" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Parts of: Tickets" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.getByText("ticket.update, ticket.delete").waitFor();
    await page.getByRole("textbox", { name: "Name", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "CRM", level: 1, exact: true }).waitFor();
    expect((await webhook(id))["filters"]).to.deep.equal(["ticket.update", "ticket.delete"]);
  }).timeout(60_000);
});
