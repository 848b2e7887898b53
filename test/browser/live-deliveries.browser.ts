import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin } from "../support/browser-platform.ts";
import { findBarriers, seeFits, phone, screenshot, screenshots } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import {
  becomes,
  deliveredPerSecond,
  isLive,
  liveView,
  useLiveView,
} from "../support/live-view.ts";
import { openDelivery } from "./deliveries-fixture.ts";

const slow = { timeoutMs: 20_000, everyMs: 100 };

describe("the live view of deliveries", () => {
  const { platform, browser, incoming, aWebhook, someTickets, open } = useLiveView();

  const attempts = (page: Page) => page.getByRole("region", { name: "Latest attempts" });
  const webhookRow = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

  it("updates its numbers as tickets are created, and opens an attempt in the log", async () => {
    const page = await open();
    await isLive(page);
    await someTickets(6);
    await eventually(async () => (await deliveredPerSecond(page)) > 0, slow);
    const newest = attempts(page).getByRole("link").first();
    await newest.waitFor();
    await newest.click();
    await openDelivery(page).waitFor();
    expect(new URL(page.url()).pathname).to.equal(`${liveView}/log`);
    expect(new URL(page.url()).searchParams.get("delivery")).to.match(/^\d+$/u);
  });

  it("pauses the newest attempts on demand, and says how many were skipped", async () => {
    const page = await open();
    await isLive(page);
    await someTickets(1);
    await attempts(page).getByRole("link").first().waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.mouse.move(0, 0);
    const held = await attempts(page).getByRole("listitem").count();
    await someTickets(3);
    await attempts(page)
      .getByText(/Paused: \d+ attempts? since/u)
      .waitFor();
    expect(await attempts(page).getByRole("listitem").count()).to.equal(held);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.mouse.move(0, 0);
    await eventually(async () => (await attempts(page).getByRole("listitem").count()) > held, slow);
  });

  it("shows a failing receiver first, with its reduced concurrency window", async () => {
    const { receiver } = incoming;
    const id = await aWebhook("Billing of Montréal");
    receiver.answerWith([200]);
    await someTickets(12);
    const page = await open();
    await isLive(page);
    const row = webhookRow(page, "Billing of Montréal");
    await row.getByText("Healthy").waitFor();
    receiver.answerWith([503]);
    await someTickets(3);
    await row.getByText("Failing").waitFor();
    await row.getByText(/↓ was \d+/u).waitFor();
    expect(await page.getByRole("row").nth(1).innerText()).to.contain("Billing of Montréal");
    await screenshots(page, "live-failing");
    await row.getByRole("link", { name: "Billing of Montréal", exact: true }).click();
    await page.waitForURL(`**/settings/webhooks/${id}`);
  });

  it("marks its data as outdated while the platform is unreachable, and recovers", async function () {
    this.timeout(120_000);
    const page = await open();
    await isLive(page);
    // With its charts loaded: their script cannot be loaded while the platform is unreachable.
    await page.locator(".uplot").first().waitFor();
    await platform.restart(async () => {
      await page.getByText("Connection lost").waitFor();
      await page.getByRole("status").filter({ hasText: "Reconnecting" }).waitFor();
      await page.getByText(/Last updated/u).waitFor();
      await screenshot(page, "live-reconnecting");
    });
    await isLive(page);
    expect(await page.getByText("Connection lost").count()).to.equal(0);
    await someTickets(3);
    await attempts(page).getByRole("link").first().waitFor();
  });

  it("keeps the session alive while the page is visible", async () => {
    const page = await open();
    await isLive(page);
    await page.clock.install();
    await page.reload();
    await isLive(page);
    const asked = page.waitForResponse("**/api/browser-session");
    await page.clock.fastForward("05:30");
    expect((await asked).status()).to.equal(200);
  });

  it("asks for a sign-in when the session has ended, and continues, or leaves with a way back", async () => {
    const page = await open();
    await isLive(page);
    const ended = page.getByRole("dialog", { name: "Your session has ended" });
    const comesBackSignedOut = async (): Promise<void> => {
      await becomes(page, "hidden");
      await page.context().clearCookies();
      await becomes(page, "visible");
      await ended.getByLabel("Password", { exact: true }).waitFor();
    };
    await comesBackSignedOut();
    await ended.getByLabel("Password", { exact: true }).fill(admin.password);
    await ended.getByRole("button", { name: "Sign in" }).click();
    await ended.waitFor({ state: "detached" });
    await isLive(page);

    await comesBackSignedOut();
    await ended.getByRole("button", { name: "Leave this page" }).click();
    await page.waitForURL("**/login**");
    expect(new URL(page.url()).searchParams.get("next")).to.contain(liveView);
  });

  it("sends no request while it is hidden, and starts over when it becomes visible", async () => {
    const page = await open();
    await isLive(page);
    let streams = 0;
    page.on("request", (request) => {
      streams += request.url().endsWith("/api/webhooks/live?events=2") ? 1 : 0;
    });
    const ended = page.waitForEvent("requestfailed", (request) =>
      request.url().endsWith("/api/webhooks/live?events=2"),
    );
    await becomes(page, "hidden");
    await ended;
    await someTickets(2);
    expect(streams).to.equal(0);
    await becomes(page, "visible");
    await isLive(page);
    expect(streams).to.equal(1);
    // The live list omits attempts before its first snapshot.
    await eventually(
      async () => {
        await someTickets(1);
        return (await attempts(page).getByRole("link").count()) > 0;
      },
      { timeoutMs: 20_000, everyMs: 500 },
    );
  });

  it("keeps the period in the address", async () => {
    const page = await open();
    await isLive(page);
    await page.getByText("24 h", { exact: true }).click();
    await page.waitForURL("**period=day**");
    await page.getByText(/^per 10m · data up to/u).waitFor();
    await page.reload();
    await page.getByText(/^per 10m · data up to/u).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("is complete in French, in dark mode, on a phone and for screen readers", async () => {
    const page = await open(liveView, { language: "fr", colors: "dark", viewport: phone });
    await isLive(page, /^En direct$/u);
    await page.getByText("Livrées", { exact: true }).first().waitFor();
    await page.getByRole("slider", { name: "Résultats" }).waitFor();
    await seeFits(page);
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "live-fr-dark");
    await page.setViewportSize({ width: 320, height: 700 });
    await seeFits(page);
  });

  it("shows the next step if there is no webhook yet", async () => {
    const { db } = platform;
    await rowsOf(db, "UPDATE users SET role = 'superadmin' WHERE login = ?", [admin.login]);
    const first = { login: "boss@second.example", password: "Correct-horse-9" };
    const body = { name: "Second Ltd", admin: first };
    await (await platform.rest(admin)).succeed("POST /enterprises", { body });
    const page = await browser.open();
    await platform.signIn(page, first, liveView);
    await page.getByText("No webhooks yet").waitFor();
    await screenshot(page, "live-empty");
    await page.getByRole("link", { name: "New webhook" }).click();
    await page.waitForURL("**/settings/webhooks/new");
  });
});
