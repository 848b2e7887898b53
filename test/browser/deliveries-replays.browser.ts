import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import {
  desktop,
  findBarriers,
  findLandmarkFaults,
  seeFits,
  phone,
  screenshots,
} from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { logRows, openDelivery, useDeliveriesFixture } from "./deliveries-fixture.ts";
import { isNight } from "../support/night.ts";

describe("replays and selections of the delivery log", () => {
  const fixture = useDeliveriesFixture();

  it('says "0 missing", or lists the missing deliveries and sends them', async function () {
    this.timeout(60_000);
    const { receiver } = fixture;
    const webhookId = await fixture.aWebhook();
    await fixture.aTicket();
    await fixture.aTicket();
    await fixture.seeState(webhookId, "delivered", 2);

    const page = await fixture.open("/dashboard/explain?part=period&period=hour");
    await page.getByText("0 missing").waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);

    // A second comparison includes the events since the first.
    await fixture.aTicket();
    await fixture.seeState(webhookId, "delivered", 3);
    receiver.clear();
    await rowsOf(
      fixture.platform.db,
      "DELETE FROM deliveries WHERE id = (SELECT max(id) FROM deliveries WHERE subscription_id = ?)",
      [webhookId],
    );
    await page.getByRole("button", { name: "Compare again" }).click();
    await page.getByText("1 missing").waitFor();
    await screenshots(page, "deliveries-missing");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole("link", { name: "Replay 1 to CRM" }).click();
    const form = page.getByRole("dialog", { name: "New replay" });
    await form.getByRole("button", { name: "Replay 1" }).click();
    await page
      .getByRole("dialog", { name: /^Replay \d+$/u })
      .getByText("Done")
      .waitFor();
    await receiver.sees(1);
  });

  it("shows the progress of a replay, which can be paused, resumed and cancelled", async function () {
    this.timeout(90_000);
    const { receiver } = fixture;
    receiver.answerWith([500]);
    const webhookId = await fixture.aWebhook();
    for (let n = 0; n < 12; n += 1) {
      await fixture.aTicket();
    }
    await fixture.seeState(webhookId, "dead", 12);
    receiver.answerWith([200]);
    receiver.clear();

    const page = await fixture.open(`/dashboard/deliveries/replays?make=1&webhook=${webhookId}`);
    const form = page.getByRole("dialog", { name: "New replay" });
    await form.getByText("Replay 12 deliveries to CRM at 50 per second, about 1s").waitFor();
    await form.getByLabel("Max. per second").fill("1");
    await form.getByText("Replay 12 deliveries to CRM at 1 per second, about 12s").waitFor();
    await form.getByRole("button", { name: "Replay 12" }).click();
    const replay = page.getByRole("dialog", { name: /^Replay \d+$/u });
    await replay.getByText("Running").waitFor();
    await replay.getByRole("button", { name: "Pause" }).click();
    await replay.getByText("Paused").waitFor();
    await screenshots(page, "deliveries-replay");
    expect(await findBarriers(page)).to.deep.equal([]);
    await replay.getByRole("button", { name: "Resume" }).click();
    await replay.getByText("Running").waitFor();
    await replay.getByRole("button", { name: "Cancel" }).click();
    const confirm = page.getByRole("dialog", { name: /^Cancel replay \d+\?$/u });
    await confirm.getByText(/^\d+ deliver(?:y|ies) will not be sent/u).waitFor();
    // The dialog must not have two buttons that say "cancel".
    const keep = confirm.getByRole("button", { name: "Keep it running" });
    await keep.waitFor();
    // What failed before the dialog was closed is not shown when it opens again.
    await page.route("**/api/webhooks/replays/*/cancel", (route) => route.abort(), { times: 1 });
    await confirm.getByRole("button", { name: "Cancel replay" }).click();
    await confirm.getByRole("alert").waitFor();
    await keep.click();
    await confirm.waitFor({ state: "hidden" });
    await replay.getByRole("button", { name: "Cancel" }).click();
    await keep.waitFor();
    expect(await confirm.getByRole("alert").count()).to.equal(0);
    await confirm.getByRole("button", { name: "Cancel replay" }).click();
    await replay.getByText("Cancelled").first().waitFor();
    expect(receiver.requests.length).to.be.lessThan(12);
    await page.keyboard.press("Escape");
    await page.getByRole("table", { name: "Replays" }).getByText("Cancelled").waitFor();
    await screenshots(page, "deliveries-replays");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("asks for confirmation before a large replay", async function () {
    this.timeout(60_000);
    const webhookId = await fixture.aWebhook();
    const page = await fixture.open(`/dashboard/deliveries/replays?webhook=${webhookId}`);
    await page.route("**/replay/preview", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), count: 50_000 } });
    });
    await page.goto(`${page.url()}&make=1`);
    const form = page.getByRole("dialog", { name: "New replay" });
    await form.getByRole("button", { name: "Replay 50,000" }).click();
    const asked = page.getByRole("dialog", { name: "Large replay" });
    await asked
      .getByText(
        /^Replay 50,000 deliveries to CRM at 50 per second, about \d+m \d+s\. New events are sent first\. You can pause/u,
      )
      .waitFor();
    await asked.getByRole("button", { name: "Cancel" }).click();
    await form.getByRole("button", { name: "Replay 50,000" }).waitFor();
  });

  it("counts and sends nothing without a webhook or a status", async function () {
    this.timeout(60_000);
    const webhookId = await fixture.aWebhook();
    await fixture.aTicket();
    await fixture.seeState(webhookId, "delivered", 1);
    const path = "/dashboard/deliveries/replays?make=1&status=delivered";
    const page = await fixture.open(path);
    const form = page.getByRole("dialog", { name: "New replay" });
    const button = form.getByRole("button", { name: /^Replay/u });
    await form.getByText("Choose a webhook to see what the replay would send.").waitFor();
    expect(await button.isDisabled()).to.equal(true);

    await page.goto(`${fixture.platform.url}${path}&webhook=${webhookId}`);
    await form.getByRole("button", { name: "Replay 1", disabled: false }).waitFor();
    await form.getByRole("checkbox", { name: "Delivered" }).uncheck();
    await form.getByText("Nothing to send: choose at least one status.").waitFor();
    expect(await button.textContent()).to.equal("Replay");
    expect(await button.isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    await form.getByRole("checkbox", { name: "Failed" }).check();
    await form.getByText("No matching deliveries").waitFor();
    await form.getByRole("button", { name: "Replay 0", disabled: true }).waitFor();
  });

  if (isNight) {
    it("is translated to French, and fits on a phone in dark mode", async function () {
      this.timeout(90_000);
      const { receiver } = fixture;
      receiver.answerWith([500]);
      const webhookId = await fixture.aWebhook({
        name: "Gestion de la relation client, production",
      });
      const ticketId = await fixture.aTicket();
      await fixture.seeState(webhookId, "dead", 1);

      const page = await fixture.open("/dashboard/deliveries/log?status=dead", {
        language: "fr",
        viewport: { ...phone, width: 320 },
        colors: "dark",
      });
      await page.getByRole("button", { name: "Échecs seulement" }).waitFor();
      const row = page.locator("[data-delivery]").first();
      await row.waitFor();
      await seeFits(page);
      expect(await findBarriers(page)).to.deep.equal([]);
      await row.click();
      await page
        .getByRole("dialog")
        .getByText(/Le destinataire n’a pas pu traiter la requête \(500\)/u)
        .waitFor();
      await seeFits(page);
      expect(await findBarriers(page)).to.deep.equal([]);
      for (const path of [
        "explain?q=" + ticketId,
        "explain?part=period",
        "deliveries/replays?make=1",
      ]) {
        await page.goto(`${fixture.platform.url}/dashboard/${path}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.waitForLoadState("networkidle");
        await seeFits(page, path);
        expect(await findBarriers(page), path).to.deep.equal([]);
      }
    });
  }

  it("keeps the list usable beside an open delivery, and acts on a selection", async function () {
    this.timeout(90_000);
    const { receiver } = fixture;
    receiver.answerWith([503]);
    const webhookId = await fixture.aWebhook({ name: "Slow", retrySchedule: [3_600, 3_600] });
    const tickets = [await fixture.aTicket(), await fixture.aTicket(), await fixture.aTicket()];
    await fixture.seeState(webhookId, "retry", 3);
    const page = await fixture.open(`/dashboard/deliveries/log?webhook=${webhookId}`);
    const row = (n: number) => logRows(page).nth(n);
    await row(2).waitFor();
    expect(await row(0).innerText()).to.match(/503 server error/u);
    expect(await row(0).innerText()).to.match(/in (\d+ minutes|1 hour)/u);

    // The list remains usable: a click opens another row, arrow keys open its neighbors, and
    // nothing is dimmed.
    await row(0).click();
    const panel = openDelivery(page);
    await panel.getByText(`Ticket created · Ticket ${tickets[2]}`).waitFor();
    await row(1).click();
    await panel.getByText(`Ticket created · Ticket ${tickets[1]}`).waitFor();
    await page.keyboard.press("ArrowDown");
    await panel.getByText(`Ticket created · Ticket ${tickets[0]}`).waitFor();
    expect(await page.getByRole("dialog").count()).to.equal(0);
    await screenshots(page, "deliveries-beside");
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(await findLandmarkFaults(page)).to.deep.equal([]);
    await page.setViewportSize(phone);
    await page.getByRole("dialog").waitFor();
    expect(await findLandmarkFaults(page)).to.deep.equal([]);
    await page.setViewportSize(desktop);
    await row(2).focus();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await eventually(async () => (await page.locator(":focus").and(row(2)).count()) === 1);

    // Selects one row by key and a range with Shift, then retries all of them together.
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await row(0)
      .getByRole("checkbox")
      .click({ modifiers: ["Shift"] });
    await page.getByText("3 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select all shown" }).waitFor();
    await screenshots(page, "deliveries-selected");
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(await page.getByRole("button", { name: "Replay selected" }).isDisabled()).to.equal(true);
    receiver.answerWith([204]);
    receiver.clear();
    await page.getByRole("button", { name: "Retry now" }).click();
    await page.getByRole("button", { name: "Retry 3 now" }).click();
    await receiver.sees(3);
    await fixture.seeState(webhookId, "delivered", 3);

    // Ended deliveries are replayed; the file contains the filtered rows.
    await page.goto(`${fixture.platform.url}/dashboard/deliveries/log?webhook=${webhookId}&tail=1`);
    await page.getByRole("checkbox", { name: "Select all shown" }).check();
    await page.getByRole("button", { name: "Replay selected" }).click();
    await page.getByRole("button", { name: "Replay 3", exact: true }).click();
    await receiver.sees(6);
    // New rows arrive without a reload.
    await eventually(async () => (await logRows(page).count()) === 6);
    await page.getByRole("button", { name: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: /^CSV/u }).click();
    const file = await (await download).path();
    const [head, ...lines] = (await readFile(file, "utf8")).trim().split("\r\n");
    expect(head).to.contain("last_ms;last_result");
    expect(lines).to.have.length(6);
  });
});
