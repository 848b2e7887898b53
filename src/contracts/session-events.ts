/**
 * The types of session events (the entries of a ticket's timeline) and their codes.
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

/** An attribute means the same in every type that has it. */
export type SessionEventAttribute =
  | "agent"
  | "requestor"
  | "oldPriority"
  | "newPriority"
  | "geoloc"
  | "mediaId"
  | "text"
  | "surveyAnswer";

type AttributesOfTypes = Readonly<Record<SessionEventType, readonly SessionEventAttribute[]>>;

const attributesOfTypes = {
  "ticket.new": ["agent"],
  "ticket.approved": ["agent"],
  "ticket.assigned": ["agent"],
  "ticket.completed": ["agent"],
  "ticket.cancelled": ["agent"],
  "ticket.closed": ["agent"],
  "ticket.priorityChanged": ["agent", "oldPriority", "newPriority"],
  "ticket.sessionStarted": [],
  "ticket.invitationSent": ["requestor"],
  "ticket.invitationResent": ["requestor"],
  "ticket.invitationAccepted": ["requestor"],
  "ticket.invitationDeclined": ["requestor"],
  "ticket.invitationClicked": ["requestor"],
  "ticket.invitationNotclicked": ["requestor"],
  "ticket.invitationExpired": [],
  "consent.accepted": [],
  "geo.ansAllowed": ["geoloc"],
  "geo.ansDisallowed": [],
  "mediaDevice.allowed": ["requestor"],
  "mediaDevice.disallowed": ["requestor"],
  "mediaDevice.cameraAllowed": ["requestor"],
  "mediaDevice.cameraDisallowed": ["requestor"],
  "mediaDevice.micAllowed": ["requestor"],
  "mediaDevice.micDisallowed": ["requestor"],
  "session.established": ["requestor"],
  "session.agentContacted": ["agent"],
  "session.agentLeft": ["agent"],
  "session.userLeft": ["requestor"],
  "media.pictureTaken": ["mediaId"],
  "media.OCRDone": ["text"],
  "media.pictureSent": ["mediaId"],
  "survey.answered": ["requestor", "surveyAnswer"],
} as const satisfies AttributesOfTypes;

/** The attributes of each type in addition to the common ones, in this order. */
export const sessionEventAttributes: AttributesOfTypes = attributesOfTypes;

/** The types that have this attribute only. */
export type SessionEventTypeWithOnly<Attribute extends SessionEventAttribute> = {
  [Type in SessionEventType]: (typeof attributesOfTypes)[Type] extends readonly [Attribute]
    ? Type
    : never;
}[SessionEventType];

/** Deprecated, but still sent. Integrators should use the ticket webhook with `state=expired`. */
export const deprecatedSessionEventTypes: readonly SessionEventType[] = [
  "ticket.invitationExpired",
];

export const sessionEventSources = ["agent", "guest", "system"] as const;
export type SessionEventSource = (typeof sessionEventSources)[number];

/** A person in a session event. Unknown members are `""`. */
export type Person = { email: string; phone: string; firstname: string; lastname: string };

/** The user whom an entry names as its agent. Without a user the person is empty. */
export type EntryAgent = Readonly<{ id: number | null; person: Person }>;

/** A position, WGS84. */
export type Geoloc = { lat: number; lng: number };

/** A timeline entry without ticket and time. */
export type TimelineEvent = Readonly<{
  eventType: SessionEventType;
  source: SessionEventSource;
  /** The attributes of the type, in the order of the reference. */
  attributes: Readonly<Record<string, unknown>>;
  /** The user whom the attribute `agent` names; kept beside the copy of the name, and not shown. */
  agentId?: number | null;
}>;

/** An entry of a ticket's timeline, before it has an id. */
export type TimelineEntry = TimelineEvent &
  Readonly<{ enterpriseId: number; ticketId: number; conversationId: number; at: Date }>;
