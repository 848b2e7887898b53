import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { findBarriers, screenshot } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { logRows, openDelivery, useDeliveriesFixture } from "./deliveries-fixture.ts";

const run = promisify(execFile);

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** 09:30 UTC of a day, in the browser's time zone. */
function inParis(options: Intl.DateTimeFormatOptions, day: string): string {
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "Europe/Paris" }).format(
    new Date(`${day}T09:30:05Z`),
  );
}
function hourOf(day: string): string {
  return inParis({ hour: "2-digit" }, day);
}

describe("the filters and exports of the delivery log", () => {
  const fixture = useDeliveriesFixture();

  /** The text of each row after its time and state: "Ticket created · Ticket 12". */
  const texts = async (page: Page): Promise<string[]> =>
    (await logRows(page).allInnerTexts()).map((text) => {
      const [, , event, about] = text.split("\n").filter((line) => line.trim() !== "");
      return `${event} · ${about}`;
    });

  const seesOnly = (page: Page, rows: readonly string[]): Promise<unknown> =>
    eventually(async () => expect(await texts(page), page.url()).to.deep.equal(rows), {
      timeoutMs: 15_000,
    });

  const searchOf = (page: Page): Record<string, string> =>
    Object.fromEntries(new URL(page.url()).searchParams);

  const pill = (page: Page, name: string) =>
    page.getByRole("group", { name: "Filters" }).getByRole("button", { name, exact: true });

  /** A webhook with the deliveries of two tickets, the first of which was changed. */
  const twoTickets = async () => {
    const webhookId = await fixture.aWebhook({ filters: ["*"] });
    const first = await fixture.aTicket({ reference: `R-${webhookId}` });
    const second = await fixture.aTicket();
    await fixture
      .rest()
      .succeed(`PATCH /tickets/${first}`, { body: { reference: `S-${webhookId}` } });
    await fixture.seeState(webhookId, "delivered", 5);
    return { webhookId, first, second, log: `/dashboard/deliveries/log?webhook=${webhookId}` };
  };

  const created = (ticketId: number): string => `Ticket created · Ticket ${ticketId}`;
  const changed = (ticketId: number): string => `Ticket updated · Ticket ${ticketId}`;

  it("finds the deliveries of a ticket by reference or number, and says if there are none", async () => {
    const { webhookId, first, second, log } = await twoTickets();
    const page = await fixture.open(log);
    await logRows(page).first().waitFor();
    await pill(page, "Object").click();
    const box = page.getByRole("dialog", { name: "Object" });
    await box.getByLabel("Ticket number or reference").fill("Nobody's");
    await box.getByRole("button", { name: "Apply" }).click();
    await box.getByText("No ticket has the reference Nobody's.").waitFor();
    await screenshot(page, "deliveries-filter-about");
    expect(await findBarriers(page)).to.deep.equal([]);
    await box.getByLabel("Ticket number or reference").fill(`S-${webhookId}`);
    await page.keyboard.press("Enter");
    await seesOnly(page, [changed(first), created(first)]);
    const webhook = String(webhookId);
    expect(searchOf(page)).to.deep.equal({ webhook, object: "ticket", objectId: String(first) });

    await page
      .getByRole("button", { name: new RegExp(`^Object\\s*Ticket ${first}$`, "u") })
      .click();
    await box.getByLabel("Ticket number or reference").fill(String(second));
    await page.keyboard.press("Enter");
    await seesOnly(page, [created(second)]);
    await page.getByRole("button", { name: "Remove: Object" }).click();
    await eventually(async () => (await logRows(page).count()) >= 5);
    expect(searchOf(page)).to.deep.equal({ webhook });
  }).timeout(60_000);

  it("filters by object, or by type of timeline entry", async () => {
    const { webhookId, first, second, log } = await twoTickets();
    const page = await fixture.open(log);
    await logRows(page).first().waitFor();
    await pill(page, "Event").click();
    await page.getByRole("option", { name: "Ticket created", exact: true }).click();
    await seesOnly(page, [created(second), created(first)]);
    const webhook = String(webhookId);
    expect(searchOf(page)).to.deep.equal({ webhook, object: "ticket", event: "create" });

    await page.getByRole("button", { name: /^Event\s*Ticket created$/u }).click();
    const box = page.getByRole("dialog", { name: "Event" });
    await box.getByRole("textbox", { name: "Search" }).fill("timeline: ticket");
    await box.getByRole("option", { name: "Timeline: ticket created" }).click();
    await eventually(async () => {
      const rows = await texts(page);
      expect(rows.map((row) => row.split(" · ")[0])).to.deep.equal(
        Array.from({ length: 2 }, () => "Timeline: ticket created"),
      );
    });
    expect(searchOf(page)).to.deep.equal({ webhook, eventType: "ticket.new" });
  }).timeout(60_000);

  it("filters by a period, typed or selected", async () => {
    const { webhookId, first, second, log } = await twoTickets();
    const page = await fixture.open(`${log}&object=ticket`);
    await seesOnly(page, [changed(first), created(second), created(first)]);
    // Moves deliveries twelve and ten days back; older ones would be removed. Times must grow with
    // the sequence, because the log locates a period by sequence.
    const [early, late] = [daysAgo(12), daysAgo(10)];
    for (const [day, ticketId] of [
      [early, first],
      [late, second],
    ] as const) {
      await rowsOf(
        fixture.platform.db,
        `UPDATE deliveries d SET created_at = ?
         FROM (SELECT made.subscription_id, made.sequence FROM deliveries made
               JOIN events e ON e.id = made.event_row_id
               WHERE made.subscription_id = ? AND e.object = 'ticket' AND e.event = 'create'
                 AND e.object_id = ?) AS last
         WHERE d.subscription_id = last.subscription_id AND d.sequence <= last.sequence
           AND d.created_at > now() - interval '5 days'`,
        [new Date(`${day}T09:30:00Z`), webhookId, String(ticketId)],
      );
    }
    await pill(page, "Period").click();
    await page.getByRole("option", { name: "Last hour" }).click();
    await seesOnly(page, [changed(first)]);
    expect(searchOf(page)["period"]).to.equal("hour");

    await page.getByRole("button", { name: /^Period\s*Last hour$/u }).click();
    const box = page.getByRole("dialog", { name: "Period" });
    // Types digit by digit, which is the same in both orders of day and month.
    const asked: (string | null)[] = [];
    page.on("request", (request) => {
      asked.push(new URL(request.url()).searchParams.get("since"));
    });
    // Waits until the box has the focus; otherwise, the text would go to the previous element.
    await box.locator(":focus").waitFor();
    await box.getByLabel("From").focus();
    await page.keyboard.type("01012026");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("1029AM");
    await page.keyboard.press("Enter");
    await page.waitForURL(/since=/u);
    expect(searchOf(page)["since"]).to.equal("2026-01-01T09:29:00Z");
    await seesOnly(page, [changed(first), created(second), created(first)]);
    // Partial years such as 2, 20 and 202 were not requested.
    expect(asked.filter((since) => since?.startsWith("0"))).to.deep.equal([]);
    await box.getByLabel("Before").fill(`${late}T${hourOf(late)}:30`);
    await box.getByLabel("Before").press("Enter");
    await seesOnly(page, [created(first)]);
    await box.getByLabel("From").fill(`${early}T${hourOf(early)}:31`);
    await box.getByLabel("Before").fill(`${late}T${hourOf(late)}:31`);
    await page.keyboard.press("Escape");
    await seesOnly(page, [created(second)]);
    expect(searchOf(page)).to.deep.equal({
      ...{ webhook: String(webhookId), object: "ticket" },
      ...{ since: `${early}T09:31:00Z`, until: `${late}T09:31:00Z` },
    });
    await screenshot(page, "deliveries-filter-period");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.reload();
    await seesOnly(page, [created(second)]);
    const both = `^Period.*, ${hourOf(early)}:31 – .*, ${hourOf(late)}:31$`;
    await page.getByRole("button", { name: new RegExp(both, "u") }).waitFor();
  }).timeout(60_000);

  it("finds an event by its id, at every webhook", async () => {
    const { receiver } = fixture;
    const { first } = await twoTickets();
    const { id } = await receiver.waitFor(
      (request) => request.json()["event"] === "update" && request.json()["objectId"] === first,
    );
    const page = await fixture.open("/dashboard/deliveries/log");
    await page.getByRole("textbox", { name: "Text or event ID" }).fill(id);
    await page.keyboard.press("Enter");
    await seesOnly(page, [changed(first)]);
    expect(searchOf(page)).to.deep.equal({ eventId: id });
    await page.getByRole("button", { name: "Remove: Text or event ID" }).click();
    await page.waitForURL((url) => url.search === "");
  }).timeout(60_000);

  it("combines filters, and keeps them over a reload", async () => {
    const { webhookId, first } = await twoTickets();
    const other = await fixture.aWebhook({ name: "Billing", filters: ["*"] });
    await fixture.rest().succeed(`PATCH /tickets/${first}`, { body: { reference: "T-1" } });
    await fixture.seeState(other, "delivered", 1);
    await fixture.seeState(webhookId, "delivered", 6);
    const page = await fixture.open("/dashboard/deliveries/log");
    await pill(page, "Webhook").click();
    await page.getByRole("checkbox", { name: "CRM" }).check();
    await page.keyboard.press("Escape");
    await pill(page, "Object").click();
    await page.getByLabel("Ticket number or reference").fill(String(first));
    await page.keyboard.press("Enter");
    await seesOnly(page, [changed(first), changed(first), created(first)]);
    await page.getByRole("textbox", { name: "Text or event ID" }).fill('"update"');
    await page.keyboard.press("Enter");
    await seesOnly(page, [changed(first), changed(first)]);
    await pill(page, "Event").click();
    await page.getByRole("option", { name: "Ticket created", exact: true }).click();
    await page.getByText("No matching deliveries").waitFor();
    await page.getByRole("button", { name: "Remove: Text or event ID" }).click();
    await seesOnly(page, [created(first)]);
    await pill(page, "Period").click();
    await page.getByRole("option", { name: "Today" }).click();
    await pill(page, "Status").click();
    await page.getByRole("checkbox", { name: "Delivered" }).check();
    await page.keyboard.press("Escape");
    const search = {
      ...{ webhook: String(webhookId), object: "ticket", objectId: String(first), event: "create" },
      ...{ period: "today", status: "delivered" },
    };
    await eventually(() => expect(searchOf(page)).to.deep.equal(search));
    await page.reload();
    await seesOnly(page, [created(first)]);
    expect(searchOf(page)).to.deep.equal(search);
    await page.getByRole("button", { name: "Remove: Event" }).click();
    await seesOnly(page, [changed(first), changed(first), created(first)]);
    await page.getByRole("button", { name: "Remove: Webhook" }).click();
    await seesOnly(page, [changed(first), changed(first), changed(first), created(first)]);
  }).timeout(60_000);

  const clipboard = (page: Page): Promise<string> =>
    page.evaluate<string>("navigator.clipboard.readText()");

  it("copies the curl command and the event ID as shown, and the command runs", async () => {
    const { receiver } = fixture;
    const webhookId = await fixture.aWebhook();
    await fixture.aTicket({ reference: "L'été, « à l'heure »" });
    await fixture.seeState(webhookId, "delivered", 1);
    const [sent] = receiver.requests;
    const page = await fixture.open(`/dashboard/deliveries/log?webhook=${webhookId}`, {
      context: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    await logRows(page).first().click();
    const panel = openDelivery(page);
    await panel.getByRole("button", { name: "Copy as curl" }).click();
    await panel.getByRole("button", { name: "Copied" }).waitFor();
    const command = await clipboard(page);
    // Missing parts are in a comment above the command, which a shell skips.
    expect(command).to.match(
      /^# Replace x-key: its value is secret [^\n]*\n# Signed [^\n]*\ncurl -i -X POST /iu,
    );
    expect(command).to.equal(await panel.getByLabel("curl command").innerText());
    receiver.clear();
    await run("sh", ["-c", command]);
    expect(receiver.requests.map(({ text }) => text)).to.deep.equal([sent?.text]);
    expect(receiver.requests[0]?.id).to.equal(sent?.id);

    await panel.getByRole("button", { name: "Copy Event ID" }).click();
    await eventually(async () => (await clipboard(page)) === sent?.id);
    const shown = panel.locator("span").getByText(String(sent?.id), { exact: true });
    await shown.waitFor();
  }).timeout(60_000);

  it("shows relative times, and the exact time with its zone in a tooltip", async () => {
    const webhookId = await fixture.aWebhook();
    await fixture.aTicket();
    await fixture.seeState(webhookId, "delivered", 1);
    await rowsOf(
      fixture.platform.db,
      "UPDATE deliveries SET created_at = ? WHERE subscription_id = ?",
      [new Date(`${daysAgo(10)}T09:30:05Z`), webhookId],
    );
    const page = await fixture.open(`/dashboard/deliveries/log?webhook=${webhookId}`);
    const time = logRows(page).first().getByRole("time");
    const at = inParis({ day: "numeric", month: "short" }, daysAgo(10));
    const clock = `${hourOf(daysAgo(10))}:30:05`;
    const zone = inParis({ timeZoneName: "short" }, daysAgo(10)).split(", ")[1] ?? "";
    // The year appears only if it is not the current one.
    expect(await time.innerText()).to.match(new RegExp(`^${at}(?: \\d{4})?, ${clock}$`, "u"));
    const exact = `${at} ${daysAgo(10).slice(0, 4)}, ${clock} ${zone}`;
    expect(await page.getByText(exact).count()).to.equal(0);
    await time.hover();
    await page.getByText(`${exact} · `).waitFor();
    await screenshot(page, "deliveries-exact-time");
    // The pointer leaves in several steps; one may arrive while the tooltip is opening.
    let x = 0;
    const leaves = async () => {
      x = (x + 7) % 70;
      await page.mouse.move(x, 0);
      expect(await page.getByText(exact).count()).to.equal(0);
    };
    await eventually(leaves, { timeoutMs: 15_000 });
    expect(await time.getAttribute("aria-label")).to.contain(exact);
  }).timeout(60_000);
});
