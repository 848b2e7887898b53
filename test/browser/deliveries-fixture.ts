import type { Page } from "playwright-core";
import { admin, useBrowserPlatform, type BrowserPlatform } from "../support/browser-platform.ts";
import { useBrowser, type OpenOptions, type TestBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { useReceiver, type Receiver } from "../support/receiver.ts";
import type { RestClient } from "../support/rest-client.ts";

export type DeliveriesFixture = {
  readonly platform: BrowserPlatform;
  readonly browser: TestBrowser;
  /** A separate receiver for every test. */
  readonly receiver: Receiver;
  /** An active webhook without retries, to that receiver. */
  aWebhook(settings?: Record<string, unknown>): Promise<number>;
  aTicket(fields?: Record<string, unknown>): Promise<number>;
  /** Waits until this many deliveries of a webhook are in this state. */
  seeState(webhookId: number, status: string, count: number): Promise<unknown>;
  /** The administrator's page at this address. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** The same for an administrator who lacks a permission, as far as the page knows. */
  openWithout(permission: string, path: string, options?: OpenOptions): Promise<Page>;
  rest(): RestClient;
};

/** A platform, a browser and a receiver for the tests of the pages about deliveries. */
export function useDeliveriesFixture(): DeliveriesFixture {
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  const receiving = useReceiver();
  let client: RestClient | undefined;
  const rest = (): RestClient => {
    if (client === undefined) {
      throw new Error("The client signs in before the tests");
    }
    return client;
  };

  before("sign in to the API", async () => {
    client = await platform.rest(admin);
  });

  afterEach("delete the webhooks of the test", async () => {
    const { body } = await rest().succeed("GET /webhooks");
    for (const { id } of body["data"] as { id: number }[]) {
      await rest().succeed(`DELETE /webhooks/${id}`);
    }
  });

  return {
    platform,
    browser,
    get receiver() {
      return receiving.receiver;
    },
    aWebhook: async (settings = {}) => {
      const body = {
        ...{ name: "CRM", url: receiving.receiver.url, active: true, filters: ["ticket.*"] },
        ...{ retrySchedule: [], headers: [{ name: "X-Key", value: "it's a secret" }], ...settings },
      };
      return Number((await rest().succeed("POST /webhooks", { body })).body["id"]);
    },
    aTicket: async (fields = {}) => {
      const body = { agent: "agent@demo.example", email: "customer@example.com", ...fields };
      return Number((await rest().succeed("POST /tickets", { body })).body["id"]);
    },
    seeState: (webhookId, status, count) =>
      eventually(
        async () => {
          const path = `GET /webhooks/${webhookId}/deliveries?status=${status}`;
          return Number((await rest().succeed(path)).body["total"]) >= count;
        },
        { timeoutMs: 15_000, everyMs: 100 },
      ),
    open: async (path, options = {}) => {
      const page = await browser.open(options);
      await platform.signIn(page, admin, path);
      return page;
    },
    openWithout: async (permission, path, options = {}) => {
      const page = await browser.open(options);
      await page.route("**/api/browser-session", async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { permissions?: Record<string, string> };
        delete body.permissions?.[permission];
        await route.fulfill({ response, json: body });
      });
      await platform.signIn(page, admin, path);
      return page;
    },
    rest,
  };
}

export function logRows(page: Page) {
  return page.getByRole("table", { name: "Delivery log" }).locator("[data-delivery]");
}

const name = /^(?:Delivery|Livraison) \d+/u;

/** The panel beside the log; over the log on narrow windows. */
export function openDelivery(page: Page) {
  return page.getByRole("complementary", { name }).or(page.getByRole("dialog", { name }));
}
