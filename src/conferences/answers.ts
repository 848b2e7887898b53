/** What the operations answer, as strict schemas. */
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
} from "../http/answer-schema.ts";
import type { JsonSchema } from "../http/route.ts";
import { conferenceStatuses } from "./model.ts";

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
  sip_phone_number: { type: "string", description: "Empty where there is no dial-in." },
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
        "Only with scope=sso. The room's address with a token that lets in as its moderator. " +
        "It opens this room and nothing else, and ends with the conference.",
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
        "`invited`: on the list of guests. `attended`: was let into the room. All guests share " +
        "one link, so the two are not matched.",
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
  access: { type: "boolean", description: "Whether the caller may come in, or wait to." },
  role: { ...roomRole, type: ["string", "null"], enum: [...roomRole.enum, null] },
  must_wait: {
    type: "boolean",
    description: "A moderator has to let the caller in first.",
  },
  password_required: {
    type: "boolean",
    description: "Of everybody but the organizer and the moderator.",
  },
  reason: {
    type: ["string", "null"],
    enum: ["password", "locked", "ended", "cancelled", null],
    description: "Why there is no access; null where there is.",
  },
  status: { type: "string", enum: conferenceStatuses },
});

export const roomTokenAnswer: JsonSchema = exactObject("ConferenceRoomToken", {
  room_token: text,
  token_type: { type: "string", const: "Bearer" },
  expires_in: { type: "integer", description: "Seconds." },
  role: roomRole,
  name: { type: "string", description: "As others see this participant; may be empty." },
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
  moderation: { type: "boolean", description: "The phone caller waits to be let in." },
  sip_uri: text,
});
