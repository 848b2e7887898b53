import { sessionEventTypes, type Geoloc, type SessionEventType } from "./session-events.ts";

/** The object kinds that produce webhooks, in the order of the reference. */
export const serviceKinds = [
  "ticket",
  "media",
  "conversation",
  "smsmessage",
  "conversationevent",
] as const;

/**
 * Objects of operational events, which report on the webhooks themselves. A filter must name them:
 * `*` does not include them.
 */
export const operationalKinds = ["subscription", "delivery"] as const;

export function isOperational(object: string): boolean {
  return operationalKinds.some((kind) => kind === object);
}

/** Every object kind. Each has its own queue. */
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

/**
 * The actions of each object kind. The catalogue of `/api/webhooks/event-types` is made from it.
 */
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
  "done",
  "rejected",
  "declined",
  "expired",
  "closed",
] as const;
export type TicketState = (typeof ticketStates)[number];

/** Props of a `ticket` event. `geoloc` is absent until the first position is known. */
export type TicketProps = { state: TicketState; geoloc?: Geoloc };

export const mediaStates = ["inprogress", "uncompleted", "completed", "error"] as const;
export type MediaState = (typeof mediaStates)[number];

/** Props of a `media` event: its state and its parent. */
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
 * An event as a use case appends it to the outbox. Events with the same `key` keep their order. The
 * key names the object: `ticket:1000` (shared by the ticket's timeline), `media:<id>`,
 * `conversation:<id>`, `smsmessage:<id>`, and `subscription:<id>` for operational events about a
 * subscription or its deliveries, which this subscription itself never receives.
 */
export type OutboundEvent = {
  enterpriseId: number;
  key: string;
  event: EventAction;
  object: ObjectKind;
  /** For timeline entries only; the third part of a filter matches it. */
  eventType?: SessionEventType;
  objectId: number | string;
  props: Record<string, unknown>;
};

/**
 * The body of a webhook request: exactly these five keys, in this order. `time` is in UNIX seconds.
 */
export type WebhookBody = {
  event: EventAction;
  time: number;
  object: ObjectKind;
  objectId: number | string;
  props: Record<string, unknown>;
};

/** What decides which subscriptions without conditions get an event. */
export type EventKind = Readonly<{
  enterpriseId: number;
  object: ObjectKind;
  event: EventAction;
  eventType?: string | undefined;
}>;

/** A kind of event as a word of a wake-up: no space, at most 90 characters. */
export function toWakeWord({ enterpriseId, object, event, eventType = "" }: EventKind): string {
  return [enterpriseId, object, event, eventType].join(":");
}

/**
 * The kind in a word of `toWakeWord`; undefined for another word. Two words never name one kind: a
 * second spelling would double its rules, and break the statement that applies them.
 */
export function fromWakeWord(word: string): EventKind | undefined {
  const [enterpriseId, object, event, eventType] = word.split(":", 4);
  const id = Number(enterpriseId);
  const kind = objectKinds.find((one) => one === object);
  const action = eventActions.find((one) => one === event);
  if (!Number.isSafeInteger(id) || kind === undefined || action === undefined) {
    return undefined;
  }
  const found: EventKind = {
    ...{ enterpriseId: id, object: kind, event: action },
    eventType: sessionEventTypes.find((one) => one === eventType),
  };
  return toWakeWord(found) === word ? found : undefined;
}
