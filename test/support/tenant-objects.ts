/**
 * Objects of an enterprise besides tickets and webhooks. All their texts contain the tenant's mark.
 */
import { randomInt, randomUUID } from "node:crypto";
import { createDiskBlobs } from "../../src/platform/blobs/blobs.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { aUser } from "./factories.ts";
import type { Tenant, TenantTicket } from "./tenant.ts";
import { tinyPng } from "./media.ts";
import { testBox } from "./secret-box.ts";

type Row = Record<string, unknown>;

export async function insertRow<Id = number>(db: Db, table: string, row: Row): Promise<Id> {
  const rows: { id: Id }[] = await db(table).insert(row).returning("id");
  return rows[0]!.id;
}

export type TenantConference = {
  id: number;
  conversationId: number;
  code: string;
  roomName: string;
};

export type ConferenceWish = {
  organizerId: number;
  moderatorId?: number;
  status?: "scheduled" | "ongoing" | "ended" | "cancelled";
  isModerated?: boolean;
};

/** A conference with a guest. */
export async function aTenantConference(
  db: Db,
  { id: enterpriseId, mark, conferenceServiceId }: Tenant,
  { organizerId, moderatorId, status = "scheduled", isModerated = false }: ConferenceWish,
): Promise<TenantConference> {
  const conversationId = await insertRow(db, "conversations", {
    uid: randomUUID(),
    enterprise_id: enterpriseId,
  });
  const code = String(randomInt(100_000_000, 999_999_999));
  const roomName = `${randomIds.hex(16)}:${randomIds.hex(16)}`;
  const id = await insertRow(db, "conferences", {
    enterprise_id: enterpriseId,
    service_id: conferenceServiceId,
    conversation_id: conversationId,
    name: `Meeting ${mark}`,
    status,
    room_name: roomName,
    short_code: randomIds.base62(12),
    sip_dtmf_code: code,
    organizer_id: organizerId,
    created_by: organizerId,
    moderator_id: moderatorId ?? null,
    is_moderated: isModerated,
    message: mark,
    start_time: new Date(),
    end_time: new Date(Date.now() + 3_600_000),
  });
  await insertRow(db, "conference_guests", {
    enterprise_id: enterpriseId,
    conference_id: id,
    email: `guest@${mark}.example`,
  });
  return { id, conversationId, code, roomName };
}

type Parent = Readonly<{ conversationId: number; ticketId?: number; conferenceId?: number }>;

export function ofTicket({ id, conversationId }: TenantTicket): Parent {
  return {
    ticketId: id,
    conversationId,
  };
}

export function ofConference({ id, conversationId }: TenantConference): Parent {
  return {
    conferenceId: id,
    conversationId,
  };
}

/** A completed picture, with its file in the API's blob store. */
export async function aTenantPicture(
  { db, blobDir }: { db: Db; blobDir: string },
  { id: enterpriseId, mark }: Tenant,
  { conversationId, ticketId, conferenceId }: Parent,
  more: Row = {},
): Promise<number> {
  const hash = randomUUID();
  await createDiskBlobs({ dir: blobDir }).put(`media/${hash}/file`, { data: tinyPng });
  return insertRow(db, "media", {
    enterprise_id: enterpriseId,
    hash,
    ticket_id: ticketId ?? null,
    conference_id: conferenceId ?? null,
    conversation_id: conversationId,
    state: "completed",
    source_type: ticketId === undefined ? "conf_snapshot" : "ticket_snapshot",
    title: mark,
    description: mark,
    filename: `${mark}.png`,
    mime_type: "image/png",
    bytes: tinyPng.length,
    owner_name: mark,
    ...more,
  });
}

/** A session that ended ten minutes ago. Returns its id. */
export async function aTenantSession(
  db: Db,
  { id: enterpriseId, mark }: Tenant,
  { conversationId }: Pick<Parent, "conversationId">,
): Promise<string> {
  const id = randomUUID();
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000);
  await db("sessions").insert({
    id,
    enterprise_id: enterpriseId,
    conversation_id: conversationId,
    started_at: at(20),
    met_at: at(19),
    established_at: at(19),
    ended_at: at(10),
    end_reason: "ended",
    finished_at: at(10),
    billing_seconds: 600,
    both_seconds: 540,
    participant_count: 2,
  });
  await insertRow(db, "participations", {
    enterprise_id: enterpriseId,
    session_id: id,
    participant: "requestor",
    role: "requestor",
    name: mark,
    joined_at: at(20),
    last_seen_at: at(10),
    left_at: at(10),
  });
  return id;
}

/** A running session that started a minute ago. Returns its id. */
export async function aRunningSession(
  db: Db,
  { enterpriseId, conversationId }: Pick<Parent, "conversationId"> & { enterpriseId: number },
): Promise<string> {
  const id = randomUUID();
  await db("sessions").insert({
    id,
    enterprise_id: enterpriseId,
    conversation_id: conversationId,
    started_at: new Date(Date.now() - 60_000),
  });
  return id;
}

/** A message that was written in a room. */
export function aTenantChat(
  db: Db,
  { id: enterpriseId, mark }: Tenant,
  { conversationId }: Pick<Parent, "conversationId">,
): Promise<number> {
  return insertRow(db, "chat_messages", {
    enterprise_id: enterpriseId,
    conversation_id: conversationId,
    author: "guest",
    name: mark,
    text: mark,
  });
}

/** An SMS or an email that was sent. */
export async function aTenantMessage(
  db: Db,
  { id: enterpriseId, mark }: Tenant,
  channel: "sms" | "email",
  more: Row = {},
): Promise<{ id: number; uid: string }> {
  const uid = randomUUID();
  const isSms = channel === "sms";
  const id = await insertRow(db, "messages", {
    enterprise_id: enterpriseId,
    channel,
    uid,
    recipient: isSms ? "+33612345678" : `customer@${mark}.example`,
    sender: mark.slice(0, 11),
    subject: isSms ? null : mark,
    text: mark,
    segments: isSms ? 1 : null,
    status: "sent",
    sent_at: new Date(),
    ...more,
  });
  return { id, uid };
}

let made = 0;

/** A template in the next of six languages; replaces an earlier one in that language. */
export async function aTenantTemplate(
  db: Db,
  { id: enterpriseId, mark }: Tenant,
  serviceId: number | null = null,
): Promise<number> {
  const languages = ["fr", "en", "es", "de", "it", "pt"];
  const language = languages[(made += 1) % languages.length];
  const place = { enterprise_id: enterpriseId, service_id: serviceId, language };
  const text = { ...place, kind: "cancel", channel: "sms" };
  await db("templates").where(text).delete();
  return insertRow(db, "templates", { ...text, text: mark });
}

/** An HL7 message with its acknowledgement. */
export async function aTenantHl7(db: Db, { id: enterpriseId, mark }: Tenant): Promise<number> {
  const control = randomIds.hex(8);
  const place = (part: string): string =>
    [`hl7 ${part}`, enterpriseId, mark, mark, control].join("\n");
  return insertRow(db, "hl7_messages", {
    enterprise_id: enterpriseId,
    sending_application: mark,
    sending_facility: mark,
    control_id: control,
    type: "SIU^S12",
    result: "AA",
    body_sealed: testBox.seal(mark, place("message")),
    ack_sealed: testBox.seal(mark, place("ack")),
  });
}

export async function aTenantUser(db: Db, { id, mark }: Tenant, more: Row = {}): Promise<number> {
  const word = randomIds.hex(6);
  const login = `${word}@${mark}.example`;
  const person = { login, email: login, firstname: word, lastname: mark };
  return (await aUser(db, { enterprise_id: id, role: "viewer", ...person, ...more })).id;
}

export function aTenantGroup(db: Db, { id, mark }: Tenant): Promise<number> {
  return insertRow(db, "groups", { enterprise_id: id, name: `${randomIds.hex(6)} ${mark}` });
}

export function aTenantDomain(db: Db, { id, mark }: Tenant): Promise<number> {
  return insertRow(db, "enterprise_domains", {
    enterprise_id: id,
    domain: `${randomIds.hex(6)}.${mark}.example`,
  });
}

export async function aTenantService(db: Db, { id, mark }: Tenant): Promise<number> {
  return insertRow(db, "services", {
    enterprise_id: id,
    service_key: `${mark}${randomIds.hex(10)}`,
    name: `Another ${mark}`,
    description: mark,
    kind: "ticket",
  });
}

export function aTenantButton(db: Db, { id, mark }: Tenant, serviceId: number): Promise<number> {
  return insertRow(db, "buttons", {
    enterprise_id: id,
    service_id: serviceId,
    name: `Door ${mark}`,
  });
}

/** An invitation to a ticket that was not opened. */
export async function aTenantInvitation(db: Db, tenant: Tenant, ticketId: number): Promise<number> {
  const { id } = await aTenantMessage(db, tenant, "email", { ticket_id: ticketId });
  return insertRow(db, "invitations", {
    enterprise_id: tenant.id,
    ticket_id: ticketId,
    message_id: id,
    channel: "email",
  });
}
