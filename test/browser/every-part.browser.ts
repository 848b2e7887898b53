import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, screenshots, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { comeBack, control, faultTitles, type Fault } from "../support/failing-calls.ts";

/** A page with parts that fail to load: each shows its error in its own place. */
type InParts = Readonly<{
  path: string;
  fault: Fault;
  /** The requests that succeed. */
  spared: RegExp;
  parts: readonly string[];
}>;

describe("a page of which only some requests succeed", function () {
  this.timeout(300_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  // Superadmins also see the pages of the platform.
  before(() =>
    rowsOf(platform.db, "UPDATE users SET role = 'superadmin' WHERE login = ?", [admin.login]),
  );

  /** A ticket, a meeting and a webhook to show, and the platform's health. */
  const inParts = async (): Promise<readonly InParts[]> => {
    const rest = await platform.rest(admin);
    const make = async (what: string, body: object): Promise<number> =>
      Number((await rest.succeed(`POST ${what}`, { body })).body["id"]);
    const ticketId = await make("/tickets", { agent: agent.login, email: "jane@customer.example" });
    const meetingId = await make("/conferences", {
      name: "Weekly review",
      startTime: new Date(Date.now() + 3_600_000).toISOString(),
      participants: "ann@customer.example",
    });
    const webhookId = await make("/webhooks", {
      url: platform.inboxUrl,
      filters: ["ticket.create"],
    });
    return [
      {
        path: `/tickets/${ticketId}`,
        fault: 500,
        spared: /\/api\/tickets\/\d+$/u,
        parts: [
          ...["Timeline", "Sessions", "Invitation", "Webhook deliveries"],
          ...["Messages", "Files"],
        ],
      },
      {
        path: `/meetings/${meetingId}`,
        fault: "away",
        spared: /\/api\/conferences\/\d+$/u,
        parts: ["Participants", "Chat", "Recordings and files"],
      },
      {
        path: `/settings/webhooks/${webhookId}`,
        fault: 503,
        spared: /\/api\/webhooks\/\d+$/u,
        parts: ["Health", "Latest deliveries"],
      },
    ];
  };

  it("shows an error for each failed part, and each part recovers", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/profile");
    for (const { path, fault, spared, parts } of await inParts()) {
      const answers = await control(page, spared);
      await answers.set("hold");
      await page.goto(`${platform.url}${path}`);
      const part = (name: string) => page.getByRole("main").getByRole("region", { name });
      for (const name of parts) {
        await part(name).locator(".mantine-Skeleton-root:visible").first().waitFor();
      }
      await answers.set(fault);
      for (const name of parts) {
        const alert = part(name).getByRole("alert").first();
        await alert.waitFor();
        expect(await alert.innerText(), `${path} ${name}`).to.contain(faultTitles[fault]);
      }
      await screenshots(page, `parts-fault-${path.split("/").at(-2)}`);
      expect(await findBarriers(page), path).to.deep.equal([]);
      await answers.set("pass");
      await comeBack(page, path);
      for (const name of parts) {
        await part(name)
          .locator(".mantine-Skeleton-root:visible")
          .first()
          .waitFor({ state: "detached" });
      }
      await page.unrouteAll();
    }
  });

  it("shows the health of the platform without its metrics", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/profile");
    const answers = await control(page, /\/platform\/health$/u);
    await answers.set(503);
    await page.goto(`${platform.url}/platform`);
    const main = page.getByRole("main");
    await main.getByRole("alert").getByText(faultTitles[503]).first().waitFor();
    await main.getByText("Relay").first().waitFor();
    await answers.set("pass");
    await comeBack(page, "/platform");
  });

  it("shows a dash with the reason for a missing number until it is available", async () => {
    const rest = await platform.rest(admin);
    await rest.succeed("POST /webhooks", {
      body: { url: platform.inboxUrl, filters: ["ticket.create"], name: "Numberless" },
    });
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/profile");
    const answers = await control(page, /\/api\/webhooks(\/\d+|\/event-types)?$/u);
    await answers.set(500);
    await page.goto(`${platform.url}/settings/webhooks`);
    const row = page.getByRole("row").filter({ hasText: "Numberless" });
    const dashes = row.getByTitle(faultTitles[500]);
    await eventually(async () => (await dashes.count()) === 2);
    expect(await dashes.first().innerText()).to.match(/^–/u);
    expect(await row.locator(".mantine-Skeleton-root").count()).to.equal(0);
    await screenshots(page, "webhooks-no-numbers");
    expect(await findBarriers(page)).to.deep.equal([]);
    await answers.set("pass");
    // Retried automatically, at least every 15 seconds.
    await dashes.first().waitFor({ state: "detached", timeout: 30_000 });
  });

  it("says that the live view is unavailable, and reconnects", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/profile");
    const answers = await control(page);
    await answers.set("hold");
    await page.goto(`${platform.url}/dashboard/deliveries`);
    const main = page.getByRole("main");
    await main.locator(".mantine-Skeleton-root:visible").first().waitFor();
    await answers.set(503);
    await main.getByRole("alert").getByText("No data yet.").waitFor();
    await answers.set("pass");
    await main.getByRole("status").filter({ hasText: "Live" }).waitFor();
    expect(await main.getByRole("alert").count()).to.equal(0);
    const waiting = main.locator(".mantine-Skeleton-root:visible");
    await eventually(async () => (await waiting.count()) === 0);
  });
});
