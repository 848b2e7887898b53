/** The API's webhook types, under the names of these pages. */
import type { components, operations } from "../../base/api-types.ts";

export type Webhook = components["schemas"]["Webhook"];
export type Standing = components["schemas"]["WebhookStanding"];
export type LiveDeliveries = components["schemas"]["LiveDeliveries"];
export type LiveWebhook = components["schemas"]["LiveWebhook"];
export type FilterTest = components["schemas"]["FilterTest"];
export type AuditEntry = components["schemas"]["AuditEntry"];
export type TestAnswer = components["schemas"]["WebhookTest"];
export type SeriesPoint = components["schemas"]["DeliverySeriesPoint"];

export type CreateBody = NonNullable<
  operations["createWebhook"]["requestBody"]
>["content"]["application/json"];
/** A partial webhook. Conditions can be any object, which the generated type cannot express. */
export type WebhookInput = Omit<CreateBody, "conditions"> & {
  conditions?: Record<string, unknown> | null;
};

export type Question = Readonly<{
  filters: readonly string[];
  conditions: Record<string, unknown> | null;
}>;
