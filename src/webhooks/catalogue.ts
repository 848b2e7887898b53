import {
  actionsOfObject,
  objectKinds,
  operationalKinds,
  type ObjectKind,
} from "../contracts/events.ts";
import {
  deprecatedSessionEventTypes,
  sessionEventCodes,
  sessionEventTypes,
} from "../contracts/session-events.ts";

/** What each event means, for whoever chooses. */
const meanings: { [Kind in ObjectKind]: Record<(typeof actionsOfObject)[Kind][number], string> } = {
  ticket: {
    create: "A ticket was created",
    update: "A ticket's state, agent, priority, position or a field changed",
    delete: "A ticket was deleted",
  },
  media: {
    create: "A file was announced",
    update: "A file's state or a field changed",
    delete: "A file was deleted, or its time was over",
  },
  conversation: { update: "A session of a ticket or a meeting ended" },
  smsmessage: {
    create: "An SMS was written down",
    update: "The status of an SMS changed",
  },
  conversationevent: { create: "A ticket's timeline got an entry" },
  subscription: {
    warned: "A webhook has had nothing but failures for 24 hours",
    disabled: "The platform switched a webhook off",
    recovered: "A webhook works again, after a warning",
  },
  delivery: { dead: "The last attempt of a delivery failed" },
};

/**
 * What a subscription can ask for, as `GET webhooks/event-types` shows it. Operational objects are
 * about webhooks themselves, and `*` does not include them.
 */
export const eventCatalogue = {
  objects: objectKinds.map((object) => ({
    object,
    operational: operationalKinds.some((kind) => kind === object),
    events: actionsOfObject[object],
    meanings: meanings[object],
    filters: [`${object}.*`, ...actionsOfObject[object].map((event) => `${object}.${event}`)],
  })),
  eventTypes: sessionEventTypes.map((eventType) => ({
    eventType,
    eventCode: sessionEventCodes[eventType],
    deprecated: deprecatedSessionEventTypes.includes(eventType),
    filter: `conversationevent.create:${eventType}`,
  })),
};
