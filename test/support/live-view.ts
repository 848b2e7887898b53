/** The page of live deliveries, and a platform for its tests. */
import type { Page } from "playwright-core";
import type { OpenOptions } from "./browser.ts";
import { useWebhooksFixture } from "./webhooks-fixture.ts";

export const liveView = "/dashboard/deliveries";

/** Waits until the page reports that it is live. */
export function isLive(page: Page, text = /^Live$/u): Promise<void> {
  return page.getByRole("status").filter({ hasText: text }).waitFor();
}

/** Simulates that the user switches to another tab or back. */
export function becomes(page: Page, state: "hidden" | "visible"): Promise<unknown> {
  return page.evaluate(`
    Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"))`);
}

/** The rate in the first tile. */
export async function deliveredPerSecond(page: Page): Promise<number> {
  const text = await page.getByRole("group", { name: "Delivered" }).innerText();
  return Number.parseFloat(/([\d.]+)\s*\/s/u.exec(text.replaceAll(",", ""))?.[1] ?? "");
}

/** A platform, a browser and a receiver for the tests of the surrounding `describe`. */
export function useLiveView() {
  const webhooks = useWebhooksFixture();
  return {
    ...webhooks,
    /** Creates a webhook for created tickets, to the receiver. Returns its id. */
    aWebhook: async (name: string, settings: Record<string, unknown> = {}): Promise<number> => {
      const { url } = webhooks.incoming.receiver;
      const usual = { name, url, active: true, filters: ["ticket.create"] };
      return (await webhooks.aWebhook({ ...usual, ...settings })).id;
    },
    someTickets: async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        await webhooks.aTicket();
      }
    },
    open: (path: string = liveView, options?: OpenOptions): Promise<Page> =>
      webhooks.open(path, options),
  };
}
