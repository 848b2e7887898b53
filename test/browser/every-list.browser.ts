import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, seeFits, phone, screenshots, useBrowser } from "../support/browser.ts";
import { isNight } from "../support/night.ts";
import { comeBack, control, faultTitles, requestId, type Fault } from "../support/failing-calls.ts";

/** Every page with a list, and the failure with which its request is tested. */
const lists: readonly (readonly [path: string, fault: Fault])[] = [
  ["/tickets", 503],
  ["/meetings", 500],
  ["/rooms", 503],
  ["/messages", "away"],
  ["/statistics", 503],
  ["/statistics?tab=meetings", 500],
  ["/dashboard/deliveries/log", 500],
  ["/dashboard/deliveries/replays", 503],
  ["/settings/webhooks", "away"],
  ["/settings/company", 500],
  ["/settings/users", 503],
  ["/settings/groups", 500],
  ["/settings/services", "away"],
  ["/settings/templates", 500],
  ["/settings/domains", 500],
  ["/settings/tokens", 503],
  ["/settings/audit", 500],
  ["/settings/profile", "away"],
  ["/platform", 503],
  ["/platform/enterprises", 500],
  ["/dashboard/explain?q=4711", 503],
  ["/search?q=4711", 500],
];

/** A sample of each failure; all of them in the nightly run. */
const walked = lists.filter(([path], at) => isNight || path === "/tickets" || at % 3 === 2);

/** The text of an empty list, and the action that it offers. */
const empty: readonly (readonly [path: string, title: string, what: string | RegExp])[] = [
  ["/tickets", "No tickets yet", "Invite a customer"],
  ["/meetings", "No meetings yet", "Schedule one, and its guests get the link by email or SMS."],
  ["/rooms", "No calls right now", /^A room appears here as soon as/u],
  ["/messages", "No messages yet", /^Invitations, reminders and the messages that you send/u],
  ["/settings/webhooks", "No webhooks yet", "New webhook"],
  ["/settings/domains", "No domains allowed yet", /^Add the domain of your CRM/u],
  ["/settings/tokens", "No tokens yet", "Programs that call the API need one."],
  ["/dashboard/deliveries/replays", "No replays yet", /^After an outage of a receiver/u],
  ["/statistics?tab=meetings", "No sessions ended in this period", /^A session starts when/u],
];

describe("every list of the console", function () {
  this.timeout(300_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  // Superadmins also see the pages of the platform.
  before(() =>
    rowsOf(platform.db, "UPDATE users SET role = 'superadmin' WHERE login = ?", [admin.login]),
  );

  /** Opens the pages one after the other while their data cannot be loaded. */
  const walk = async (page: Page, some: typeof lists): Promise<void> => {
    const answers = await control(page);
    const main = page.getByRole("main");
    for (const [path, fault] of some) {
      await answers.set("hold");
      await page.goto(`${platform.url}${path}`);
      await main.locator(".mantine-Skeleton-root:visible").first().waitFor();
      expect(await main.getByRole("alert").count(), path).to.equal(0);

      await answers.set(fault);
      const alert = main.getByRole("alert").first();
      await alert.waitFor();
      expect(await alert.innerText(), path).to.contain(faultTitles[fault]);
      expect((await alert.innerText()).includes(requestId), path).to.equal(fault !== "away");
      if (path === "/tickets") {
        await screenshots(page, "list-fault");
        expect(await findBarriers(page)).to.deep.equal([]);
      }

      await answers.set("pass");
      await comeBack(page, path);
      await main.locator(".mantine-Skeleton-root:visible").first().waitFor({ state: "detached" });
    }
  };

  it("shows a skeleton while it loads, an error if it fails, and recovers with one click", async () => {
    const first = await browser.open();
    await platform.signIn(first, admin, "/settings/profile");
    const pages = [first, await browser.openBeside(first), await browser.openBeside(first)];
    // In parallel, because each waits a long time for the page's third request.
    await Promise.all(
      pages.map((page, n) =>
        walk(
          page,
          walked.filter((_, at) => at % pages.length === n),
        ),
      ),
    );
  });

  it("shows an empty state with the next step, even on a phone", async () => {
    const rest = await platform.rest(admin);
    const { body } = await rest.succeed("GET /webhooks");
    for (const { id } of body["data"] as { id: number }[]) {
      await rest.succeed(`DELETE /webhooks/${id}`);
    }
    const page = await browser.open({ viewport: { ...phone, width: 320 } });
    await platform.signIn(page, admin, "/settings/profile");
    for (const [path, title, what] of empty) {
      await page.goto(`${platform.url}${path}`);
      const main = page.getByRole("main");
      await main.getByText(title, { exact: true }).first().waitFor();
      expect(await main.getByText(what).count(), path).to.be.greaterThan(0);
      await seeFits(page, path);
      expect(await findBarriers(page), path).to.deep.equal([]);
    }
  });
});
