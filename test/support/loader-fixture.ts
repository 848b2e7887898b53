/**
 * A third-party site with the agent module, an agent's API client, and customers, for the tests of
 * a `describe`.
 */
import { recordOf, startLoaderHost, type LoaderHost, type LoaderSetup } from "./loader-host.ts";
import type { Page } from "playwright-core";
import { admin, agent, useBrowserPlatform, type BrowserPlatform } from "./browser-platform.ts";
import { useBrowser } from "./browser.ts";
import { openLink } from "./call-customer.ts";
import type { RestClient } from "./rest-client.ts";
import { closeClients, connectGuest } from "./signalling.ts";

/** Allows pages of this origin for the demo enterprise. */
async function allow({ db, enterpriseId }: BrowserPlatform, host: LoaderHost): Promise<void> {
  await db("enterprise_domains").insert(
    [host.url, host.foreignUrl].map((url) => ({
      enterprise_id: enterpriseId,
      domain: new URL(url).host,
    })),
  );
}

type Colleague = Readonly<{ id: number; token: string; apiKey: string }>;
type LoaderSite = { host: LoaderHost; api: RestClient; colleague: Colleague };

export function useLoaderFixture() {
  let loader: LoaderSite | undefined;
  after("close the site", async () => {
    closeClients();
    await loader?.host.close();
  });
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  const get = (): LoaderSite => {
    if (loader === undefined) {
      throw new Error("The site exists inside tests and hooks only");
    }
    return loader;
  };

  before("serve the site", async function () {
    this.timeout(60_000);
    const host = await startLoaderHost(platform.url, agent);
    await allow(platform, host);
    const { body } = await (await platform.rest(admin)).succeed("GET /users/me");
    const [id, token] = [Number(body["userId"]), String(body["token"])];
    const colleague = { id, token, apiKey: String(body["apiKey"]) };
    loader = { host, api: await platform.rest(agent), colleague };
  });
  afterEach(closeClients);

  return {
    platform,
    browser,
    get host() {
      return get().host;
    },
    get api() {
      return get().api;
    },
    get colleague() {
      return get().colleague;
    },
    allow: (host: LoaderHost) => allow(platform, host),
    /** A ticket of the agent, with the room token of its customer. */
    aTicket: async () => {
      const { body } = await get().api.succeed("POST /tickets", {
        body: {
          agent: agent.login,
          email: "jane@example.com",
          firstname: "Jane",
          lastname: "<Doe>",
          invite: 1,
        },
      });
      const roomToken = await openLink(platform.url, String(body["requestor_url"]));
      const row = await platform.db("tickets").where({ id: body["id"] }).first("conversation_id");
      return {
        id: Number(body["id"]),
        requestor_url: String(body["requestor_url"]),
        roomToken,
        conversationId: Number(row.conversation_id),
      };
    },
    aCustomer: async (roomToken: string) => {
      const customer = await connectGuest(platform, roomToken);
      await customer.ask("hello");
      return customer;
    },
    /** Opens a page that loads the module. */
    open: async (setup: LoaderSetup = {}, more: Parameters<typeof browser.open>[0] = {}) => {
      const page = await browser.open(more);
      await get().host.show(page, setup);
      await recordOf(page, "init");
      return page;
    },
  };
}

/**
 * axe reads style sheets of other origins by XMLHttpRequest, which requires CORS, unlike displaying
 * them.
 */
export const axeReadsStyles = { expectedErrors: [/Access to XMLHttpRequest at .*\/loader\//u] };

/** By box: its recipient, whether it is visibly open, and whether it is announced as expanded. */
export function boxesOf(page: Page) {
  return page.evaluate<{ id: number; isShownOpen: boolean; isExpanded: boolean }[]>(
    `[...document.querySelectorAll(".im-box")].map((box) => ({
      id: Number(box.dataset.destId),
      isShownOpen: box.querySelector(".im-field").getClientRects().length > 0,
      isExpanded: [...box.querySelectorAll("[aria-expanded]")]
        .find((button) => button.getClientRects().length > 0).getAttribute("aria-expanded") === "true",
    }))`,
  );
}

/** Boxes, and the directory, that are partly off the screen. */
export function offScreen(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll(".im-box, .im-directory")]
      .map((part) => [part.getAttribute("aria-label"), part.getBoundingClientRect()])
      .filter(([, { left, right, top, bottom }]) =>
        left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1)
      .map(([name, { left, right, top, bottom }]) => [name, left, right, top, bottom].join(" "))`,
  );
}

/** Calls a method of the object that the callbacks receive. */
export function inAgent<T>(page: Page, call: string): Promise<T> {
  return page.evaluate<T>(`window.agent.${call}`);
}
