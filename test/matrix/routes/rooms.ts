/** Conferences, conversations, sessions and files. */
import { aMessage } from "../../support/hl7.ts";
import { tinyPng } from "../../support/media.ts";
import { multipart } from "../../support/multipart.ts";
import type { ClassifiedRoutes } from "./kinds.ts";
import {
  conferences,
  conversations,
  hl7,
  readMedia,
  readStatistics,
  sip,
  watchRooms,
  writeMedia,
} from "./roles.ts";

const conference = {
  family: "solution",
  target: "conference",
  status: 200,
  access: conferences,
} as const;
const listed = { ...conference, target: "none" } as const;
const conversation = { family: "platform", target: "conversation", status: 200 } as const;
const media = { family: "platform", target: "media", status: 200 } as const;

const statistics = {
  family: "solution",
  access: readStatistics,
  target: "ownEnterprise",
  status: 200,
} as const;
const ofSessions: ClassifiedRoutes[string] = {
  ...{ ...statistics, family: "platform" },
  query: ({ conferenceServiceKey }) => `?service_key=${conferenceServiceKey}`,
};

const picture = { name: "photo.png", type: "image/png", data: tinyPng };

export const roomRoutes: ClassifiedRoutes = {
  "POST /conferences": {
    ...{ ...listed, status: 201 },
    body: () => ({ participants: "jane@example.com" }),
  },
  "GET /conferences": listed,
  "GET /conferences/{conferenceId}": conference,
  "PATCH /conferences/{conferenceId}": {
    ...{ ...conference, conferenceConflictIn: "ended" },
    body: () => ({ name: "Another name" }),
  },
  "DELETE /conferences/{conferenceId}": {
    ...{ ...conference, status: 204, conferenceConflictIn: "ended" },
  },
  "POST /conferences/{conferenceId}/end": {
    ...{ ...conference, conference: "ongoing", conferenceConflictIn: "scheduled" },
  },
  "POST /conferences/{conferenceId}/invitations": {
    ...{ ...conference, conferenceConflictIn: "ended" },
    body: () => ({ participants: "jane@example.com" }),
  },
  "GET /conferences/{conferenceId}/participants": conference,
  "GET /conferences/{conferenceId}/sessions": conference,
  // Callers without reach are treated as guests, and get a guest's response.
  "GET /conferences/{conferenceId}/checkAccess": { ...conference, ignoresReach: true },
  "POST /conferences/{conferenceId}/room-token": { ...conference, isReading: true },
  "GET /conferences/{conferenceId}/media": { ...conference, access: readMedia },
  "GET /sip/mapper": {
    ...{ family: "solution", access: sip, target: "dialIn", status: 200 },
    query: (_tenant, { code }) => `?code=${code}`,
  },

  "POST /hl7": {
    ...{ family: "solution", access: hl7, target: "none", status: 200 },
    sends: () => ({ raw: aMessage(), headers: { "content-type": "application/hl7-v2" } }),
  },
  "GET /hl7/messages": { family: "solution", access: hl7, target: "none", status: 200 },
  "GET /hl7/messages/{messageId}": { family: "solution", access: hl7, target: "hl7", status: 200 },

  "GET /conversations": { ...conversation, access: conversations, target: "none" },
  "GET /conversations/{conversationId}": { ...conversation, access: conversations },
  "GET /conversations/{conversationId}/messages": { ...conversation, access: conversations },
  "POST /conversations/{conversationId}/messages": {
    ...{ ...conversation, access: conversations, status: 201 },
    body: () => ({ text: "Good morning" }),
  },
  "GET /conversations/{conversationId}/timeline": { ...conversation, access: conversations },

  "GET /rooms": { family: "solution", access: conversations, target: "none", status: 200 },
  "POST /rooms/{sessionId}/supervisor-token": {
    ...{ family: "solution", access: watchRooms, target: "runningSession", status: 200 },
  },

  "GET /sessions": {
    ...{ family: "platform", access: readStatistics, target: "none", status: 200 },
    query: ({ conferenceServiceKey }) => `?service_key=${conferenceServiceKey}`,
  },
  "GET /sessions/{sessionId}": {
    ...{ family: "platform", access: readStatistics, target: "session", status: 200 },
  },

  "POST /medias": {
    ...{ family: "platform", access: writeMedia, target: "ticket", status: 201, state: "opened" },
    sends: (_tenant, _actor, { ticketId = 0 }) => multipart({ ticketId }, picture),
  },
  "GET /medias": { ...media, access: readMedia, target: "none" },
  "GET /medias/{mediaId}": { ...media, access: readMedia },
  "PATCH /medias/{mediaId}": {
    ...{ ...media, access: writeMedia },
    body: () => ({ title: "Another title" }),
  },
  "DELETE /medias/{mediaId}": { ...media, access: writeMedia, status: 204 },
  "GET /medias/{mediaId}/download": { ...media, access: readMedia },
  "POST /medias/{mediaId}/ocr": {
    ...{ ...media, access: writeMedia, target: "mediaOfTicket", status: 202 },
    body: () => ({}),
  },
  "GET /tickets/{ticketId}/medias": {
    ...{ family: "solution", access: readMedia, target: "ticket", status: 200 },
  },
  "GET /enterprises/{enterpriseId}/tickets/{ticketId}/medias": {
    ...{ family: "solution", access: readMedia, target: "ticketOfEnterprise", status: 200 },
  },
  "GET /enterprises/{enterpriseId}/tickets-stats": statistics,
  "GET /enterprises/{enterpriseId}/tickets-stats/rows": statistics,
  "GET /enterprises/{enterpriseId}/tickets-stats/summary": statistics,
  "GET /enterprises/{enterpriseId}/sessions-stats": ofSessions,
  "GET /enterprises/{enterpriseId}/sessions-stats/summary": ofSessions,
};
