/** Two pages whose networks block media. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { useBrowser } from "../support/browser.ts";
import { aVisit } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import { blockMesh, openCore, see, seeFrames, viewOf } from "../support/rooms-core.ts";

const maxSilenceMs = 10_000;

describe("a call without a media route", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  it("says so within ten seconds, keeps trying, and connects once the network permits it", async () => {
    const rest = await platform.rest(agent);
    const tokens = await aVisit(platform.url, { rest, agent });
    const enter = async (token: string): Promise<Page> => {
      const options = { url: platform.url, token, facing: "user", initScript: blockMesh } as const;
      const page = await openCore(browser, options);
      await page.evaluate("room.join()");
      return page;
    };
    const staff = await enter(tokens.staff);
    const customer = await enter(tokens.customer);
    const pages = [staff, customer];
    await Promise.all(
      pages.map((page) =>
        see(page, ({ phase, peers }) => phase === "in-call" && peers[0]?.isInCall === true),
      ),
    );
    const seeMedia = (page: Page, state: string, timeoutMs: number) =>
      eventually(async () => expect((await viewOf(page)).peers[0]?.media).to.equal(state), {
        timeoutMs,
      });
    await Promise.all(pages.map((page) => seeMedia(page, "failed", maxSilenceMs)));

    await Promise.all(pages.map((page) => page.evaluate("window.isBlocked = false, undefined")));
    await Promise.all(pages.map((page) => seeMedia(page, "connected", 30_000)));
    await seeFrames(customer, 5);
  });
});
