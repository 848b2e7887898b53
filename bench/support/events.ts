import type { OutboundEvent } from "../../src/contracts/events.ts";

/**
 * Event ids of a bench contain a number in their last twelve digits, and have the length of real
 * ids.
 */
const prefix = "evt_019aa000-0000-7000-8000-";

export function eventIdOf(event: number): string {
  return `${prefix}${String(event).padStart(12, "0")}`;
}

export function numberOfEventId(id: string): number {
  return Number(id.slice(prefix.length));
}

/**
 * Event number `event` of a run. Each one is of a different ticket, so that no delivery waits for
 * another.
 */
export function benchEvent(enterpriseId: number, event: number): OutboundEvent {
  return {
    enterpriseId,
    key: `ticket:${event}`,
    event: "update",
    object: "ticket",
    objectId: event,
    props: { state: "invited", geoloc: { lat: 48.8566, lng: 2.3522 } },
  };
}
