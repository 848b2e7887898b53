import { expect } from "chai";
import type { Page, Route } from "playwright-core";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, screenshots, useBrowser } from "../support/browser.ts";

describe("the quick invitation while its data is loading", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  const input = (page: Page) => page.getByLabel("People to invite", { exact: true });

  /** Holds these requests until the test decides on their response. */
  const hold = async (page: Page, calls: string) => {
    const state = {
      held: [] as Route[],
      answer: undefined as ((route: Route) => void) | undefined,
    };
    await page.route(calls, (route) => {
      if (state.answer === undefined) {
        state.held.push(route);
      } else {
        state.answer(route);
      }
    });
    return (answer: (route: Route) => unknown): void => {
      state.answer = (route) => void answer(route);
      state.held.splice(0).forEach(state.answer);
    };
  };
  const card = async (page: Page): Promise<{ y: number; height: number }> =>
    page.evaluate(
      "(({ y, height }) => ({ y, height }))(document.querySelector('main > *').getBoundingClientRect())",
    );

  for (const { what, calls, fault, says, isAway } of [
    {
      what: "who is signed in",
      calls: "**/api/browser-session",
      fault: (route: Route) => route.fulfill({ status: 500, json: { status: 500, code: 1 } }),
      says: "An internal error occurred",
      isAway: false,
    },
    {
      what: "the services",
      // While the platform is unreachable, a single health request represents all held ones.
      calls: "**/{readyz,api/users/me/services}",
      fault: (route: Route) => route.abort("connectionrefused"),
      says: "The platform is unreachable.",
      isAway: true,
    },
  ]) {
    it(`shows a skeleton until ${what} is loaded, an error if it fails, and recovers`, async () => {
      const page = await browser.open();
      await page.goto(`${platform.url}/quick-invitation`);
      await page.getByLabel("Login").fill(agent.login);
      await page.getByLabel("Password", { exact: true }).fill(agent.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await input(page).waitFor();
      const whole = await card(page);

      const answer = await hold(page, calls);
      await page.goto(`${platform.url}/quick-invitation?email_addresses=kept@customer.example`);
      await page.getByRole("status", { name: "Loading" }).waitFor();
      const waiting = await card(page);
      expect(waiting.y).to.be.closeTo(whole.y, 1);
      expect(waiting.height, "nothing jumps").to.be.closeTo(whole.height, 4);
      await screenshots(page, `quick-invitation-waiting-${what.replaceAll(" ", "-")}`);
      expect(await findBarriers(page)).to.deep.equal([]);

      answer(fault);
      await page.getByRole("alert").getByText(says).waitFor();
      expect(await input(page).count()).to.equal(0);
      expect(await findBarriers(page)).to.deep.equal([]);

      const again = page.getByRole("button", { name: "Try again" });
      await again.waitFor();
      answer((route) => route.continue());
      if (!isAway) {
        await again.click(); // otherwise the page retries by itself
      }
      await input(page).waitFor();
      await page.getByRole("button", { name: "Remove kept@customer.example" }).waitFor();
    });
  }

  it("keeps what was typed if a later question who is signed in fails", async () => {
    const page = await browser.open();
    await platform.signIn(page, agent);
    await page.goto(`${platform.url}/quick-invitation`);
    await input(page).fill("typed@customer");
    await page.clock.install();
    await page.route("**/api/browser-session", (route) => route.fulfill({ status: 500, json: {} }));
    await page.clock.fastForward(61_000); // the cached answer has expired and is requested again
    const failed = page.waitForResponse("**/api/browser-session");
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await failed;
    await page.clock.runFor(30_000);
    expect(await input(page).inputValue()).to.equal("typed@customer");
  });
});
