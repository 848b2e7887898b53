import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { findBarriers, screenshots } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { webhooksPath, useWebhooksFixture } from "../support/webhooks-fixture.ts";

const slow = { timeoutMs: 20_000 };

describe("a webhook whose receiver was repaired", function () {
  this.timeout(90_000);
  const { platform, incoming, rest, aWebhook, aTicket, open } = useWebhooksFixture();

  /** A webhook to the test's receiver, with one failed delivery for each of these tickets. */
  const aFailedWebhook = async (tickets: number, retrySchedule: readonly number[]) => {
    const { receiver } = incoming;
    receiver.answerWith([500]);
    const { id } = await aWebhook({
      ...{ name: "CRM", url: receiver.url, active: true, filters: ["ticket.create"] },
      retrySchedule,
    });
    for (let n = 0; n < tickets; n += 1) {
      await aTicket();
    }
    const status = retrySchedule.length === 0 ? "dead" : "retry";
    await eventually(
      async () => {
        const { body } = await rest().succeed(`GET /webhooks/${id}/deliveries?status=${status}`);
        expect(body["total"]).to.equal(tickets);
      },
      { timeoutMs: 20_000 },
    );
    receiver.answerWith([200]);
    receiver.clear();
    return id;
  };

  it("is probed at once with its first waiting delivery if its circuit is open", async () => {
    const id = await aFailedWebhook(2, [3_600, 3_600]);
    await rowsOf(
      platform.db,
      `UPDATE subscription_health SET failing_since = now() - interval '1 hour',
         failures_in_row = 12, last_failure_at = now(), probe_at = now() + interval '1 hour',
         failure = '5xx' WHERE subscription_id = ?`,
      [id],
    );
    const page = await open(`${webhooksPath}/${id}`);
    await page
      .getByText("The receiver keeps failing, so we paused its deliveries", { exact: false })
      .waitFor();
    await screenshots(page, "webhooks-paused");
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(incoming.receiver.requests).to.have.length(0);

    // Due deliveries wait for the probe, and the log shows this.
    const late =
      "UPDATE deliveries SET due_at = now() - interval '1 minute' WHERE subscription_id = ?";
    await rowsOf(platform.db, late, [id]);
    await page.goto(`${platform.url}/dashboard/deliveries/log?webhook=${id}`);
    await page.getByText("due", { exact: true }).first().waitFor();
    await page.locator("[data-delivery]").first().click();
    await page.getByText("only probes are sent, one at a time", { exact: false }).waitFor();

    await page.goto(`${platform.url}${webhooksPath}/${id}`);
    const probes: string[] = [];
    page.on("request", (request) => {
      probes.push(...(request.url().endsWith("/probe") ? [request.url()] : []));
    });
    await page.getByRole("button", { name: "Probe now" }).dblclick();
    await incoming.receiver.sees(1, slow);
    expect(probes).to.have.length(1);
    const last = page.getByRole("table", { name: "Latest deliveries" });
    await last.getByText("Delivered").first().waitFor();
  });

  it("gets all deliveries since its first failure, in one step", async () => {
    const id = await aFailedWebhook(2, []);
    // Simulates a receiver that hung: the first attempt failed long after its event.
    const sql = "UPDATE subscription_health SET failing_since = now() WHERE subscription_id = ?";
    await rowsOf(platform.db, sql, [id]);
    const lost = await rest().succeed(`GET /webhooks/${id}/deliveries?status=dead`);
    const page = await open(`${webhooksPath}/${id}`);
    await page.getByRole("button", { name: "Recover…" }).click();
    const dialog = page.getByRole("dialog", { name: "Recover lost deliveries" });
    await dialog.getByText("2 events that never arrived will be delivered").waitFor();
    await screenshots(page, "webhooks-recover");
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole("button", { name: "Recover", exact: true }).click();
    await page.waitForURL(/\/dashboard\/deliveries\/replays\?/u);
    await incoming.receiver.sees(2, slow);
    const events = (lost.body["data"] as { event_id: string }[]).map((one) => one.event_id);
    expect(incoming.receiver.requests.map((one) => one.id)).to.have.members(events);
  });

  it("links back to the list if the webhook does not exist", async () => {
    const page = await open(`${webhooksPath}/undefined`);
    const heading = page.getByRole("heading", { name: "Page not found", level: 1 });
    await heading.waitFor();
    await page.goto(new URL(`${webhooksPath}/999999`, page.url()).href);
    await heading.waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).to.equal(0);
    await page.getByRole("link", { name: "Back to Webhooks" }).click();
    await page.waitForURL(/\/settings\/webhooks$/u);
  });
});
