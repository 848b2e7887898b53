import { expect } from "chai";
import type { Page, Route } from "playwright-core";
import { admin, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, isCut, phone, screenshots, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";

type Fault = 500 | 503 | "away";

/** Every page that lists something, and how its data cannot be had. */
const lists: readonly (readonly [path: string, fault: Fault])[] = [
  ["/tickets", 503],
  ["/meetings", 500],
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
];

/** What a list says that has nothing to show yet, and what somebody can do about it. */
const empty: readonly (readonly [path: string, title: string, what: string | RegExp])[] = [
  ["/tickets", "No tickets yet", "Invite a customer"],
  ["/meetings", "No meeting yet", "Plan one, and its guests get the link by mail or SMS."],
  ["/messages", "Nothing was sent yet", /^Invitations, reminders and what you send yourself/u],
  ["/settings/webhooks", "No webhook yet", "New webhook"],
  ["/settings/domains", "No other site may show our pages", /^Add the domain of your CRM/u],
  ["/settings/tokens", "No tokens", "Programs that call the API need one."],
  ["/dashboard/deliveries/replays", "Nothing was replayed yet", /^When a receiver was down/u],
  ["/statistics?tab=meetings", "No session ended in this period", /^Sessions begin when/u],
];

const titles: Readonly<Record<Fault, string>> = {
  500: "A fault of the service.",
  503: "A part of the service does not answer.",
  away: "The platform cannot be reached.",
};

const requestId = "0b5d1a52-6a0e-4c5e-9d0e-3a1f5c7e9b11";

const failWith = (route: Route, fault: Fault): Promise<void> =>
  fault === "away"
    ? route.abort("connectionrefused")
    : route.fulfill({
        status: fault,
        contentType: "application/problem+json",
        body: JSON.stringify({
          ...{ status: fault, code: fault === 500 ? 1 : 2, title: "Fault", errors: [] },
          instance: `urn:uuid:${requestId}`,
        }),
      });

describe("every list of the console", function () {
  this.timeout(300_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  /** What is asked of the API, but for who is signed in, waits, fails or goes through. */
  const control = async (page: Page) => {
    const state = { mode: "pass" as "pass" | "hold" | Fault, held: [] as Route[] };
    await page.route("**/api/**", async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.endsWith("/browser-session") || state.mode === "pass") {
        await route.continue();
      } else if (state.mode === "hold") {
        state.held.push(route);
      } else {
        await failWith(route, state.mode);
      }
    });
    return {
      set: async (mode: typeof state.mode): Promise<void> => {
        state.mode = mode;
        const { held } = state;
        state.held = [];
        if (mode !== "hold" && mode !== "pass") {
          await Promise.all(held.map((route) => failWith(route, mode)));
        }
      },
    };
  };

  it("shows its shape while it waits, says what is wrong, and comes back by one click", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/profile");
    const answers = await control(page);
    const main = page.getByRole("main");
    for (const [path, fault] of lists) {
      await answers.set("hold");
      await page.goto(`${platform.url}${path}`);
      await main.locator(".mantine-Skeleton-root:visible").first().waitFor();
      expect(await main.getByRole("alert").count(), path).to.equal(0);

      await answers.set(fault);
      const alert = main.getByRole("alert").first();
      await alert.waitFor();
      expect(await alert.innerText(), path).to.contain(titles[fault]);
      expect((await alert.innerText()).includes(requestId), path).to.equal(fault !== "away");
      if (path === "/tickets") {
        await screenshots(page, "list-fault");
        expect(await findBarriers(page)).to.deep.equal([]);
      }

      await answers.set("pass");
      const again = main.getByRole("button", { name: "Try again" });
      expect(await again.count(), path).to.be.greaterThan(0);
      await eventually(
        async () => {
          if ((await again.count()) > 0) {
            await again
              .first()
              .click({ timeout: 1_000 })
              .catch(() => undefined);
          }
          return (await main.getByRole("alert").count()) === 0;
        },
        { timeoutMs: 15_000, everyMs: 300 },
      ).catch(() => {
        throw new Error(`${path} does not come back`);
      });
      await main.locator(".mantine-Skeleton-root:visible").first().waitFor({ state: "detached" });
    }
  });

  it("says what to do where there is nothing yet, also on a phone", async () => {
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
      expect(await isCut(page), path).to.equal(false);
      expect(await findBarriers(page), path).to.deep.equal([]);
    }
  });
});
