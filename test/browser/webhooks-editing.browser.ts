import { expect } from "chai";
import { admin } from "../support/browser-platform.ts";
import { findBarriers, screenshot, screenshots } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { isSignedWith } from "../support/signatures.ts";
import { webhooksPath, secretShape, useWebhooksFixture } from "../support/webhooks-fixture.ts";

describe("creating and changing webhooks", () => {
  const webhooks = useWebhooksFixture();
  const { incoming, rest, aWebhook, aTicket, webhook, open, passedThrough } = webhooks;
  const { platform, browser } = webhooks;

  it("creates a webhook: filter tree, conditions tested on real events, headers, secret shown once", async () => {
    const { receiver } = incoming;
    await aTicket();
    const page = await open(`${webhooksPath}/new`);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Billing");
    await page.getByRole("textbox", { name: "URL" }).fill(receiver.url);
    await page.getByRole("checkbox", { name: /^Tickets ticket\.\*/u }).check();
    await page.getByRole("button", { name: "Parts of: Tickets" }).click();
    await page.getByRole("checkbox", { name: /ticket\.delete/u }).uncheck();
    await page.getByText("ticket.create, ticket.update").waitFor();
    const whole = page.getByRole("checkbox", { name: /^Tickets ticket\.\*/u });
    expect(await whole.getAttribute("data-indeterminate")).to.equal("true");
    await page.getByText("new tickets, ticket updates").first().waitFor();
    await page.getByText(/[1-9]\d* of the last \d+ events match/u).waitFor();

    // The later steps require that the first response was accepted.
    await passedThrough(await aTicket());
    await page.getByText("Filtered out", { exact: true }).click();
    const others = page.getByRole("region", { name: "Events" });
    await others.getByRole("cell", { name: "filters" }).first().waitFor();
    expect(await others.getByRole("cell", { name: "conditions" }).count()).to.equal(0);
    expect(await others.getByRole("cell", { name: "not known" }).count()).to.equal(0);

    await page.getByRole("button", { name: "Add condition" }).click();
    await page.getByRole("combobox", { name: "Field of condition 1" }).fill("props.state");
    await page.getByRole("combobox", { name: "Value of condition 1" }).fill("nowhere");
    await page.getByText("JSON", { exact: true }).click();
    const written = await page.getByRole("textbox", { name: "Conditions" }).inputValue();
    expect(JSON.parse(written)).to.deep.equal({ "props.state": "nowhere" });
    await page.getByText(/^0 of the last/u).waitFor();
    await others.getByRole("row").filter({ hasText: "ticket.create" }).first().waitFor();
    await others.getByRole("cell", { name: "conditions" }).first().waitFor();
    await page.getByRole("button", { name: "Clear" }).click();

    await page.getByRole("button", { name: "Add header" }).click();
    await page.getByLabel("Name of header 1").fill("X-Key");
    await page.getByLabel("Value of header 1").fill("k3y");
    await page.getByLabel("Enable", { exact: true }).check();
    await page.getByRole("button", { name: "Create webhook" }).click();

    const shown = page.getByText(secretShape);
    await shown.waitFor();
    const secret = (await shown.textContent()) ?? "";
    await screenshots(page, "webhooks-secret");
    const ticket = await aTicket();
    const request = await receiver.waitFor((one) => one.json()["objectId"] === ticket);
    expect(isSignedWith(secret, request)).to.equal(true);
    expect(request.headers["x-key"]).to.equal("k3y");

    await page.getByRole("button", { name: "I’ve saved it" }).click();
    await shown.waitFor({ state: "detached" });
    await page.reload();
    const parts = page.getByRole("navigation", { name: "Webhook sections" });
    await parts.getByRole("link", { name: "Signing" }).click();
    await page.getByText("whsec_••••").waitFor();
    await parts.getByRole("link", { name: "Settings" }).click();
    expect(await page.content())
      .not.to.match(secretShape)
      .and.not.to.contain("k3y");
    await page.getByText("X-Key: ••••").waitFor();
  }).timeout(90_000);

  it("shows an error at its field, which gets the focus", async () => {
    const page = await open(`${webhooksPath}/new`);
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByText("Enter a name.").waitFor();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Billing");
    await page.getByLabel("Enable", { exact: true }).check();
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByText("An enabled webhook needs a URL.").waitFor();
    const url = page.getByRole("textbox", { name: "URL" });
    await url.fill("http://169.254.169.254/latest");
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page
      .getByText(/Webhooks may not be sent to this address/u)
      .first()
      .waitFor();
    expect(await url.getAttribute("aria-invalid")).to.equal("true");
    expect(await page.locator(":focus").inputValue()).to.contain("169.254");

    await url.fill(incoming.receiver.url);
    await page.getByRole("button", { name: "Add header" }).click();
    await page.getByLabel("Name of header 1").fill("Host");
    await page.getByLabel("Value of header 1").fill("x");
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByText(/^The header Host cannot be set/u).waitFor();
    await page.getByRole("button", { name: "Remove header 1" }).click();

    await page.getByText("JSON", { exact: true }).click();
    const conditions = page.getByRole("textbox", { name: "Conditions" });
    await conditions.fill("{ not json");
    await page.getByText("Invalid JSON (line 1, column 3): unexpected n").waitFor();
    await page.getByText("Fix the conditions to see a preview.").waitFor();
    await conditions.fill('{"props.state": {"$regex": "d"}}');
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page
      .getByText(/\$regex/u)
      .last()
      .waitFor();
    await conditions.fill("");

    await page.getByRole("button", { name: "Retries" }).click();
    await page.getByText("Custom", { exact: true }).click();
    await page.getByLabel("Delays between attempts").fill("10s, 2d");
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByText("Each delay must be between one second and one day.").waitFor();
    await screenshot(page, "webhooks-faults");
    expect(new URL(page.url()).pathname).to.equal(`${webhooksPath}/new`);
  }).timeout(60_000);

  it("takes conditions whose compact form is short enough, however long their lines are", async () => {
    const states = Array.from({ length: 90 }, (_, index) => `state-${index}-${"x".repeat(20)}`);
    const conditions = { $nor: [{ "props.state": { $in: states } }] };
    const { id } = await aWebhook({
      name: "Long",
      mode: "pull",
      filters: ["ticket.*"],
      conditions,
    });
    const page = await open(`${webhooksPath}/${id}/edit`);
    const field = page.getByRole("textbox", { name: "Conditions" });
    const written = JSON.stringify(conditions, null, 4).replaceAll("state-", "other-");
    expect(written.length).to.be.greaterThan(4_096);
    await field.press("ControlOrMeta+A");
    // As pasted: a limit of the length applies.
    await page.keyboard.insertText(written);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect((await webhook(id))["conditions"]).to.deep.equal(JSON.parse(written));
  });

  it("renders the preview no more while nothing changes", async () => {
    await aTicket();
    const page = await browser.open();
    await page.clock.install();
    await platform.signIn(page, admin, `${webhooksPath}/new`);
    await page.getByRole("checkbox", { name: /^Tickets ticket\.\*/u }).check();
    await page.getByText(/of the last \d+ events match/u).waitFor();
    await page.clock.runFor(1_000);
    await page.evaluate(`
      const { setTimeout } = window;
      window.debounced = 0;
      window.setTimeout = (run, after, ...rest) => {
        window.debounced += after === 400 ? 1 : 0;
        return setTimeout(run, after, ...rest);
      };
    `);
    await page.clock.runFor(1_000);
    await page.clock.runFor(1_000);
    await page.clock.runFor(1_000);
    expect(await page.evaluate("window.debounced")).to.equal(0);
  });

  it("sends a test and shows request and response side by side, with the signature", async () => {
    const { receiver } = incoming;
    receiver.answerWith([{ status: 503, headers: { "x-state": "busy" }, body: "come back" }]);
    const { id, secret } = await aWebhook({ name: "CRM", url: receiver.url, filters: ["*"] });
    const page = await open(`${webhooksPath}/${id}`);
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText("Response 503").waitFor();
    const response = page.getByRole("region", { name: "Response", exact: true });
    await response.getByText("come back").waitFor();
    await response.getByText("x-state").waitFor();
    const request = page.getByRole("region", { name: "Request", exact: true });
    const sent = receiver.requests[0]!;
    await request.getByText(String(sent.headers["webhook-signature"])).waitFor();
    expect(isSignedWith(secret, sent)).to.equal(true);
    await screenshots(page, "webhooks-test-send");
    expect(await findBarriers(page)).to.deep.equal([]);
  }).timeout(60_000);

  it("shows the first failure, and retries it now", async () => {
    const { receiver } = incoming;
    receiver.answerWith([500]);
    const { id } = await aWebhook({
      ...{ name: "CRM", url: receiver.url, active: true, filters: ["ticket.create"] },
      retrySchedule: [600],
    });
    await aTicket();
    await receiver.sees(1);
    const page = await open(`${webhooksPath}/${id}`);
    const failing = page.getByRole("table", { name: "Failing deliveries" });
    await failing.getByText("HTTP 500").waitFor();
    receiver.answerWith([200]);
    await failing.getByRole("button", { name: "Retry now" }).click();
    await receiver.sees(2);
    await page.getByRole("table", { name: "Latest deliveries" }).getByText("Delivered").waitFor();
  }).timeout(60_000);

  it("explains in French why there was no response, with the phases of the attempt", async () => {
    const { id } = await aWebhook({ name: "CRM", url: incoming.receiver.url, filters: ["*"] });
    incoming.receiver.answerWith(["reset"]);
    const page = await open(`${webhooksPath}/${id}`, { language: "fr" });
    await page.getByRole("button", { name: "Envoyer un test" }).click();
    await page.getByText("connexion coupée", { exact: true }).waitFor();
    const response = page.getByRole("region", { name: "Réponse", exact: true });
    await response.getByText("La connexion a été coupée").waitFor();
    incoming.receiver.answerWith([200]);
    await page.getByRole("button", { name: "Envoyer un test" }).click();
    await page.getByText("Réponse 200").waitFor();
    await response
      .getByRole("list", { name: "Répartition du temps" })
      .getByText("Attente")
      .waitFor();
    expect(await response.getByText("firstByte").count()).to.equal(0);
  }).timeout(60_000);

  it("rotates the secret with an overlap: both sign, and the page says until when", async () => {
    const { receiver } = incoming;
    const { id, secret } = await aWebhook({
      ...{ name: "CRM", url: receiver.url, active: true, filters: ["ticket.*"] },
    });
    const page = await open(`${webhooksPath}/${id}?tab=signing`);
    await page.getByRole("button", { name: "Rotate secret" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("New secret", { exact: true }).waitFor();
    await screenshot(page, "webhooks-rotate");
    await dialog.getByRole("button", { name: "Rotate", exact: true }).click();
    const shown = page.getByText(secretShape);
    await shown.waitFor();
    const fresh = (await shown.textContent()) ?? "";
    expect(fresh).not.to.equal(secret);
    await page.getByText("Expires").waitFor();
    await aTicket();
    await receiver.sees(1);
    const request = receiver.requests[0]!;
    expect([isSignedWith(secret, request), isSignedWith(fresh, request)]).to.deep.equal([
      true,
      true,
    ]);
    await page.getByRole("link", { name: "Webhooks" }).first().click();
    await page.getByRole("link", { name: "CRM", exact: true }).click();
    await page.getByRole("link", { name: "Signing" }).click();
    await page.getByText("Expires").waitFor();
    expect(await page.content()).not.to.contain(fresh);
  }).timeout(60_000);

  it("changes only the edited settings, keeps stored values, and warns about unsaved changes", async () => {
    const { id } = await aWebhook({
      ...{ name: "CRM", url: incoming.receiver.url, filters: ["ticket.*"] },
      headers: [{ name: "X-Key", value: "k3y" }],
    });
    const page = await open(`${webhooksPath}/${id}/edit`);
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("CRM, new");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Leave without saving?").waitFor();
    await page.getByRole("button", { name: "Stay" }).click();
    expect(await page.getByLabel("Value of header 1").inputValue()).to.equal("••••");
    await rest().succeed(`PATCH /webhooks/${id}`, { body: { maxPerSecond: 7 } });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "CRM, new", level: 1 }).waitFor();
    expect(await webhook(id)).to.deep.include({
      ...{ name: "CRM, new", maxPerSecond: 7 },
      headers: [{ name: "X-Key", value: "••••" }],
    });
  }).timeout(60_000);

  it("reports a conflict with a concurrent change, and lets the user choose", async () => {
    const { id } = await aWebhook({ name: "CRM", filters: ["ticket.*"] });
    const page = await open(`${webhooksPath}/${id}/edit`);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Mine");
    // Waits until the timestamps differ, which have a resolution of one second.
    const since = Date.now();
    await eventually(() => Date.now() - since > 1_100);
    await rest().succeed(`PATCH /webhooks/${id}`, { body: { name: "Theirs" } });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Someone else changed this webhook").waitFor();
    await screenshots(page, "webhooks-conflict");
    expect(await findBarriers(page)).to.deep.equal([]);
    expect((await webhook(id))["name"]).to.equal("Theirs");
    await page.getByRole("button", { name: "Keep my changes" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Mine", level: 1 }).waitFor();
    expect((await webhook(id))["name"]).to.equal("Mine");
  }).timeout(60_000);
});
