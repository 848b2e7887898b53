import type { Page } from "playwright-core";
import { admin, useBrowserPlatform } from "./browser-platform.ts";
import { useBrowser, type OpenOptions } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { useReceiver } from "./receiver.ts";
import type { RestClient } from "./rest-client.ts";

type Settings = Record<string, unknown>;

export const webhooksPath = "/settings/webhooks";

/** A secret in the form in which it is shown once. */
export const secretShape = /whsec_[A-Za-z0-9+/=]{32,}/u;

/**
 * A platform, a browser and a receiver for webhook tests in the console. After each test, all
 * webhooks except that of the demo, the inbox, are removed.
 */
export function useWebhooksFixture() {
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  const incoming = useReceiver();
  let client: RestClient | undefined;
  const rest = (): RestClient => {
    if (client === undefined) {
      throw new Error("The API is there inside tests and hooks only");
    }
    return client;
  };

  before("sign in to the API", async () => {
    client = await platform.rest(admin);
  });

  afterEach("delete all webhooks but the demo's", async () => {
    const { body } = await rest().succeed("GET /webhooks");
    const webhooks = body["data"] as { id: number; name: string }[];
    for (const { id } of webhooks.filter(({ name }) => name !== "Inbox")) {
      await rest().succeed(`DELETE /webhooks/${id}`);
    }
  });

  return {
    platform,
    browser,
    incoming,
    rest,
    /** Another webhook, created through the API. */
    aWebhook: async (settings: Settings): Promise<{ id: number; secret: string }> => {
      const { body } = await rest().succeed("POST /webhooks", { body: settings });
      return { id: Number(body["id"]), secret: String(body["secret"]) };
    },
    /** Returns its id. */
    aTicket: async (): Promise<number> => {
      const body = { agent: "agent@demo.example", email: "customer@example.com" };
      return Number((await rest().succeed("POST /tickets", { body })).body["id"]);
    },
    webhook: async (id: number): Promise<Settings> =>
      (await rest().succeed(`GET /webhooks/${id}`)).body,
    /** A page of the console, signed in as the administrator. */
    open: async (path: string, options: OpenOptions = {}): Promise<Page> => {
      const page = await browser.open(options);
      await platform.signIn(page, admin, path);
      return page;
    },
    /**
     * Waits until the inbox has the ticket's event: by then it was enqueued for every other
     * webhook, too.
     */
    passedThrough: async (ticketId: number): Promise<void> => {
      const { body: list } = await rest().succeed("GET /webhooks");
      const webhooks = list["data"] as { id: number; url: string }[];
      const inbox = webhooks.find(({ url }) => url.includes("/inbox/"));
      await eventually(
        async () => {
          const { body } = await rest().succeed(
            `GET /webhooks/${inbox?.id}/deliveries?object=ticket&objectId=${ticketId}&status=delivered`,
          );
          return Number(body["total"]) > 0;
        },
        { timeoutMs: 20_000 },
      );
    },
  };
}
