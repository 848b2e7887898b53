/** How long people had which connection quality, as their pages reported it. */
import { invalidParameter } from "../../contracts/problems.ts";
import { callQualities, type CallQuality } from "../../contracts/room-messages.ts";
import { participantRoles } from "../../contracts/signalling.ts";
import type { PageRule } from "../../http/paging.ts";
import type { JsonSchema } from "../../http/route.ts";
import {
  exactObject,
  idParams,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  type OrderedPageQuery,
  orderQuery,
  pageQueryOf,
  periodQuery,
  text,
  timestamp,
} from "../../http/schema.ts";
import { parseBound } from "../../http/values.ts";
import { dayMs } from "../../platform/clock.ts";

/** Null: the page reported no quality. */
export type QualityTimes = Readonly<Record<CallQuality, number>> | null;

/** The columns of `participations`, or their sums. */
export type QualityColumns = Readonly<Record<`${CallQuality}_ms`, number | null>>;

const qualityAnswer = {
  anyOf: [
    exactObject(
      "QualitySeconds",
      ofEach(() => integer),
    ),
    { type: "null" },
  ],
};

export function toQualityTimes(row: QualityColumns): QualityTimes {
  return callQualities.every((quality) => row[`${quality}_ms`] === null)
    ? null
    : ofEach((quality) => row[`${quality}_ms`] ?? 0);
}

/** The times of several participations of one person. */
export function sumQualities(times: readonly QualityTimes[]): QualityTimes {
  const known = times.filter((one) => one !== null);
  return known.length === 0
    ? null
    : ofEach((quality) => known.reduce((sum, one) => sum + one[quality], 0));
}

/** In whole seconds. */
export function presentQuality(times: QualityTimes) {
  return times === null ? null : ofEach((quality) => Math.round(times[quality] / 1_000));
}

function ofEach<T>(valueOf: (quality: CallQuality) => T): Record<CallQuality, T> {
  return { good: valueOf("good"), fair: valueOf("fair"), poor: valueOf("poor") };
}

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
      role: { type: "string", enum: participantRoles },
      user_id: nullableInteger,
      start_time: timestamp,
      end_time: timestamp,
      duration: integer,
      quality: qualityAnswer,
    }),
  },
});

const subjectSessionMembers = {
  id: { type: "string", format: "uuid" },
  start_time: timestamp,
  end_time: nullableTimestamp,
  end_reason: { ...nullableText, enum: ["empty", "ended", "limit", "crash", null] },
  billing_duration: nullableInteger,
};

const subjectParticipants = {
  type: "array",
  items: exactObject("SubjectSessionParticipant", {
    name: text,
    role: { type: "string", enum: participantRoles },
    user_id: nullableInteger,
    start_time: timestamp,
    end_time: nullableTimestamp,
    quality: qualityAnswer,
  }),
};

export const ticketSessionsAnswer: JsonSchema = listOf(
  "TicketSessionList",
  exactObject("TicketSession", {
    ...subjectSessionMembers,
    call_duration: nullableInteger,
    total_participant_count: integer,
    participants: subjectParticipants,
  }),
);

export const conferenceSessionsAnswer: JsonSchema = listOf(
  "ConferenceSessionList",
  exactObject("ConferenceSession", {
    ...subjectSessionMembers,
    total_participant_count: integer,
    participants: subjectParticipants,
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

export type SessionPeriod = Readonly<{ since: Date; until: Date }>;

const maxDays = 31;

/** Parses the period: end exclusive, at most 31 days. */
export function parseSessionPeriod(
  query: { since?: string; until?: string },
  now: Date,
): SessionPeriod {
  const period = resolvePeriod(
    parseBound("since", query.since),
    parseBound("until", query.until),
    now,
  );
  const lengthMs = period.until.getTime() - period.since.getTime();
  if (lengthMs <= 0) {
    throw invalidParameter("until", "range", "The end of the period must be after its start.");
  }
  if (lengthMs > maxDays * dayMs) {
    throw invalidParameter("until", "range", `The period may have ${maxDays} days at most.`);
  }
  return period;
}

/** Default: today in UTC. With one bound, one day from it. */
function resolvePeriod(since: Date | undefined, until: Date | undefined, now: Date): SessionPeriod {
  if (since !== undefined) {
    return { since, until: until ?? new Date(since.getTime() + dayMs) };
  }
  const start = until === undefined ? midnight(now) : until.getTime() - dayMs;
  return { since: new Date(start), until: until ?? new Date(start + dayMs) };
}

function midnight(date: Date): number {
  return Math.floor(date.getTime() / dayMs) * dayMs;
}

function named(title: string): JsonSchema {
  return exactObject(title, { id: integer, name: text });
}
