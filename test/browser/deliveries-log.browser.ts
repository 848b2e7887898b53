import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { watchTasks } from "../../bench/support/page-tasks.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { desktop, findBarriers, seeFits, phone, screenshots } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { isNight } from "../support/night.ts";
import { logRows, openDelivery, useDeliveriesFixture } from "./deliveries-fixture.ts";

const run = promisify(execFile);

/**
 * Quickly inserts any number of ended rows and their events. A million rows cover 23 days, because
 * rows older than 30 days would be deleted during the test.
 */
const manyRows = `
  WITH made AS (
    SELECT n, now() - (n * interval '2 seconds') AS at FROM generate_series(:from::int, :to::int, -1) AS n
  ), of_event AS (
    INSERT INTO events (occurred_at, event_id, enterprise_id, object, event, object_id, key, body)
    SELECT at, 'evt_many_' || n, :enterpriseId, 'ticket', 'update', (n % 5000)::text,
      'ticket:' || (n % 5000), '{"event":"update","object":"ticket","props":{"state":"new"}}'
    FROM made ORDER BY n DESC RETURNING id, occurred_at, key
  ), numbered AS (
    SELECT *, row_number() OVER (ORDER BY id) AS sequence FROM of_event
  )
  INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object, key,
    state, attempts, due_at, created_at, ended_at, last_result)
  SELECT :enterpriseId, :webhookId, sequence + :after::bigint, id, occurred_at, 'ticket', key,
    CASE WHEN sequence % 400 = 0 THEN 'dead' ELSE 'delivered' END, 1, occurred_at, occurred_at,
    occurred_at, CASE WHEN sequence % 400 = 0 THEN '5xx' ELSE '2xx' END
  FROM numbered ORDER BY sequence`;

/**
 * For more rows: `LOG_ROWS=1000000 npm run test:file -- test/browser/deliveries-log.browser.ts`.
 */
const count = Number(process.env["LOG_ROWS"] ?? (isNight ? 200_000 : 6_000));
/** Time limit from opening the address to readable rows, for any number of rows. */
const mostMs = 3_000;
/** Small enough that a single INSERT stays below the statement time-out. */
const chunk = 20_000;

describe("the delivery log in the console", () => {
  const fixture = useDeliveriesFixture();

  it("shows why a receiver failed and what was sent, and replays the delivery after the repair", async function () {
    this.timeout(90_000);
    const { receiver } = fixture;
    receiver.answerWith([{ status: 500, body: '{"error":"no room left on /var"}' }]);
    const webhookId = await fixture.aWebhook();
    const ticketId = await fixture.aTicket();
    await fixture.aTicket();
    await fixture.seeState(webhookId, "dead", 2);

    const page = await fixture.open("/dashboard/deliveries/log");
    await page.getByRole("button", { name: "Only failures" }).click();
    await page.waitForURL(/failures=1/u);
    await logRows(page)
      .filter({ hasText: String(ticketId) })
      .first()
      .click();
    const panel = openDelivery(page);
    await panel.getByText("The receiver failed to process the request (500)").waitFor();
    await panel.getByText("no room left on /var").waitFor();
    await panel.getByText("••••").first().waitFor();
    await panel.getByText("ticket.*").waitFor();
    await screenshots(page, "deliveries-failed");
    expect(await findBarriers(page)).to.deep.equal([]);

    // The displayed command sends exactly this request.
    await panel.getByRole("button", { name: "Copy as curl" }).click();
    const command = await panel.getByLabel("curl command").innerText();
    const [sent] = receiver.requests.filter(({ text }) => text.includes(String(ticketId)));
    receiver.answerWith([204]);
    receiver.clear();
    await run("sh", ["-c", command]);
    const [again] = receiver.requests;
    expect(again?.text).to.equal(sent?.text);
    const without = (headers: Record<string, unknown> = {}) =>
      Object.fromEntries(
        Object.entries(headers).filter(
          ([name]) => !["connection", "x-key", "accept-encoding"].includes(name),
        ),
      );
    expect(without(again?.headers)).to.deep.equal(without(sent?.headers));
    expect(Buffer.from(String(again?.headers["x-key"]), "latin1").toString()).to.equal("••••");

    // Replays one delivery from its detail panel.
    receiver.clear();
    await panel.getByRole("button", { name: "Replay this delivery" }).click();
    await panel.getByText("Delivered to CRM on the first attempt.").waitFor();
    expect(receiver.requests.map(({ text }) => text)).to.deep.equal([sent?.text]);
    expect(receiver.requests[0]?.headers["webhook-replay"]).to.equal("true");

    // Replays the rest by the filters of the log, counted before anything is sent.
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Replay these deliveries" }).click();
    const form = page.getByRole("dialog", { name: "New replay" });
    await form.getByRole("combobox", { name: "To" }).click();
    await page.getByRole("option", { name: "CRM" }).click();
    await form.getByText("Replay 1 delivery to CRM at 50 per second, about 1s").waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "deliveries-new-replay");
    await form.getByRole("button", { name: "Replay 1" }).click();
    const replay = page.getByRole("dialog", { name: /^Replay \d+$/u });
    await replay.getByText("Done").waitFor();
    await replay.getByRole("progressbar").and(page.locator("[aria-valuenow='100']")).waitFor();
    await replay.getByText("1 of 1 created").waitFor();
    await receiver.sees(2);
    expect(await findBarriers(page)).to.deep.equal([]);
    await replay.getByRole("link", { name: "View deliveries in the log" }).click();
    await page.waitForURL(/log\?replay=\d+/u);
    await eventually(async () => (await logRows(page).count()) === 1);
    await logRows(page).getByTitle("204", { exact: true }).waitFor();
  });

  it("keeps filters in the address over a reload, offers newer rows, and opens them by keyboard", async function () {
    this.timeout(60_000);
    const webhookId = await fixture.aWebhook();
    const tickets = [await fixture.aTicket(), await fixture.aTicket(), await fixture.aTicket()];
    await fixture.seeState(webhookId, "delivered", 3);

    const page = await fixture.open(
      `/dashboard/deliveries/log?webhook=${webhookId}&status=delivered`,
    );
    await eventually(async () => (await logRows(page).count()) === 3);
    await page.getByText("3 deliveries").waitFor();
    await page.reload();
    await eventually(async () => (await logRows(page).count()) === 3);
    await page.getByRole("button", { name: /^Webhook\s*CRM$/u }).waitFor();
    await page.getByRole("button", { name: /^Status\s*Delivered$/u }).waitFor();

    // New rows are offered, and the visible rows keep their position.
    const newest = await fixture.aTicket();
    await page.getByRole("button", { name: "Show 1 newer" }).waitFor();
    expect(await logRows(page).first().innerText()).to.contain(String(tickets[2]));
    await page.getByRole("button", { name: "Show 1 newer" }).click();
    await eventually(async () =>
      (await logRows(page).first().innerText()).includes(String(newest)),
    );

    // By keyboard: enter the list, move down, open, next, back.
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const panel = openDelivery(page);
    await panel.getByText(`Ticket created · Ticket ${tickets[2]}`).waitFor();
    expect(new URL(page.url()).searchParams.get("delivery")).to.match(/^\d+$/u);
    await page.keyboard.press("j");
    await panel.getByText(`Ticket created · Ticket ${tickets[1]}`).waitFor();
    await page.keyboard.press("k");
    await panel.getByText(`Ticket created · Ticket ${tickets[2]}`).waitFor();
    await page.reload();
    await openDelivery(page).getByText(`Ticket created · Ticket ${tickets[2]}`).waitFor();
    await page.keyboard.press("Escape");
    await openDelivery(page).waitFor({ state: "detached" });
    expect(new URL(page.url()).search).to.equal(`?webhook=${webhookId}&status=delivered`);

    // A filter is added to the URL, and removed by one click.
    await page.getByRole("button", { name: "Result", exact: true }).click();
    await page.getByRole("checkbox", { name: "5xx" }).check();
    await page.keyboard.press("Escape");
    await page.getByText("No matching deliveries").waitFor();
    expect(new URL(page.url()).searchParams.get("result")).to.equal("5xx");
    await page.getByRole("button", { name: "Remove: Result" }).click();
    await eventually(async () => (await logRows(page).count()) === 4);
    await page.getByRole("button", { name: "Clear all" }).click();
    await page.waitForURL((url) => url.search === "");
  });

  it("stays fast with any number of rows, and renders only those on the screen", async function () {
    this.timeout(900_000);
    const webhookId = await fixture.aWebhook({ active: false });
    const [{ enterprise_id: enterpriseId } = { enterprise_id: 0 }] = await rowsOf<{
      enterprise_id: number;
    }>(fixture.platform.db, "SELECT enterprise_id FROM subscriptions WHERE id = ?", [webhookId]);
    for (let after = 0; after < count; after += chunk) {
      const bounds = { from: count - after, to: Math.max(1, count - after - chunk + 1), after };
      await fixture.platform.db.raw(manyRows, { ...bounds, enterpriseId, webhookId });
    }
    await fixture.platform.db.raw("ANALYZE deliveries, events");

    const page = await fixture.open("/dashboard/explain");
    const timed = async (path: string, shown: string | RegExp): Promise<number> => {
      const began = performance.now();
      const search = `webhook=${webhookId}${path}`;
      await page.goto(`${fixture.platform.url}/dashboard/deliveries/log?${search}`);
      await logRows(page).first().waitFor();
      const took = performance.now() - began;
      await page.getByText(shown).waitFor();
      return took;
    };
    const number = (value: number): string => new Intl.NumberFormat("en").format(value);
    const total = count > 100_000 ? "More than 100,000 deliveries" : `${number(count)} deliveries`;
    const times = { all: await timed("", total), dead: 0, text: 0 };
    await screenshots(page, "deliveries-log");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.setViewportSize(phone);
    await seeFits(page);
    expect(await logRows(page).first().getByRole("cell").count()).to.equal(1);
    await page.setViewportSize(desktop);
    const deepest = async (): Promise<number> =>
      Number(await logRows(page).last().getAttribute("aria-rowindex"));
    const { longestMs } = await watchTasks(page, () =>
      // Scrolling has to wait until the next rows are loaded.
      eventually(
        async () => {
          await page.mouse.wheel(0, 1_500);
          expect(await deepest()).to.be.at.least(1_500);
        },
        { timeoutMs: 90_000 },
      ),
    );
    const drawn = await logRows(page).count();
    expect(drawn).to.be.lessThan(80);

    // A rare match is found, too.
    times.dead = await timed("&status=dead", `${number(Math.floor(count / 400))} deliveries`);
    times.text = await timed("&text=object", /More than 5,00\d deliveries/u);
    if (count > 6_000) {
      // oxlint-disable-next-line no-console -- prints the measurements of manual runs
      console.log({ count, longestTaskMs: longestMs, drawnRows: drawn, firstRowsMs: times });
    }
    // A measurement on a busy machine says nothing about the page.
    if (isNight) {
      expect(longestMs).to.be.within(1, 300);
      for (const [question, took] of Object.entries(times)) {
        expect(took, `${question} of ${count} rows`).to.be.within(1, mostMs);
      }
    }
  });

  it("shows the URL of an attempt, even after the webhook's URL was changed", async () => {
    const webhookId = await fixture.aWebhook();
    await fixture.aTicket();
    await fixture.seeState(webhookId, "delivered", 1);
    const before = new URL(fixture.receiver.url).origin;
    const path = `/dashboard/deliveries/log?webhook=${webhookId}`;
    const request = async (page: Page) => {
      await page.locator("[data-delivery]").first().click();
      const panel = openDelivery(page);
      await panel.getByText(/^POST http/u).waitFor();
      await panel.getByRole("button", { name: /curl/u }).click();
      await panel.getByLabel(/curl/u).and(panel.locator("pre")).waitFor();
      return panel;
    };
    const page = await fixture.open(path);
    // A change of another setting does not count as a change of the URL.
    const change = `PATCH /webhooks/${webhookId}`;
    await fixture.rest().succeed(change, { body: { name: "Elsewhere" } });
    const same = await request(page);
    await same.getByText(`POST ${before}`, { exact: true }).waitFor();
    expect(await same.getByText(/address/u).count()).to.equal(0);

    const url = "https://elsewhere.example.com/in";
    await fixture.rest().succeed(change, { body: { url, headers: [] } });
    await page.goto(`${fixture.platform.url}${path}`);
    const then = await request(page);
    await then.getByText(`POST ${before}`, { exact: true }).waitFor();
    await then.getByText("The webhook’s URL at that time. It has changed since.").waitFor();
    await then.getByText(/the command uses its current URL/u).waitFor();
    expect(await then.getByLabel("curl command").innerText()).to.contain(url);
    await screenshots(page, "deliveries-address-then");

    // Does not depend on the permission to read the changed values.
    const other = await fixture.openWithout("audit.read", path, { language: "fr" });
    const french = await request(other);
    await french.getByText(`POST ${before}`, { exact: true }).waitFor();
    await french.getByText(/la commande utilise son URL actuelle/u).waitFor();
    expect(await findBarriers(other)).to.deep.equal([]);
  }).timeout(90_000);

  it("offers no retry or replay to read-only users", async function () {
    this.timeout(60_000);
    const { receiver } = fixture;
    receiver.answerWith([500]);
    const webhookId = await fixture.aWebhook();
    await fixture.aTicket();
    await fixture.seeState(webhookId, "dead", 1);

    const path = "/dashboard/deliveries/log?status=dead";
    const page = await fixture.openWithout("webhooks.write", path);
    await logRows(page).first().click();
    await openDelivery(page)
      .getByText(/The receiver failed/u)
      .waitFor();
    await logRows(page).first().getByRole("checkbox").check();
    await page.getByText("1 selected").waitFor();
    expect(
      await page.getByText(/Replay this delivery|Replay these|Replay selected|Retry now/u).count(),
    ).to.equal(0);
    await page.goto(`${fixture.platform.url}/dashboard/deliveries/replays?make=1`);
    await page.getByText("Past and running replays.").waitFor();
    expect(await page.getByRole("button", { name: "New replay" }).count()).to.equal(0);
    expect(await page.getByRole("dialog").count()).to.equal(0);
  });
});
