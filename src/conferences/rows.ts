/** The columns of a conference and how they are read. For the stores only: rows go no further. */
import type { Conference, ConferenceUser, ConferenceStatus } from "./model.ts";

export type ConferenceRow = {
  id: number;
  enterprise_id: number;
  service_id: number;
  service_key: string;
  conversation_id: number;
  name: string;
  status: ConferenceStatus;
  room_name: string;
  short_code: string;
  sip_phone_number: string;
  sip_dtmf_code: string;
  organizer: ConferenceUser;
  creator: ConferenceUser;
  moderator: ConferenceUser;
  is_moderated: boolean;
  is_open: boolean;
  is_locked: boolean;
  language: string | null;
  message: string | null;
  password_sealed: Buffer | null;
  reminder_minutes: number | null;
  reminded_for: Date | null;
  start_time: Date;
  end_time: Date;
  created_at: Date;
  modified_at: Date;
};

// Sub-selects, not joins: read again after a wait for a row lock, an outer join whose key changed
// meanwhile would come back empty.
export const conferenceColumns = `c.id, c.enterprise_id, c.service_id, c.conversation_id, c.name,
  c.status, c.room_name, c.short_code, c.sip_dtmf_code, c.is_moderated, c.is_open, c.is_locked,
  c.language, c.message, c.password_sealed, c.reminder_minutes, c.reminded_for, c.start_time,
  c.end_time, c.created_at, c.modified_at,
  (SELECT s.service_key FROM services s WHERE s.id = c.service_id) AS service_key,
  (SELECT e.sip_phone_number FROM enterprises e WHERE e.id = c.enterprise_id) AS sip_phone_number,
  ${party("c.organizer_id", "organizer")},
  ${party("c.created_by", "creator")},
  ${party("coalesce(c.moderator_id, c.organizer_id)", "moderator")}`;

export function toConference(row: ConferenceRow): Conference {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    serviceId: row.service_id,
    serviceKey: row.service_key,
    conversationId: row.conversation_id,
    name: row.name,
    status: row.status,
    roomName: row.room_name,
    shortCode: row.short_code,
    sipPhoneNumber: row.sip_phone_number,
    sipDtmfCode: row.sip_dtmf_code,
    organizer: row.organizer,
    createdBy: row.creator,
    moderator: row.moderator,
    isModerated: row.is_moderated,
    isOpen: row.is_open,
    isLocked: row.is_locked,
    language: row.language,
    message: row.message,
    passwordSealed: row.password_sealed,
    reminderMinutes: row.reminder_minutes,
    remindedFor: row.reminded_for,
    startTime: row.start_time,
    endTime: row.end_time,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

function party(userId: string, name: string): string {
  return `
  (SELECT json_build_object('id', u.id, 'name',
      coalesce(nullif(trim(u.firstname || ' ' || u.lastname), ''), u.login))
    FROM users u WHERE u.id = ${userId}) AS ${name}`;
}
