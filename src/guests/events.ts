/** Timeline entries of guests' actions. Pure. */
import type {
  Geoloc,
  Person,
  SessionEventType,
  TimelineEvent,
} from "../contracts/session-events.ts";
import type { GuestTicket } from "./ports.ts";

export type RequestorEvent =
  | "ticket.invitationClicked"
  | "ticket.invitationAccepted"
  | "mediaDevice.allowed"
  | "mediaDevice.disallowed"
  | "mediaDevice.cameraAllowed"
  | "mediaDevice.cameraDisallowed"
  | "mediaDevice.micAllowed"
  | "mediaDevice.micDisallowed";

export const consentEntry: TimelineEvent = guestEntry("consent.accepted", {});

export const noPositionEntry: TimelineEvent = guestEntry("geo.ansDisallowed", {});

export type SurveyAnswer = Readonly<{
  questions: readonly Readonly<{ id: number; label: Record<string, string>; answer: string }>[];
  feedback: string;
}>;

export function positionEntry(geoloc: Geoloc): TimelineEvent {
  return guestEntry("geo.ansAllowed", { geoloc });
}

/**
 * One entry for the camera and one for the microphone, preceded by a common entry if both agree.
 */
export function deviceEntries(
  ticket: GuestTicket,
  { camera, microphone }: { camera: boolean; microphone: boolean },
): TimelineEvent[] {
  const events: RequestorEvent[] = [
    ...(camera === microphone
      ? [camera ? ("mediaDevice.allowed" as const) : ("mediaDevice.disallowed" as const)]
      : []),
    camera ? "mediaDevice.cameraAllowed" : "mediaDevice.cameraDisallowed",
    microphone ? "mediaDevice.micAllowed" : "mediaDevice.micDisallowed",
  ];
  return events.map((eventType) => requestorEntry(ticket, eventType));
}

export function requestorEntry(ticket: GuestTicket, eventType: RequestorEvent): TimelineEvent {
  return guestEntry(eventType, { requestor: requestorOf(ticket) });
}

export function surveyEntry(
  ticket: GuestTicket,
  { questions, feedback }: SurveyAnswer,
): TimelineEvent {
  return guestEntry("survey.answered", {
    requestor: requestorOf(ticket),
    surveyAnswer: { questions, feedback },
  });
}

function guestEntry(
  eventType: SessionEventType,
  attributes: Record<string, unknown>,
): TimelineEvent {
  return {
    eventType,
    source: "guest",
    attributes,
  };
}

function requestorOf({ requestor }: GuestTicket): Person {
  return {
    email: requestor.email ?? "",
    phone: requestor.phone ?? "",
    firstname: requestor.firstname ?? "",
    lastname: requestor.lastname ?? "",
  };
}
