import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../../base/api.ts";
import type { components } from "../../../base/api-types.ts";

export type AlertSettings = components["schemas"]["AlertSettings"];
export type OwnThresholds = AlertSettings["webhooks"][number];

export const alertsQuery = queryOptions({
  queryKey: ["settings", "alerts"],
  queryFn: () => call(api.GET("/api/alerts")),
});

/** Names of webhooks, for their own thresholds. */
export const webhookNamesQuery = queryOptions({
  queryKey: ["settings", "alerts", "webhooks"],
  queryFn: async () => (await call(api.GET("/api/webhooks"))).data,
});

export type AlertChange = Readonly<{
  failing_minutes?: number;
  past_due_minutes?: number;
  failed_deliveries?: boolean;
  repeat_hours?: number;
  administrators?: boolean;
  users?: number[];
  emails?: string[];
}>;

export function changeAlerts(body: AlertChange) {
  return call(api.PATCH("/api/alerts", { body }));
}

export function changeOwnAlerts(
  webhookId: number,
  body: Partial<Omit<OwnThresholds, "id">>,
): Promise<unknown> {
  return call(
    api.PATCH("/api/webhooks/{webhookId}/alerts", { params: { path: { webhookId } }, body }),
  );
}
