import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { findBarriers, isCut, phone, screenshots } from "../support/browser.ts";
import { useDeliveriesHouse } from "./deliveries-house.ts";

describe("explain and replays in the console", () => {
  const house = useDeliveriesHouse();

  it("explains a ticket to whoever asks for its number, at every webhook in plain words", async function () {
    this.timeout(60_000);
    const { receiver } = house;
    await house.aWebhook();
    await house.aWebhook({ name: "Billing", conditions: { "props.state": "done" } });
    await house.aWebhook({ name: "Search", filters: ["media.*"] });
    const off = await house.aWebhook({ name: "Archive", active: true });
    await house.rest().succeed(`PATCH /webhooks/${off}`, { body: { active: false } });
    const ticketId = await house.aTicket({ reference: "R-4711" });
    await receiver.sees(1);

    const page = await house.open("/dashboard/explain");
    await page.getByLabel("Ticket number, reference or event id").fill("R-4711");
    await page.keyboard.press("Enter");
    await page.getByText("Ticket created").first().waitFor();
    await page
      .getByText(/Delivered at .*, at the first attempt\. Answered 200 in \d+ ?ms\./u)
      .waitFor();
    await page
      .getByText(
        /Not sent: the condition .*props\.state.*done.* did not hold, props\.state was "\w+"/u,
      )
      .waitFor();
    await page.getByText("Not sent: no filter of the webhook asked for this event.").waitFor();
    await page
      .getByText(/Not sent: the webhook is off since .* Switched off by admin@demo\.example\./u)
      .waitFor();
    await screenshots(page, "deliveries-explain");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByText(`Ticket ${ticketId}`).first().waitFor();

    await page.getByLabel("Ticket number, reference or event id").fill(receiver.ids()[0] ?? "");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=evt_/u);
    await page
      .getByText(/Delivered at .*, at the first attempt/u)
      .first()
      .waitFor();

    await page.goto(`${house.platform.url}/dashboard/explain?q=nothing-of-ours`);
    await page.getByText("Nothing is known of nothing-of-ours").waitFor();
  });

  it("says 0 missing, and names and sends what is missing where it is not", async function () {
    this.timeout(60_000);
    const { receiver } = house;
    const webhookId = await house.aWebhook();
    await house.aTicket();
    await house.aTicket();
    await house.seeState(webhookId, "delivered", 2);

    const page = await house.open("/dashboard/explain?part=period&period=hour");
    await page.getByText("0 missing").waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);

    receiver.clear();
    await rowsOf(
      house.platform.db,
      "DELETE FROM deliveries WHERE id = (SELECT min(id) FROM deliveries WHERE subscription_id = ?)",
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

  it("shows a replay as it goes on, and lets it be paused, resumed and cancelled", async function () {
    this.timeout(90_000);
    const { receiver } = house;
    receiver.answerWith([500]);
    const webhookId = await house.aWebhook();
    for (let n = 0; n < 12; n += 1) {
      await house.aTicket();
    }
    await house.seeState(webhookId, "dead", 12);
    receiver.answerWith([200]);
    receiver.clear();

    const page = await house.open(`/dashboard/deliveries/replays?make=1&webhook=${webhookId}`);
    const form = page.getByRole("dialog", { name: "New replay" });
    await form.getByText("Replay 12 deliveries to CRM at 50 a second, about 1s").waitFor();
    await form.getByLabel("At most a second").fill("1");
    await form.getByText("Replay 12 deliveries to CRM at 1 a second, about 12s").waitFor();
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
    const confirm = page.getByRole("dialog", { name: /^Cancel replay \d+$/u });
    await confirm.getByText(/^\d+ deliver(?:y|ies) will not be sent/u).waitFor();
    await confirm.getByRole("button", { name: "Cancel the replay" }).click();
    await replay.getByText("Cancelled").first().waitFor();
    expect(receiver.requests.length).to.be.lessThan(12);
    await page.keyboard.press("Escape");
    await page.getByRole("table", { name: "Replays" }).getByText("Cancelled").waitFor();
    await screenshots(page, "deliveries-replays");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("counts and sends nothing where no webhook or no state is chosen", async function () {
    this.timeout(60_000);
    const webhookId = await house.aWebhook();
    await house.aTicket();
    await house.seeState(webhookId, "delivered", 1);
    const path = "/dashboard/deliveries/replays?make=1&status=delivered";
    const page = await house.open(path);
    const form = page.getByRole("dialog", { name: "New replay" });
    const button = form.getByRole("button", { name: /^Replay/u });
    await form.getByText("Choose a webhook to see what a replay would send.").waitFor();
    expect(await button.isDisabled()).to.equal(true);

    await page.goto(`${house.platform.url}${path}&webhook=${webhookId}`);
    await form.getByRole("button", { name: "Replay 1", disabled: false }).waitFor();
    await form.getByRole("checkbox", { name: "Delivered" }).uncheck();
    await form.getByText("Nothing is sent: choose what became of it").waitFor();
    expect(await button.textContent()).to.equal("Replay");
    expect(await button.isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    await form.getByRole("checkbox", { name: "Given up" }).check();
    await form.getByText("Nothing matches").waitFor();
    await form.getByRole("button", { name: "Replay 0", disabled: true }).waitFor();
  });

  it("speaks French, on a phone, in the dark, with nothing cut", async function () {
    this.timeout(90_000);
    const { receiver } = house;
    receiver.answerWith([500]);
    const webhookId = await house.aWebhook({
      name: "Gestion de la relation client, production",
    });
    const ticketId = await house.aTicket();
    await house.seeState(webhookId, "dead", 1);

    const page = await house.open("/dashboard/deliveries/log?status=dead", {
      language: "fr",
      viewport: { ...phone, width: 320 },
      colors: "dark",
    });
    await page.getByRole("button", { name: "Abandonnées aujourd’hui" }).waitFor();
    const row = page.locator("[data-delivery]").first();
    await row.waitFor();
    expect(await isCut(page)).to.equal(false);
    expect(await findBarriers(page)).to.deep.equal([]);
    await row.click();
    await page
      .getByRole("dialog")
      .getByText(/Le récepteur a échoué pendant le traitement \(500\)/u)
      .waitFor();
    expect(await isCut(page)).to.equal(false);
    expect(await findBarriers(page)).to.deep.equal([]);
    for (const path of [
      "explain?q=" + ticketId,
      "explain?part=period",
      "deliveries/replays?make=1",
    ]) {
      await page.goto(`${house.platform.url}/dashboard/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      expect(await isCut(page), path).to.equal(false);
      expect(await findBarriers(page), path).to.deep.equal([]);
    }
  });
});
