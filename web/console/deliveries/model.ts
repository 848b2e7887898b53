/** The API's delivery types, under the names of these pages. */
import {
  failureClasses,
  liveStates,
  type DeliveryState,
  type FailureClass,
} from "../../../src/contracts/deliveries.ts";
import type { components } from "../../base/api-types.ts";

type Schemas = components["schemas"];

export type Delivery = Schemas["WebhookDeliveryItem"];

export type DeliveryInFull = Schemas["WebhookDelivery"];

export type Attempt = Schemas["WebhookAttempt"];

export type Explanation = Schemas["Explanation"];

export type ExplainedWebhook = Schemas["ExplainedWebhook"];

/** The explanation of one webhook and a period. */
export type WebhookExplanation = Schemas["WebhookExplanation"];

export type Verdict = ExplainedWebhook["verdict"];

export type Reconciliation = Schemas["Reconciliation"];

export type Replay = Schemas["WebhookReplay"];

export type ReplayPreview = Schemas["WebhookReplayPreview"];

export function isFailureClass(text: string | null): text is FailureClass {
  return failureClasses.some((one) => one === text);
}

export function canRepeat(delivery: DeliveryInFull): boolean {
  return isRepeatable(delivery) && delivery.body !== null;
}

/** Whether it is finished, so that it can be replayed while its event is stored. */
export function isRepeatable({ status, webhook }: Pick<Delivery, "status" | "webhook">): boolean {
  return !isUnderWay(status) && status !== "paused" && status !== "available" && !webhook.deleted;
}

/** Whether it may still change without user action. */
export function isUnderWay(state: DeliveryState): boolean {
  return state !== "paused" && liveStates.includes(state);
}

/** The ticket of a delivery; for a timeline entry, the id comes from the body. */
export function ticketOf(
  { object, object_id: id }: Pick<Delivery, "object" | "object_id">,
  body: string | null,
): number | undefined {
  if (object === "ticket") {
    return typeof id === "number" ? id : undefined;
  }
  const props = propsOf(body);
  const parent = props["_parent"] as { name?: unknown; id?: unknown } | undefined;
  const ticketId = parent?.name === "ticket" ? parent.id : props["ticketId"];
  return typeof ticketId === "number" ? ticketId : undefined;
}

function propsOf(body: string | null): Record<string, unknown> {
  try {
    const { props } = JSON.parse(body ?? "{}") as { props?: Record<string, unknown> };
    return props ?? {};
  } catch {
    return {};
  }
}
