/**
 * The 32 types of session events (the entries of a ticket's timeline) and their codes.
 *
 * The tens digit of a code is the group. A code is never changed and never used again:
 * integrators switch on it.
 */
export const sessionEventCodes = {
  "ticket.new": 1,
  "ticket.approved": 2,
  "ticket.assigned": 3,
  "ticket.completed": 4,
  "ticket.cancelled": 5,
  "ticket.closed": 6,
  "ticket.priorityChanged": 7,
  "ticket.sessionStarted": 8,
  "ticket.invitationSent": 10,
  "ticket.invitationResent": 11,
  "ticket.invitationAccepted": 12,
  "ticket.invitationDeclined": 13,
  "ticket.invitationClicked": 14,
  "ticket.invitationNotclicked": 15,
  "ticket.invitationExpired": 16,
  "consent.accepted": 20,
  "geo.ansAllowed": 21,
  "geo.ansDisallowed": 22,
  "mediaDevice.allowed": 23,
  "mediaDevice.disallowed": 24,
  "mediaDevice.cameraAllowed": 25,
  "mediaDevice.cameraDisallowed": 26,
  "mediaDevice.micAllowed": 27,
  "mediaDevice.micDisallowed": 28,
  "session.established": 30,
  "session.agentContacted": 31,
  "session.agentLeft": 32,
  "session.userLeft": 33,
  "media.pictureTaken": 40,
  "media.OCRDone": 41,
  "media.pictureSent": 42,
  "survey.answered": 50,
} as const;

export type SessionEventType = keyof typeof sessionEventCodes;

export const sessionEventTypes = Object.keys(sessionEventCodes) as readonly SessionEventType[];

/** Still sent, but integrators should move to the ticket webhook with `state=expired`. */
export const deprecatedSessionEventTypes: readonly SessionEventType[] = [
  "ticket.invitationExpired",
];

export const sessionEventSources = ["agent", "guest", "system"] as const;
export type SessionEventSource = (typeof sessionEventSources)[number];

/** A person as session events carry it. Every member is a string, `""` when it is not known. */
export type Person = { email: string; phone: string; firstname: string; lastname: string };

/** A position, WGS84. */
export type Geoloc = { lat: number; lng: number };
