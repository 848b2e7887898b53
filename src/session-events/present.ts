import {
  sessionEventCodes,
  deprecatedSessionEventTypes,
  sessionEventSources,
  sessionEventTypes,
  type SessionEventType,
} from "../contracts/session-events.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import type { SessionEvent } from "./service.ts";
import { exactObject, integer, text, timestamp } from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";

/** What the list of a ticket's timeline answers: for each type of entry its own members. */
const person = exactObject("Person", {
  email: text,
  phone: text,
  firstname: text,
  lastname: text,
});

const position = exactObject("Position", { lat: { type: "number" }, lng: { type: "number" } });

const priority = { type: "integer", minimum: 1, maximum: 4 };

const agent = { agent: person };

const requestor = { requestor: person };

const media = { mediaId: integer };

const question = exactObject("SurveyQuestion", {
  id: { type: ["integer", "string"] },
  label: { type: "object", additionalProperties: text },
  answer: text,
});

const surveyAnswer = exactObject("SurveyAnswer", {
  questions: { type: "array", items: question },
  feedback: text,
});

/** What a type has besides the members of all. */
export const entryAttributes: Readonly<Record<SessionEventType, Record<string, JsonSchema>>> = {
  "ticket.new": agent,
  "ticket.approved": agent,
  "ticket.assigned": agent,
  "ticket.completed": agent,
  "ticket.cancelled": agent,
  "ticket.closed": agent,
  "ticket.priorityChanged": { ...agent, oldPriority: priority, newPriority: priority },
  "ticket.sessionStarted": {},
  "ticket.invitationSent": requestor,
  "ticket.invitationResent": requestor,
  "ticket.invitationAccepted": requestor,
  "ticket.invitationDeclined": requestor,
  "ticket.invitationClicked": requestor,
  "ticket.invitationNotclicked": requestor,
  "ticket.invitationExpired": {},
  "consent.accepted": {},
  "geo.ansAllowed": { geoloc: position },
  "geo.ansDisallowed": {},
  "mediaDevice.allowed": requestor,
  "mediaDevice.disallowed": requestor,
  "mediaDevice.cameraAllowed": requestor,
  "mediaDevice.cameraDisallowed": requestor,
  "mediaDevice.micAllowed": requestor,
  "mediaDevice.micDisallowed": requestor,
  "session.established": requestor,
  "session.agentContacted": agent,
  "session.agentLeft": agent,
  "session.userLeft": requestor,
  "media.pictureTaken": media,
  "media.OCRDone": { text },
  "media.pictureSent": media,
  "survey.answered": { ...requestor, surveyAnswer },
};

/** A bare list, oldest entry first. */
export const sessionEventListAnswer: JsonSchema = {
  title: "TicketEventList",
  type: "array",
  items: { title: "TicketEvent", anyOf: sessionEventTypes.map(entryOf) },
};

/** An entry as the list shows it: what the webhook carries, with `id`, `created` and `source`. */
export function presentSessionEvent(event: SessionEvent): Record<string, unknown> {
  return {
    id: event.id,
    eventType: event.eventType,
    eventCode: sessionEventCodes[event.eventType],
    conversationId: event.conversationId,
    ticketId: event.ticketId,
    created: toTimestamp(event.at),
    source: event.source,
    ...event.attributes,
  };
}

function entryOf(eventType: SessionEventType): JsonSchema {
  return {
    ...exactObject(titleOf(eventType), {
      id: integer,
      eventType: { type: "string", enum: [eventType] },
      eventCode: { type: "integer", enum: [sessionEventCodes[eventType]] },
      conversationId: integer,
      ticketId: integer,
      created: timestamp,
      source: { type: "string", enum: sessionEventSources },
      ...entryAttributes[eventType],
    }),
    ...(deprecatedSessionEventTypes.includes(eventType)
      ? {
          deprecated: true,
          description: "Still sent; use the webhook of the ticket with the state `expired` instead",
        }
      : {}),
  };
}

/** `ticket.invitationSent` → `TicketInvitationSentEvent` */
function titleOf(eventType: SessionEventType): string {
  return `${eventType
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}Event`;
}
