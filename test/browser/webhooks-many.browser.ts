import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { findBarriers, phone, screenshot, screenshots, seeFits } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { isNight } from "../support/night.ts";
import { webhooksPath, useWebhooksFixture } from "../support/webhooks-fixture.ts";

describe("many webhooks in the console", () => {
  const { platform, incoming, aWebhook, aTicket, open } = useWebhooksFixture();
  const parts = (page: Page) => page.getByRole("navigation", { name: "Webhook sections" });

  const health = (id: number, columns: string): Promise<unknown> => {
    const sql = `UPDATE subscription_health SET ${columns} WHERE subscription_id = ?`;
    return rowsOf(platform.db, sql, [id]);
  };

  const many = async (): Promise<number> => {
    const { url } = incoming.receiver;
    const crm = await aWebhook({
      ...{ name: "CRM", url, active: true, signatures: ["v1", "v1a"], maxPerSecond: 50 },
      ...{ headers: [{ name: "X-Key", value: "s3cret" }], conditions: { "props.state": "new" } },
      filters: ["ticket.*", "media.create", "conversationevent.create:media.OCRDone"],
    });
    await aWebhook({
      name: "Facturation et comptabilité analytique du groupe, région Sud-Est",
      ...{ url: `${url}/a/very/long/path/with/many/parts/to/see/whether/it/is/cut` },
      ...{ active: true, filters: ["*"], ordered: true, retrySchedule: [10, 60, 3_600] },
    });
    const erp = await aWebhook({
      ...{ name: "Legacy ERP", url: "https://erp.example.com/in", active: true },
      filters: ["media.*"],
    });
    await health(
      erp.id,
      `failing_since = now() - interval '2 hours', failures_in_row = 12,
       last_failure_at = now(), probe_at = now() + interval '1 minute',
       failure = 'timeout_response'`,
    );
    const gone = await aWebhook({ name: "Portal", url: "https://p.example.com", active: true });
    await rowsOf(
      platform.db,
      "UPDATE subscriptions SET is_active = false, disabled_reason = 'gone' WHERE id = ?",
      [gone.id],
    );
    await health(gone.id, "last_failure_at = now() - interval '3 hours'");
    await aWebhook({ name: "Desktop", mode: "pull", active: true, filters: ["smsmessage.*"] });
    await aTicket();
    return crm.id;
  };

  /** The right edges of the numbers in a column. */
  const rightEdges = (page: Page, column: string): Promise<number[]> =>
    page.evaluate(`(() => {
      const heads = [...document.querySelectorAll("thead th")];
      const at = heads.findIndex((head) => head.textContent.includes(${JSON.stringify(column)}));
      const numbers = document.querySelectorAll("tbody td:nth-child(" + (at + 1) + ") p");
      return [...numbers].map((one) => Math.round(one.getBoundingClientRect().right));
    })()`);

  it("sorts failing ones first, with aligned numbers", async () => {
    await many();
    const page = await open(webhooksPath);
    await page.getByText("Unreachable (time-out)").first().waitFor();
    const names = await page.getByRole("row").getByRole("link").allTextContents();
    expect(names.slice(0, 2)).to.deep.equal(["Portal", "Legacy ERP"]);
    await page.getByText("Disabled: the receiver responded 410").first().waitFor();
    await eventually(async () => {
      const edges = await rightEdges(page, "Last 24 h");
      expect(edges).to.have.length.at.least(5);
      expect(new Set(edges).size, edges.join(", ")).to.equal(1);
    });
    await screenshots(page, "webhooks-list");
    expect(await findBarriers(page)).to.deep.equal([]);
  }).timeout(60_000);

  if (isNight) {
    it("is complete in French, in dark mode and on a phone", async () => {
      const id = await many();
      const page = await open(webhooksPath, { language: "fr", colors: "dark", viewport: phone });
      await page.getByText("Injoignable (délai dépassé)").first().waitFor();
      await seeFits(page);
      await screenshot(page, "webhooks-list-fr-dark-phone");
      expect(await findBarriers(page)).to.deep.equal([]);
      await page.goto(`${platform.url}${webhooksPath}/${id}?tab=settings`);
      await page.getByRole("button", { name: "Afficher l’aperçu" }).click();
      await page.getByText(/événements correspondent/u).waitFor();
      await page.goto(`${platform.url}${webhooksPath}/${id}`);
      await page.getByText("Dernières livraisons").waitFor();
      await seeFits(page);
      await screenshots(page, "webhooks-one-fr-dark");
      expect(await findBarriers(page)).to.deep.equal([]);
      await page.setViewportSize({ width: 320, height: 640 });
      await seeFits(page); // after the menu has slid out
      await page.goto(`${platform.url}${webhooksPath}/${id}/edit`);
      await page.getByText(/événements correspondent/u).waitFor();
      await seeFits(page);
      await screenshot(page, "webhooks-edit-fr-dark-320");
      expect(await findBarriers(page)).to.deep.equal([]);
    }).timeout(90_000);
  }

  it("has one page per webhook, with all its details", async () => {
    const id = await many();
    const page = await open(`${webhooksPath}/${id}?tab=settings`);
    await page.getByText("ticket.*, media.create").waitFor();
    await parts(page).getByRole("link", { name: "Signing" }).click();
    await page.getByText("whpk_").first().waitFor();
    await page.getByRole("button", { name: "Show samples" }).click();
    await page.getByText("Python", { exact: true }).click();
    await page.getByText("def is_genuine(headers, body, secrets):").waitFor();
    await screenshots(page, "webhooks-one");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.goto(`${platform.url}${webhooksPath}/new`);
    await page.getByText(/^Everything \*/u).click();
    await page.getByText(/^\d+ of the last/u).waitFor();
    await screenshots(page, "webhooks-new");
    expect(await findBarriers(page)).to.deep.equal([]);
  }).timeout(90_000);
});
