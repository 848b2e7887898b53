import {
  actionsOfObject,
  objectKinds,
  isOperational,
  type ObjectKind,
  mediaStates,
  ticketStates,
} from "../contracts/events.ts";
import {
  deprecatedSessionEventTypes,
  sessionEventCodes,
  sessionEventTypes,
  type SessionEventType,
} from "../contracts/session-events.ts";
import {
  exactObject,
  integer,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../http/schema.ts";
import type { DescribedWebhook } from "../http/openapi/components.ts";
import type { JsonSchema } from "../http/route.ts";

/** What each event means, for users who choose filters. */
const eventMeanings: {
  [Kind in ObjectKind]: Record<(typeof actionsOfObject)[Kind][number], string>;
} = {
  ticket: {
    create: "A ticket was created",
    update: "The state, agent, priority, position or another field of a ticket changed",
    delete: "A ticket was deleted",
  },
  media: {
    create: "A file was added",
    update: "The state or another field of a file changed",
    delete: "A file was deleted or expired",
  },
  conversation: { update: "A session of a ticket or a meeting ended" },
  smsmessage: {
    create: "An SMS was created",
    update: "The status of an SMS changed",
  },
  conversationevent: { create: "An entry was added to the timeline of a ticket" },
  subscription: {
    warned: "A webhook keeps failing (for 24 hours by default)",
    disabled: "The platform disabled a webhook",
    recovered: "A webhook recovered after a warning",
  },
  delivery: { dead: "The last attempt of a delivery failed" },
};

/**
 * The events that a subscription can select, as `GET webhooks/event-types` shows them. Operational
 * events are about webhooks themselves; `*` does not include them.
 */
export const eventCatalogue = {
  objects: objectKinds.map((object) => ({
    object,
    operational: isOperational(object),
    events: actionsOfObject[object],
    meanings: eventMeanings[object],
    filters: [`${object}.*`, ...actionsOfObject[object].map((event) => `${object}.${event}`)],
  })),
  eventTypes: sessionEventTypes.map((eventType) => ({
    eventType,
    eventCode: sessionEventCodes[eventType],
    deprecated: deprecatedSessionEventTypes.includes(eventType),
    filter: `conversationevent.create:${eventType}`,
  })),
};

/** The attributes of an entry type, in addition to the common members. */
export type EntryAttributes = Readonly<Record<SessionEventType, Record<string, JsonSchema>>>;

const aboutSubscription = { name: text, origin: nullableText };

/** One for each event that a webhook can select, by its filter. */
export function webhookBodies(attributes: EntryAttributes): DescribedWebhook[] {
  return objectKinds.flatMap((object) =>
    actionsOfObject[object].map((event) => {
      const { objectId, props } = bodyOf(object, event, attributes);
      const meanings: Readonly<Record<string, string>> =
        eventCatalogue.objects.find((one) => one.object === object)?.meanings ?? {};
      return {
        name: `${object}.${event}`,
        summary: meanings[event] ?? "",
        body: exactObject(`${capitalised(object)}${capitalised(event)}Webhook`, {
          event: { type: "string", enum: [event] },
          time: { type: "integer", description: "Time of the event, in UNIX seconds" },
          object: { type: "string", enum: [object] },
          objectId,
          props,
        }),
      };
    }),
  );
}

type EventBody = Readonly<{ objectId: JsonSchema; props: JsonSchema }>;

const ticketProps: JsonSchema = {
  ...exactObject("TicketWebhookProps", {
    state: { type: "string", enum: ticketStates },
    geoloc: exactObject("Position", { lat: { type: "number" }, lng: { type: "number" } }),
  }),
  required: ["state"],
  description: "`geoloc` is absent until a first position is known",
};

const mediaProps = exactObject("MediaWebhookProps", {
  state: { type: "string", enum: mediaStates },
  _parent: exactObject("MediaWebhookParent", {
    name: { type: "string", enum: ["ticket", "conference", "conversation"] },
    id: integer,
  }),
});

const conversationProps = exactObject("ConversationWebhookProps", {
  eventType: { type: "string", enum: ["conversationEnded"] },
  name: text,
  finishedAt: timestamp,
});

const subscriptionProps: Readonly<Record<string, JsonSchema>> = {
  warned: exactObject("SubscriptionWarnedProps", {
    ...aboutSubscription,
    failingSince: timestamp,
    lastResult: nullableText,
    switchesOffAt: timestamp,
  }),
  disabled: exactObject("SubscriptionDisabledProps", {
    ...aboutSubscription,
    reason: text,
    failingSince: nullableTimestamp,
    lastResult: nullableText,
    keptUntil: timestamp,
  }),
  recovered: exactObject("SubscriptionRecoveredProps", {
    ...aboutSubscription,
    failingSince: timestamp,
  }),
};

const deadProps = exactObject("DeliveryDeadProps", {
  subscriptionId: integer,
  sequence: integer,
  eventId: nullableText,
  object: { type: "string", enum: objectKinds },
  objectId: { type: ["integer", "string", "null"] },
  attempts: integer,
  lastResult: nullableText,
});

const noProps = exactObject("SmsMessageWebhookProps", {});

function bodyOf(object: ObjectKind, event: string, attributes: EntryAttributes): EventBody {
  switch (object) {
    case "ticket":
      return { objectId: integer, props: ticketProps };
    case "media":
      return { objectId: integer, props: mediaProps };
    case "conversation":
      return { objectId: { type: "string", format: "uuid" }, props: conversationProps };
    case "smsmessage":
      return { objectId: integer, props: noProps };
    case "conversationevent":
      return { objectId: integer, props: entryProps(attributes) };
    case "subscription":
      return { objectId: integer, props: subscriptionProps[event] ?? {} };
    case "delivery":
      return { objectId: integer, props: deadProps };
    default:
      return object satisfies never;
  }
}

function entryProps(attributes: EntryAttributes): JsonSchema {
  return {
    title: "ConversationEventWebhookProps",
    oneOf: sessionEventTypes.map((eventType) =>
      exactObject(entryTitle(eventType), {
        eventType: { type: "string", enum: [eventType] },
        eventCode: { type: "integer", enum: [sessionEventCodes[eventType]] },
        ticketId: integer,
        conversationId: integer,
        ...attributes[eventType],
      }),
    ),
  };
}

/** `ticket.invitationSent` → `TicketInvitationSentProps` */
function entryTitle(eventType: SessionEventType): string {
  return `${eventType.split(".").map(capitalised).join("")}Props`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
