import type { ConferenceInvitation } from "../contracts/invitations.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import { conferenceStatuses } from "../contracts/conferences.ts";
import type { Conference } from "./model.ts";
import type { Participant } from "./guest-store.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";

/** Strict schemas of the answers. */
const party = exactObject("UserReference", { id: integer, name: text });

const properties = {
  id: integer,
  name: text,
  created: timestamp,
  modified: timestamp,
  start_time: timestamp,
  end_time: timestamp,
  status: { type: "string", enum: conferenceStatuses },
  room_name: { type: "string", pattern: "^[0-9a-f]{32}:[0-9a-f]{32}$" },
  url: text,
  short_url: text,
  sip_phone_number: { type: "string", description: "Empty if there is no dial-in." },
  sip_dtmf_code: { type: "string", pattern: "^[0-9]{9}$" },
  organizer: party,
  created_by: party,
  service_key: text,
  moderator: party,
};

export const conferenceAnswer: JsonSchema = exactObject("Conference", properties);

export const createdConferenceAnswer: JsonSchema = {
  ...exactObject("CreatedConference", properties),
  properties: {
    ...properties,
    sso_url: {
      type: "string",
      description:
        "Only with scope=sso. The room's address with a token that admits its holder as moderator. " +
        "It is valid for this room only, until the conference ends.",
    },
  },
};

export const conferenceListAnswer: JsonSchema = listOf("ConferenceList", conferenceAnswer);

export const invitationListAnswer: JsonSchema = listOf(
  "ConferenceInvitationList",
  exactObject("ConferenceInvitation", {
    id: integer,
    channel: { type: "string", enum: ["email", "sms"] },
    recipient: text,
  }),
);

export const participantListAnswer: JsonSchema = listOf(
  "ConferenceParticipantList",
  exactObject("ConferenceParticipant", {
    kind: {
      type: "string",
      enum: ["invited", "attended"],
      description:
        "`invited`: on the guest list. `attended`: was admitted to the room. All guests share " +
        "one link, so the two cannot be matched.",
    },
    name: nullableText,
    email: nullableText,
    phone: nullableText,
    role: nullableText,
    user_id: nullableInteger,
    invited: nullableTimestamp,
    joined: nullableTimestamp,
    left: nullableTimestamp,
    is_present: flag,
  }),
);

const roomRole = {
  type: "string",
  enum: ["organizer", "moderator", "participant", "waiting"],
};

export const accessAnswer: JsonSchema = exactObject("ConferenceAccess", {
  access: { type: "boolean", description: "Whether the caller may enter, or wait to be admitted." },
  role: { ...roomRole, type: ["string", "null"], enum: [...roomRole.enum, null] },
  must_wait: {
    type: "boolean",
    description: "A moderator must admit the caller first.",
  },
  moderation: { type: "boolean", description: "Guests wait until somebody admits them." },
  password_required: {
    type: "boolean",
    description: "For everyone except the organizer and the moderator.",
  },
  undecryptable: {
    type: "array",
    items: { type: "string", enum: ["password"] },
    description:
      "Values that the platform cannot decrypt. Until the password is replaced or removed, no guest can enter.",
  },
  reason: {
    type: ["string", "null"],
    enum: ["password", "undecryptable", "locked", "ended", "cancelled", null],
    description: "Why the caller has no access; null if they have.",
  },
  status: { type: "string", enum: conferenceStatuses },
});

export const roomTokenAnswer: JsonSchema = exactObject("ConferenceRoomToken", {
  room_token: text,
  token_type: { type: "string", const: "Bearer" },
  expires_in: { type: "integer", description: "Seconds." },
  role: roomRole,
  name: { type: "string", description: "The name that others see; may be empty." },
  conference: exactObject("RoomConference", {
    name: text,
    status: { type: "string", enum: conferenceStatuses },
    start_time: timestamp,
    end_time: timestamp,
    moderation: flag,
  }),
});

export const sipMappingAnswer: JsonSchema = exactObject("SipMapping", {
  conference_id: integer,
  room_name: text,
  moderation: { type: "boolean", description: "The phone caller waits to be admitted." },
  sip_uri: text,
});

/** `sso_url` only if it was requested. */
export function presentConference(conference: Conference, baseUrl: string, ssoToken?: string) {
  return {
    id: conference.id,
    name: conference.name,
    created: toTimestamp(conference.createdAt),
    modified: toTimestamp(conference.modifiedAt),
    start_time: toTimestamp(conference.startTime),
    end_time: toTimestamp(conference.endTime),
    status: conference.status,
    room_name: conference.roomName,
    url: roomUrl(conference, baseUrl),
    short_url: shortUrl(conference, baseUrl),
    sip_phone_number: conference.sipPhoneNumber,
    sip_dtmf_code: conference.sipDtmfCode,
    organizer: conference.organizer,
    created_by: conference.createdBy,
    service_key: conference.serviceKey,
    moderator: conference.moderator,
    ...(ssoToken === undefined ? {} : { sso_url: ssoUrl(conference, baseUrl, ssoToken) }),
  };
}

export function shortUrl({ shortCode }: Pick<Conference, "shortCode">, baseUrl: string): string {
  return `${baseUrl}/s/${shortCode}`;
}

/** The room URL with an access token, for staff who are not signed in. */
export function ssoUrl(conference: Conference, baseUrl: string, token: string): string {
  return `${roomUrl(conference, baseUrl)}?access_token=${token}`;
}

export function roomUrl(
  { serviceKey, roomName }: Pick<Conference, "serviceKey" | "roomName">,
  baseUrl: string,
): string {
  return `${baseUrl}/m/${serviceKey}/${roomName}`;
}

export function presentParticipant(participant: Participant) {
  return {
    kind: participant.kind,
    name: participant.name,
    email: participant.email,
    phone: participant.phone,
    role: participant.role,
    user_id: participant.userId,
    invited: toTimestampOrNull(participant.invitedAt),
    joined: toTimestampOrNull(participant.joinedAt),
    left: toTimestampOrNull(participant.leftAt),
    is_present: participant.isPresent,
  };
}

export function presentInvitations(sent: readonly ConferenceInvitation[]) {
  return {
    total: sent.length,
    data: sent.map(({ invitationId, channel, recipient }) => ({
      id: invitationId,
      channel,
      recipient,
    })),
  };
}
