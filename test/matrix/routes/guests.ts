/** Operations for participants of rooms, with a room token. */
import { createHash, randomUUID } from "node:crypto";
import type { RoomRole } from "../../../src/http/route.ts";
import { aTenantInvitation, aTenantSession, insertRow } from "../../support/tenant-objects.ts";
import { aRunningSession } from "../../support/tenant-objects.ts";
import { type TenantRoom } from "../../support/tenant-rooms.ts";
import { recordedChunks, tinyPng } from "../../support/media.ts";
import { multipart } from "../../support/multipart.ts";
import type { ApiCall } from "../../support/whole-api.ts";
import type { Ids } from "./kinds.ts";
import type { Fixture } from "../targets/target.ts";

export type GuestClassified = Readonly<{
  /** Roles that may call the operation. The others get a 403. */
  roles: readonly RoomRole[];
  status: 200 | 201 | 202 | 204;
  /** Not a GET, but changes nothing that is stored. */
  isReading?: true;
  /** Prepares the room. Returns the path parameters. */
  ready?: (fixture: Fixture, room: TenantRoom) => Promise<Ids | void>;
  body?: unknown;
  sends?: () => Promise<ApiCall> | ApiCall;
  /** Still works after the ticket was deleted, so that a recording can be completed. */
  outlivesTicket?: true;
}>;

const customer = ["requestor"] as const;
const staff = ["agent", "organizer", "moderator"] as const;
const admitted = [
  ...(["agent", "requestor", "expert"] as const),
  ...(["organizer", "moderator", "participant"] as const),
] as const;

const step = { roles: customer, status: 204 } as const;

function owner({ guest }: TenantRoom) {
  return {
    enterprise_id: guest.enterpriseId,
    ticket_id: guest.ticketId,
  };
}

async function consent({ db }: Fixture, room: TenantRoom): Promise<void> {
  await insertRow(db, "consents", {
    ...owner(room),
    visit: room.guest.visit,
    text_version: "2026-11",
    language: "en",
    network: "127.0.0.0/24",
  });
}

async function devices(fixture: Fixture, room: TenantRoom): Promise<void> {
  await consent(fixture, room);
  const row = { ...owner(room), kind: "devices", occasion: room.guest.visit };
  await fixture.db("guest_answers").insert(row);
}

async function positionRequest(fixture: Fixture, room: TenantRoom): Promise<Ids> {
  await consent(fixture, room);
  const requestId = randomUUID();
  await fixture.db("position_requests").insert({ ...owner(room), id: requestId });
  return { requestId };
}

async function endedSession({ db }: Fixture, { guest, tenant }: TenantRoom): Promise<void> {
  await aTenantSession(db, tenant, guest);
}

/** A running session whose customer has consented to recording. */
async function recordingConsent({ db }: Fixture, { guest }: TenantRoom): Promise<void> {
  const { enterpriseId: enterprise_id, conversationId: conversation_id } = guest;
  const [running] = await db("sessions").where({ conversation_id, ended_at: null });
  await db("recording_consents").insert({
    ...{ session_id: running?.id ?? (await aRunningSession(db, guest)) },
    ...{ participant: "requestor", enterprise_id, is_accepted: true, answered_at: new Date() },
  });
}

async function aPhoto({ db }: Fixture, { guest, tenant }: TenantRoom): Promise<Ids> {
  const mediaId = await insertRow(db, "media", {
    enterprise_id: guest.enterpriseId,
    hash: randomUUID(),
    ticket_id: guest.ticketId,
    conference_id: guest.conferenceId,
    conversation_id: guest.conversationId,
    source_type: guest.ticketId === null ? "conf_snapshot" : "ticket_snapshot",
    ...{ title: tenant.mark, filename: `${tenant.mark}.png`, mime_type: "image/png" },
    ...{ state: "completed", bytes: 70 },
  });
  return { mediaId };
}

function aRecording(chunks: readonly number[]) {
  return async ({ db }: Fixture, { guest, tenant }: TenantRoom): Promise<Ids> => {
    const recordingId = await insertRow(db, "media", {
      enterprise_id: guest.enterpriseId,
      hash: randomUUID(),
      ticket_id: guest.ticketId,
      conference_id: guest.conferenceId,
      conversation_id: guest.conversationId,
      source_type: guest.ticketId === null ? "conf_record" : "ticket_record",
      title: tenant.mark,
      filename: `${tenant.mark}.webm`,
      mime_type: "video/webm",
      last_chunk_at: new Date(),
    });
    for (const number of chunks) {
      const sha256 = createHash("sha256").update(String(number)).digest();
      await db("recording_chunks").insert({
        ...{ media_id: recordingId, number, bytes: 1, sha256, stored_at: new Date() },
      });
    }
    return { recordingId, number: chunks.length };
  };
}

export const guestRoutes: Readonly<Record<string, GuestClassified>> = {
  "GET /guest/visit": { roles: customer, status: 200 },
  "GET /guest/ice": { roles: customer, status: 200, ready: consent },
  "POST /guest/click": {
    ...{ ...step, body: {} },
    ready: async ({ db }, { guest, tenant }) => {
      await aTenantInvitation(db, tenant, guest.ticketId ?? 0);
    },
  },
  "POST /guest/decline": {
    ...step,
    ready: async ({ db }, { guest }) => {
      await db("tickets").where({ id: guest.ticketId }).update({ state: "invited" });
    },
  },
  "POST /guest/consent": {
    ...{ roles: customer, status: 200 },
    body: { terms: true, privacy: true, textVersion: "2026-11", language: "en" },
  },
  "POST /guest/position-requests/{requestId}/answer": {
    ...{ ...step, ready: positionRequest },
    body: { geoloc: { lat: 48.65, lng: -3.36 } },
  },
  "POST /guest/devices": { ...step, ready: consent, body: { camera: true, microphone: false } },
  "POST /guest/accept": { ...step, ready: devices },
  "GET /guest/survey": { roles: customer, status: 200, ready: endedSession },
  "POST /guest/survey": {
    ...{ ...step, ready: endedSession },
    body: { questions: [{ id: 1, answer: "Satisfied" }] },
  },
  "GET /guest/messages": { roles: admitted, status: 200 },
  "POST /guest/messages": { roles: admitted, status: 201, body: { text: "Good morning" } },
  "POST /guest/medias": {
    ...{ roles: admitted, status: 201 },
    sends: () => multipart({}, { name: "photo.png", type: "image/png", data: tinyPng }),
  },
  "GET /guest/medias/{mediaId}": { roles: admitted, status: 200, ready: aPhoto },
  "POST /rtc/recordings": {
    ...{ roles: staff, status: 201, ready: recordingConsent },
    body: { type: "video/webm" },
  },
  "PUT /rtc/recordings/{recordingId}/chunks/{number}": {
    ...{ roles: staff, status: 200, ready: aRecording([]), outlivesTicket: true },
    sends: async () => ({
      raw: (await recordedChunks())[0] ?? Buffer.alloc(0),
      headers: { "content-type": "video/webm" },
    }),
  },
  "POST /rtc/recordings/{recordingId}/finalize": {
    ...{ roles: staff, status: 202, ready: aRecording([0]), outlivesTicket: true },
    body: { chunks: 1 },
  },
};
