import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { screenshots } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { isLive, liveView, useLiveView } from "../support/live-view.ts";

const slow = { timeoutMs: 20_000, everyMs: 100 };

describe("the numbers of the live view", () => {
  const { platform, incoming, aWebhook, someTickets, open } = useLiveView();

  /** The texts of a tile in one line: "Past due Late 3 deliveries oldest: 4m Show". */
  const tile = async (page: Page, name: string): Promise<string> =>
    (await page.getByRole("group", { name, exact: true }).innerText()).replaceAll(/\s+/gu, " ");

  const seesTile = (page: Page, name: string, text: RegExp): Promise<unknown> =>
    eventually(async () => expect(await tile(page, name)).to.match(text), {
      ...{ timeoutMs: 30_000, everyMs: 200 },
    });

  it("show how many deliveries wait, how many are late, and since when", async () => {
    const page = await open();
    await isLive(page);
    await seesTile(page, "Queued", /^Queued None 0 deliveries 0 in flight$/u);
    await seesTile(page, "Past due", /^Past due None 0 deliveries nothing past due$/u);
    const { receiver } = incoming;
    const id = await aWebhook("Billing", { maxInFlight: 1 });
    await someTickets(1);
    await receiver.sees(1);
    const states = () =>
      rowsOf<{ state: string }>(
        platform.db,
        "SELECT state FROM deliveries WHERE subscription_id = ? ORDER BY sequence",
        [id],
      );
    await eventually(async () => (await states())[0]?.state === "delivered");
    // The concurrency window of one request is in use, so the next delivery waits.
    await rowsOf(
      platform.db,
      `UPDATE deliveries SET state = 'sending', ended_at = NULL,
         lease_until = now() + interval '1 hour' WHERE subscription_id = ?`,
      [id],
    );
    await someTickets(3);
    await eventually(async () => (await states()).length === 4);
    await rowsOf(
      platform.db,
      `UPDATE deliveries SET due_at = now() - interval '4 minutes'
       WHERE subscription_id = ? AND state = 'pending'`,
      [id],
    );
    await seesTile(page, "Queued", /^Queued Behind 3 deliveries 1 in flight$/u);
    await seesTile(
      page,
      "Past due",
      /^Past due Late 3 deliveries 0 at failing receivers · 3 on our side oldest: 4m( \d+s)? Show$/u,
    );
    await page.getByRole("row").filter({ hasText: "Billing" }).getByText("Behind").waitFor();
    await screenshots(page, "live-late");
    await page.getByRole("group", { name: "Past due" }).getByRole("link", { name: "Show" }).click();
    await page.waitForURL(/log\?status=pending/u);
    await page.getByText("4 deliveries", { exact: true }).waitFor();
  }).timeout(90_000);

  it("show the share of failures, and how many deliveries failed since midnight", async () => {
    const page = await open();
    await isLive(page);
    const deadBefore = Number(/(\d+) deliver/u.exec(await tile(page, "Failed today"))?.[1]);
    const { receiver } = incoming;
    receiver.answerWith([500]);
    // Without retries, a failed delivery is dead immediately.
    const id = await aWebhook("Billing", { retrySchedule: [] });
    let made = 0;
    await eventually(
      async () => {
        if (made < 6) {
          made += 1;
          await someTickets(1);
        }
        expect(await tile(page, "Delivered")).to.match(/\d+% failing .*[\d.]+ ?\/s .*\/s failing/u);
      },
      { timeoutMs: 30_000, everyMs: 300 },
    );
    const dead = async (): Promise<number> =>
      (
        await rowsOf(
          platform.db,
          "SELECT 1 FROM deliveries WHERE subscription_id = ? AND state = 'dead'",
          [id],
        )
      ).length;
    await eventually(async () => (await dead()) === made, { timeoutMs: 15_000 });
    const number = deadBefore + made;
    const texts = new RegExp(
      `^Failed today Needs attention ${number} deliver(y|ies) since midnight, as of .* Show$`,
      "u",
    );
    await seesTile(page, "Failed today", texts);
    await page
      .getByRole("group", { name: "Failed today" })
      .getByRole("link", { name: "Show" })
      .click();
    await page.waitForURL((url) => url.searchParams.get("status") === "dead");
    expect(new URL(page.url()).searchParams.get("period")).to.equal("today");
  }).timeout(90_000);

  const chart = (page: Page, name: string) => page.getByRole("figure", { name });

  /** The cells of all rows with values in a chart's table. */
  const measured = async (page: Page, name: string): Promise<string[][]> => {
    const rows = await chart(page, name).getByRole("row").allInnerTexts();
    const cells = rows.slice(1).map((row) => row.split("\t").map((cell) => cell.trim()));
    return cells.filter(([, value]) => value !== "–" && value !== "0");
  };

  const msOf = (shown = ""): number =>
    Number.parseFloat(shown) * (/\d\s?ms$/u.test(shown) ? 1 : 1_000);

  it("draw the percentiles of the latency live", async () => {
    const { receiver } = incoming;
    receiver.answerWith([{ status: 200, delayMs: 700 }]);
    await aWebhook("Slow");
    const page = await open();
    await isLive(page);
    await someTickets(4);
    await receiver.sees(4);
    const latency = chart(page, "Latency");
    const walk = latency.getByRole("slider", { name: "Latency" });
    await eventually(async () => {
      const records = (await latency.innerText()).replaceAll(/\s+/gu, " ");
      expect(records).to.match(/event to receiver · log scale · CES?T p50 p95 p99/u);
      expect(await walk.getAttribute("aria-valuetext")).to.match(/: p50 .*, p95 .*, p99 .*$/u);
    }, slow);
    await latency.getByRole("button", { name: "Show as table" }).click();
    await eventually(async () => {
      const rows = await measured(page, "Latency");
      expect(rows.map(([, , , p99]) => msOf(p99)).filter((ms) => ms >= 500)).not.to.have.length(0);
      for (const [time, ...values] of rows) {
        const [p50 = NaN, p95 = NaN, p99 = NaN] = values.map(msOf);
        expect(p50, time).to.be.within(1, p95);
        expect(p99, time).to.be.within(p95, 30_000);
      }
    }, slow);
  }).timeout(60_000);

  it("draw the stored percentiles of a longer period", async () => {
    // 100 deliveries: 90 took 46 to 64 ms, 8 took 0.7 to 1.02 s, and 2 took 2.9 to 4.1 s.
    const latencies = Array.from({ length: 25 }, () => 0);
    [latencies[12], latencies[20], latencies[24]] = [90, 8, 2];
    await rowsOf(
      platform.db,
      `INSERT INTO delivery_tallies (subscription_id, enterprise_id, step, at, delivered, failed,
         retried, dead, latencies)
       SELECT id, enterprise_id, 600, to_timestamp(floor(extract(epoch FROM now()) / 600) * 600)
         - interval '3 hours', 100, 7, 5, 2, ?::integer[]
       FROM subscriptions WHERE name = 'Inbox'`,
      [latencies],
    );
    const page = await open(`${liveView}?period=day`);
    const walk = chart(page, "Latency").getByRole("slider", { name: "Latency" });
    await walk.waitFor();
    await page.getByText(/p99: last .*, maximum 3\.5s/u).waitFor({ state: "attached" });
    for (const name of ["Latency", "Results"]) {
      await chart(page, name).getByRole("button", { name: "Show as table" }).click();
    }
    const shownLatencies = (await measured(page, "Latency")).at(-1) ?? [];
    expect(shownLatencies.slice(1).map((cell) => cell.replaceAll(/\s/gu, " "))).to.deep.equal([
      ...["56 ms", "912 ms", "3.5s"],
    ]);
    const results = await measured(page, "Results");
    expect(results.find(([time]) => time === shownLatencies[0])?.slice(1)).to.deep.equal([
      "100",
      "5",
      "2",
    ]);
    await screenshots(page, "live-day");
  });
});
