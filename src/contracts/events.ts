import type { Geoloc, SessionEventType } from "./session-events.ts";

/** The object kinds of the service that produce webhooks, in the order of the reference. */
export const serviceKinds = [
  "ticket",
  "media",
  "conversation",
  "smsmessage",
  "conversationevent",
] as const;

/**
 * What the platform tells about its own work. Only a subscription that names them gets these: `*`
 * is the service's objects, so that nobody who asked for everything is told about webhooks.
 */
export const operationalKinds = ["subscription", "delivery"] as const;

export function isOperational(object: string): boolean {
  return operationalKinds.some((kind) => kind === object);
}

/** Every object kind, each with a queue of its own. */
export const objectKinds = [...serviceKinds, ...operationalKinds] as const;
export type ObjectKind = (typeof objectKinds)[number];

export const eventActions = [
  "create",
  "update",
  "delete",
  "warned",
  "disabled",
  "recovered",
  "dead",
] as const;
export type EventAction = (typeof eventActions)[number];

/** Which actions an object kind can have. The catalogue of `/api/webhooks/event-types` is made from it. */
export const actionsOfObject = {
  ticket: ["create", "update", "delete"],
  media: ["create", "update", "delete"],
  conversation: ["update"],
  smsmessage: ["create", "update"],
  conversationevent: ["create"],
  subscription: ["warned", "disabled", "recovered"],
  delivery: ["dead"],
} as const satisfies Record<ObjectKind, readonly EventAction[]>;

export const ticketStates = [
  "new",
  "open",
  "opened",
  "invited",
  "inprogress",
  "updated",
  "expired",
  "declined",
  "rejected",
  "done",
  "closed",
] as const;
export type TicketState = (typeof ticketStates)[number];

/** Props of a `ticket` event. `geoloc` is absent until the first position is known. */
export type TicketProps = { state: TicketState; geoloc?: Geoloc };

export const mediaStates = ["inprogress", "uncompleted", "completed", "error"] as const;
export type MediaState = (typeof mediaStates)[number];

/** Props of a `media` event: its state and what it belongs to. */
export type MediaProps = {
  state: MediaState;
  _parent: { name: "ticket" | "conference" | "conversation"; id: number };
};

/** Props of a `conversation` event. `finishedAt` is when the last participant left. */
export type ConversationProps = {
  eventType: "conversationEnded";
  name: string;
  finishedAt: string;
};

/** Props of a `conversationevent`: the four common attributes, then those of its type. */
export type ConversationEventProps = {
  eventType: SessionEventType;
  eventCode: number;
  ticketId: number;
  conversationId: number;
} & Record<string, unknown>;

/**
 * An event as a use case hands it to the outbox. `key` names the object whose events keep their
 * order among each other (`ticket:1000`); a ticket's timeline shares the key of the ticket. The
 * other keys: `media:<id>`, `conversation:<id>`, `smsmessage:<id>`, and `subscription:<id>` for what
 * is told about a subscription or one of its deliveries: that one never gets it itself.
 */
export type OutboundEvent = {
  enterpriseId: number;
  key: string;
  event: EventAction;
  object: ObjectKind;
  /** Present for timeline entries only: what a filter's third part is compared with. */
  eventType?: SessionEventType;
  objectId: number | string;
  props: Record<string, unknown>;
};

/** What a receiver gets: exactly these five keys, in this order. `time` is in UNIX seconds. */
export type WebhookBody = {
  event: EventAction;
  time: number;
  object: ObjectKind;
  objectId: number | string;
  props: Record<string, unknown>;
};
