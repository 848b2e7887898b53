import { toTimestamp } from "../../platform/timestamps.ts";
import { presentObjectId } from "../object-id.ts";
import { toCursor } from "./cursor.ts";
import type { PulledPage } from "./page.ts";
import type { PulledEvent } from "./store.ts";

export function presentPage(subscriptionId: number, page: PulledPage) {
  return {
    data: page.events.map((event) => presentEvent(subscriptionId, event)),
    next: toCursor(subscriptionId, page.next),
    has_more: page.hasMore,
    skipped: page.skipped,
  };
}

/** An event as pages and streams show it. `body` is text: its exact bytes are what is signed. */
export function presentEvent(subscriptionId: number, pulled: PulledEvent) {
  return {
    sequence: pulled.sequence,
    cursor: toCursor(subscriptionId, pulled.sequence),
    webhook_id: pulled.messageId,
    object: pulled.object,
    event: pulled.event,
    event_type: pulled.eventType,
    object_id: pulled.objectId === null ? null : presentObjectId(pulled.objectId),
    time: toTimestamp(pulled.occurredAt),
    body: pulled.body,
    expunged: pulled.body === null,
    replay: pulled.isReplay,
    state: pulled.state,
    attempt_count: pulled.attempts,
  };
}
