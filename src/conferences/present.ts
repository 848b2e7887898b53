import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import type { Conference } from "./conference.ts";
import type { Participant } from "./guest-store.ts";
import type { SentInvitation } from "./ports.ts";

/** `sso_url` only where it was asked for. */
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

/** The room's address with a token in it, for staff who are not signed in here. */
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

export function presentInvitations(sent: readonly SentInvitation[]) {
  return {
    total: sent.length,
    data: sent.map(({ invitationId, channel, recipient }) => ({
      id: invitationId,
      channel,
      recipient,
    })),
  };
}
