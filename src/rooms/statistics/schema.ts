import type { PageRule } from "../../http/paging.ts";
import {
  exactObject,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import {
  idParams,
  orderQuery,
  pageQueryOf,
  periodQuery,
  type OrderedPageQuery,
} from "../../http/request-schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { stayRoles } from "../ports.ts";

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

const ofSubject = {
  id: { type: "string", format: "uuid" },
  start_time: timestamp,
  end_time: nullableTimestamp,
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
        end_time: nullableTimestamp,
      }),
    },
  }),
);

export const sessionPage: PageRule = { defaultLimit: 100, maxLimit: 1_000 };

export const sessionListQuery: JsonSchema = {
  type: "object",
  properties: {
    service_key: { type: "string", maxLength: 64 },
    ...periodQuery,
    type: { type: "string", enum: ["conference", "ticket"] },
    orderby: { type: "string", enum: ["date", "start_time"] },
    ...orderQuery,
    ...pageQueryOf(sessionPage),
  },
};

export type SessionListQuery = {
  service_key?: string;
  since?: string;
  until?: string;
  type?: "conference" | "ticket";
  orderby?: "date" | "start_time";
} & OrderedPageQuery;

export const sessionParams: JsonSchema = {
  type: "object",
  required: ["sessionId"],
  properties: { sessionId: { type: "string", format: "uuid" } },
};

export const ticketParams = idParams("ticketId");

export const conferenceParams = idParams("conferenceId");

function named(title: string): JsonSchema {
  return exactObject(title, { id: integer, name: text });
}
