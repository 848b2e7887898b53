import {
  exactObject,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { stayRoles } from "../ports.ts";

const named = (title: string): JsonSchema => exactObject(title, { id: integer, name: text });

const statistic = {
  id: { type: "string", format: "uuid" },
  start_time: timestamp,
  end_time: timestamp,
  billing_duration: integer,
  total_participant_count: integer,
  organizer: named("SessionOrganizer"),
  enterprise: named("SessionEnterprise"),
  service: exactObject("SessionService", { id: integer, key: text, name: text }),
  type: { type: "string", enum: ["conference", "ticket"] },
};

export const sessionListAnswer: JsonSchema = exactObject("SessionStatisticList", {
  total: integer,
  since: timestamp,
  until: timestamp,
  data: { type: "array", items: exactObject("SessionStatistic", statistic) },
});

export const sessionAnswer: JsonSchema = exactObject("Session", {
  ...statistic,
  participants: {
    type: "array",
    items: exactObject("SessionParticipant", {
      name: text,
      role: { type: "string", enum: stayRoles },
      user_id: nullableInteger,
      start_time: timestamp,
      end_time: timestamp,
      duration: integer,
    }),
  },
});

const timestampOrNull: JsonSchema = { ...timestamp, type: ["string", "null"] };

const ofSubject = {
  id: { type: "string", format: "uuid" },
  start_time: timestamp,
  end_time: timestampOrNull,
  end_reason: { ...nullableText, enum: ["empty", "ended", "limit", "crash", null] },
  billing_duration: nullableInteger,
};

export const ticketSessionsAnswer: JsonSchema = listOf(
  "TicketSessionList",
  exactObject("TicketSession", {
    ...ofSubject,
    call_duration: nullableInteger,
    total_participant_count: integer,
  }),
);

export const conferenceSessionsAnswer: JsonSchema = listOf(
  "ConferenceSessionList",
  exactObject("ConferenceSession", {
    ...ofSubject,
    total_participant_count: integer,
    participants: {
      type: "array",
      items: exactObject("ConferenceSessionParticipant", {
        name: text,
        role: { type: "string", enum: stayRoles },
        user_id: nullableInteger,
        start_time: timestamp,
        end_time: timestampOrNull,
      }),
    },
  }),
);

const paging = {
  order: { type: "string", enum: ["asc", "desc"] },
  limit: { type: "integer" },
  offset: { type: "integer" },
};

export const sessionListQuery: JsonSchema = {
  type: "object",
  properties: {
    service_key: { type: "string", maxLength: 64 },
    since: { type: "string", maxLength: 40 },
    until: { type: "string", maxLength: 40 },
    type: { type: "string", enum: ["conference", "ticket"] },
    orderby: { type: "string", enum: ["date", "start_time"] },
    ...paging,
  },
};

export type SessionListQuery = {
  service_key?: string;
  since?: string;
  until?: string;
  type?: "conference" | "ticket";
  orderby?: "date" | "start_time";
  order?: "asc" | "desc";
  limit?: number;
  offset?: number;
};

export const sessionParams: JsonSchema = {
  type: "object",
  required: ["sessionId"],
  properties: { sessionId: { type: "string", format: "uuid" } },
};

export const ticketParams: JsonSchema = {
  type: "object",
  required: ["ticketId"],
  properties: { ticketId: { type: "integer", minimum: 1 } },
};

export const conferenceParams: JsonSchema = {
  type: "object",
  required: ["conferenceId"],
  properties: { conferenceId: { type: "integer", minimum: 1 } },
};

export const subjectSessionsQuery: JsonSchema = { type: "object", properties: paging };

export type SubjectSessionsQuery = Pick<SessionListQuery, "order" | "limit" | "offset">;
