/** The tab of the webhook page, as stored in the URL. Pure. */

export const webhookTabs = ["overview", "deliveries", "settings", "signing"] as const;
export type WebhookTab = (typeof webhookTabs)[number];

export type WebhookSearch = Readonly<{ tab?: WebhookTab }>;

export function readTabSearch(input: Record<string, unknown>): WebhookSearch {
  const tab = webhookTabs.find((one) => one === input["tab"]);
  return tab === undefined || tab === "overview" ? {} : { tab };
}
