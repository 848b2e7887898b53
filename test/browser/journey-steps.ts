/** The steps of the journey through the console, found by visible texts. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import type { Receiver } from "../support/receiver.ts";
import { secretShape } from "../support/webhooks-fixture.ts";
import { openDelivery } from "./deliveries-fixture.ts";
import { english, type Words } from "./journey-words.ts";

export const slow = { timeoutMs: 20_000 };

/** Opens an entry of the main menu, which is collapsed on a phone. */
async function go(page: Page, name: string, words: Words = english): Promise<void> {
  const menu = page.getByRole("button", { name: words.menu, exact: true });
  const isFolded = await menu.isVisible();
  if (isFolded) {
    await menu.click();
  }
  const places = page.getByRole("navigation", { name: words.places });
  await places.getByRole("link", { name, exact: true }).click();
  if (isFolded) {
    // The menu still covers the page while it slides out.
    await places.waitFor({ state: "hidden" });
  }
}

/** Reads a secret that is shown once, copies it, and expects it to be hidden afterwards. */
async function takeSecret(page: Page, words: Words = english): Promise<string> {
  const shown = page.getByText(secretShape);
  await shown.waitFor();
  const secret = (await shown.textContent()) ?? "";
  await page.getByRole("button", { name: words.kept }).click();
  await shown.waitFor({ state: "detached" });
  expect(await page.content()).not.to.contain(secret);
  return secret;
}

/** Creates a webhook for tickets with one attempt and a custom header. Returns its secret. */
export async function makeWebhook(
  page: Page,
  { name, url }: Readonly<{ name: string; url: string }>,
  words: Words = english,
): Promise<string> {
  await go(page, "Webhooks", words);
  await page.getByRole("link", { name: words.newWebhook }).click();
  await page.getByRole("textbox", { name: words.name, exact: true }).fill(name);
  await page.getByRole("textbox", { name: "URL" }).fill(url);
  await page.getByRole("button", { name: words.partsOfTickets }).click();
  await page.getByRole("checkbox", { name: words.ticketCreated }).check();
  await page.getByText("ticket.create", { exact: true }).last().waitFor();
  await page.getByRole("button", { name: words.addHeader }).click();
  await page.getByLabel(words.headerName).fill("X-Team");
  await page.getByLabel(words.headerValue).fill("blue");
  await page.getByRole("button", { name: words.retries }).click();
  await page.getByText(words.ownRetries, { exact: true }).click();
  await page.getByLabel(words.waits).fill("");
  await page.getByText(words.oneAttempt).waitFor();
  await page.getByRole("button", { name: words.createWebhook }).click();
  return takeSecret(page, words);
}

/** Activates the webhook by one click in the list. */
export async function activate(page: Page, name: string, words: Words = english): Promise<void> {
  await go(page, "Webhooks", words);
  const toggle = page.getByRole("switch", { name: words.activate(name) });
  await toggle.click({ force: true });
  await page
    .getByRole("row")
    .filter({ hasText: name })
    .getByText(words.nothingSent)
    .first()
    .waitFor();
  expect(await toggle.isChecked()).to.equal(true);
}

/** Invites a customer by email. Returns the id of the ticket. */
export async function createTicket(page: Page, words: Words = english): Promise<number> {
  await go(page, words.tickets, words);
  await page.getByRole("link", { name: words.invite }).first().click();
  await page.getByLabel(words.contact).fill("jane@customer.example");
  const agentField = page.getByRole("combobox", { name: "Agent" });
  if ((await agentField.inputValue()) === "") {
    await agentField.click();
    await page.getByRole("option").first().click();
  }
  await page.getByRole("button", { name: words.sendInvitation }).click();
  await page.waitForURL(/\/tickets\/\d+$/u);
  return Number(new URL(page.url()).pathname.split("/").at(-1));
}

/** The newest deliveries in the open log. */
function rowsOfLog(page: Page, words: Words) {
  return page.getByRole("table", { name: words.logTable }).locator("[data-delivery]");
}

/** Changes the URL to another origin, for which stored header values must be entered again. */
export async function sendElsewhere(page: Page, name: string, url: string): Promise<void> {
  await go(page, "Webhooks");
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "URL" }).fill(url);
  await page.getByRole("button", { name: "Save" }).click();
  await page
    .getByText(/the stored value no longer applies/u)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Replace the value of X-Team" }).click();
  await page.getByLabel("Value of header 1").fill("green");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name, level: 1, exact: true }).waitFor();
}

/** Opens a delivery from today's failed deliveries, with its detail panel. */
export async function openDead(page: Page, ticketId: number, words: Words = english) {
  await go(page, words.deliveries, words);
  await page.getByRole("link", { name: words.log, exact: true }).click();
  await page.getByRole("button", { name: words.dead }).click();
  await page.waitForURL(/failures=1/u);
  await rowsOfLog(page, words)
    .filter({ hasText: String(ticketId) })
    .first()
    .click();
  const timeline = openDelivery(page);
  await timeline.getByText(words.failed500).waitFor();
  return timeline;
}

/** Expects one attempt with request, response, and advice. */
export async function seeWhy(page: Page, ticketId: number, words: Words = english): Promise<void> {
  const timeline = await openDead(page, ticketId, words);
  const request = timeline.getByRole("group", { name: words.request, exact: true });
  const answer = timeline.getByRole("group", { name: words.response, exact: true });
  await request.getByText("X-Team", { exact: false }).first().waitFor();
  await request.getByText("ticket", { exact: false }).first().waitFor();
  await answer.getByText("HTTP 500").waitFor();
  await answer.getByText("no room left on /var").waitFor();
  await page.keyboard.press("Escape");
  await timeline.waitFor({ state: "detached" });
}

export async function explain(page: Page, ticketId: number): Promise<void> {
  await page.getByRole("link", { name: "Explain", exact: true }).click();
  await page.getByLabel("Ticket number, reference or event ID").fill(String(ticketId));
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  const line = page.getByRole("button").filter({ hasText: "CRM: Failed" });
  await line.waitFor();
  if ((await line.getAttribute("aria-expanded")) === "false") {
    await line.click();
  }
  await page.getByText("Not delivered. The only attempt failed: server error (5xx).").waitFor();
}

/** Replays after a count, at a rate that is slow enough to watch. */
export async function replayAll(page: Page, name: string, count: number): Promise<void> {
  await page.getByRole("link", { name: "Replays", exact: true }).click();
  await page
    .getByRole("link", { name: "New replay" })
    .or(page.getByRole("button", { name: "New replay" }))
    .first()
    .click();
  const form = page.getByRole("dialog", { name: "New replay" });
  await form.getByRole("combobox", { name: "To" }).click();
  await page.getByRole("option", { name, exact: true }).click();
  await form
    .getByText(`Replay ${count} deliveries to ${name} at 50 per second, about 1s`)
    .waitFor();
  await form.getByLabel("Max. per second").fill("1");
  await form.getByText(`Replay ${count} deliveries to ${name} at 1 per second`).waitFor();
  await form.getByRole("button", { name: `Replay ${count}` }).click();
  const replay = page.getByRole("dialog", { name: /^Replay \d+$/u });
  const bar = replay.getByRole("progressbar");
  await bar.waitFor();
  const isPartly = async (): Promise<boolean> => {
    const now = Number(await bar.getAttribute("aria-valuenow"));
    return now > 0 && now < 100;
  };
  await eventually(isPartly, slow);
  await replay.getByText("Done").waitFor();
  await replay.getByText(`${count} of ${count} created`).waitFor();
  expect(await bar.getAttribute("aria-valuenow")).to.equal("100");
  await page.keyboard.press("Escape");
  await replay.waitFor({ state: "detached" });
}

type Rotation = Readonly<{
  /**
   * How long the old secret remains valid, as shown in English; by default the preselected value.
   */
  overlap?: string;
  words?: Words;
}>;

export async function rotate(
  page: Page,
  name: string,
  { overlap, words = english }: Rotation = {},
): Promise<string> {
  await go(page, "Webhooks", words);
  await page.getByRole("link", { name, exact: true }).click();
  await page
    .getByRole("navigation", { name: words.webhookParts })
    .getByRole("link", { name: words.signing })
    .click();
  await page.getByRole("button", { name: words.rotateSecret }).click();
  const dialog = page.getByRole("dialog");
  if (overlap !== undefined) {
    await dialog.getByRole("combobox", { name: words.overlap }).click();
    await page.getByRole("option", { name: overlap }).click();
    await dialog.getByText("Verification fails until your receiver is updated.").waitFor();
  }
  await dialog.getByRole("button", { name: words.rotate, exact: true }).click();
  return takeSecret(page, words);
}

export async function nextRequest(receiver: Receiver, make: () => Promise<unknown>) {
  receiver.clear();
  await make();
  await receiver.sees(1, slow);
  return receiver.requests[0]!;
}
