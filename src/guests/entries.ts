/** What guests do, as entries of the timeline. Pure. */
import type { Geoloc, Person, SessionEventType } from "../contracts/session-events.ts";
import type { Entry, GuestTicket } from "./ports.ts";

const requestorOf = ({ requestor }: GuestTicket): Person => ({
  email: requestor.email ?? "",
  phone: requestor.phone ?? "",
  firstname: requestor.firstname ?? "",
  lastname: requestor.lastname ?? "",
});

const guestEntry = (eventType: SessionEventType, attributes: Record<string, unknown>): Entry => ({
  eventType,
  source: "guest",
  attributes,
});

export type RequestorEvent =
  | "ticket.invitationClicked"
  | "ticket.invitationAccepted"
  | "mediaDevice.allowed"
  | "mediaDevice.disallowed"
  | "mediaDevice.cameraAllowed"
  | "mediaDevice.cameraDisallowed"
  | "mediaDevice.micAllowed"
  | "mediaDevice.micDisallowed";

export const requestorEntry = (ticket: GuestTicket, eventType: RequestorEvent): Entry =>
  guestEntry(eventType, { requestor: requestorOf(ticket) });

export const consentEntry: Entry = guestEntry("consent.accepted", {});

export const positionEntry = (geoloc: Geoloc): Entry => guestEntry("geo.ansAllowed", { geoloc });
export const noPositionEntry: Entry = guestEntry("geo.ansDisallowed", {});

/** One of the camera and one of the microphone, after what is true of both, if they agree. */
export const deviceEntries = (
  ticket: GuestTicket,
  { camera, microphone }: { camera: boolean; microphone: boolean },
): Entry[] => {
  const events: RequestorEvent[] = [
    ...(camera === microphone
      ? [camera ? ("mediaDevice.allowed" as const) : ("mediaDevice.disallowed" as const)]
      : []),
    camera ? "mediaDevice.cameraAllowed" : "mediaDevice.cameraDisallowed",
    microphone ? "mediaDevice.micAllowed" : "mediaDevice.micDisallowed",
  ];
  return events.map((eventType) => requestorEntry(ticket, eventType));
};

export type SurveyAnswer = Readonly<{
  questions: readonly Readonly<{ id: number; label: Record<string, string>; answer: string }>[];
  feedback: string;
}>;

export const surveyEntry = (ticket: GuestTicket, { questions, feedback }: SurveyAnswer): Entry =>
  guestEntry("survey.answered", {
    requestor: requestorOf(ticket),
    surveyAnswer: { questions, feedback },
  });
