import { actionsOfObject, objectKinds } from "../contracts/events.ts";
import {
  deprecatedSessionEventTypes,
  sessionEventCodes,
  sessionEventTypes,
} from "../contracts/session-events.ts";

/** What a subscription can ask for, as `GET webhooks/event-types` shows it. */
export const eventCatalogue = {
  objects: objectKinds.map((object) => ({
    object,
    events: actionsOfObject[object],
    filters: [`${object}.*`, ...actionsOfObject[object].map((event) => `${object}.${event}`)],
  })),
  eventTypes: sessionEventTypes.map((eventType) => ({
    eventType,
    eventCode: sessionEventCodes[eventType],
    deprecated: deprecatedSessionEventTypes.includes(eventType),
    filter: `conversationevent.create:${eventType}`,
  })),
};
