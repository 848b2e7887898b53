/** Schemas of the statistics. */
import { ticketStates } from "../contracts/events.ts";
import { exactObject, integer, nullableInteger, text, timestamp } from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";
import { type DayPeriod, daysOf, statisticsKeys } from "./row.ts";
import type { SessionCounts, SessionSummary } from "./session-summary-store.ts";
import { noTickets, type TicketCounts, type TicketSummary } from "./ticket-store.ts";

const integers: ReadonlySet<string> = new Set([
  ...["ID", "Nombre d'invitations", "Nombre d'invitations email", "Nombre d'invitations SMS"],
  ...["Nombre Appels", "Durée totale des appels (secondes)", "Photos", "Vidéos", "Scans"],
]);

const ticketRow = exactObject(
  "TicketStatistics",
  Object.fromEntries(statisticsKeys.map((key) => [key, typeOf(key)])),
);

export const ticketRowsAnswer: JsonSchema = { type: "array", items: ticketRow };

export const ticketPageAnswer: JsonSchema = exactObject("TicketStatisticsPage", {
  data: { type: "array", items: ticketRow },
  next: nullableInteger,
});

const daySchema = { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" } as const;

const periodMembers = { since: daySchema, until: daySchema, time_zone: text };

const ticketCounts = {
  tickets: integer,
  states: {
    title: "TicketStateCounts",
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(ticketStates.map((state) => [state, integer])),
  },
  answered: integer,
  emails: integer,
  sms: integer,
  calls: integer,
  call_seconds: integer,
  photos: integer,
  videos: integer,
};

export const ticketSummaryAnswer: JsonSchema = exactObject("TicketSummary", {
  ...periodMembers,
  total: exactObject("TicketCounts", ticketCounts),
  days: array(exactObject("TicketCountsOfDay", { day: daySchema, ...ticketCounts })),
  services: array(
    exactObject("TicketCountsOfService", { id: integer, name: text, ...ticketCounts }),
  ),
  agents: array(exactObject("TicketCountsOfAgent", { id: integer, name: text, ...ticketCounts })),
});

const sessionCounts = {
  sessions: integer,
  participants: integer,
  billing_duration: integer,
  duration: integer,
};

export const sessionSummaryAnswer: JsonSchema = exactObject("SessionSummary", {
  ...periodMembers,
  total: exactObject("SessionCounts", sessionCounts),
  days: array(exactObject("SessionCountsOfDay", { day: daySchema, ...sessionCounts })),
  services: array(
    exactObject("SessionCountsOfService", { id: integer, key: text, name: text, ...sessionCounts }),
  ),
});

export const sessionRowsAnswer: JsonSchema = array(
  exactObject("SessionExport", {
    id: { type: "string", format: "uuid" },
    start_time: timestamp,
    end_time: timestamp,
    billing_duration: integer,
    total_participant_count: integer,
    organizer: text,
    service: text,
    service_key: text,
    type: { type: "string", enum: ["conference", "ticket"] },
  }),
);

const dayField = { type: "string", maxLength: 20, format: "day" } as const;

const dayQueryMembers = {
  since: { ...dayField, description: "First day (YYYY-MM-DD); default: today" },
  until: { ...dayField, description: "Last day, inclusive; default: today" },
} as const;

const format = { type: "string", enum: ["JSON", "CSV"], default: "JSON" } as const;

const labels = {
  type: "string",
  enum: ["code"],
  description: "States as codes instead of words",
} as const;

export const ticketRowsQuery: JsonSchema = {
  type: "object",
  properties: {
    format,
    ...dayQueryMembers,
    labels,
    withTrashed: {
      type: "string",
      enum: ["0", "1"],
      description: "Include deleted tickets; administrators only",
    },
  },
};

export type DaysQuery = { since?: string; until?: string };

export type TicketRowsQuery = DaysQuery & {
  format?: "JSON" | "CSV";
  labels?: "code";
  withTrashed?: "0" | "1";
};

export const ticketPageQuery: JsonSchema = {
  type: "object",
  properties: {
    ...dayQueryMembers,
    labels,
    after: { type: "integer", minimum: 0, description: "`next` of the previous page" },
    limit: { type: "integer", minimum: 1, maximum: 100, description: "Default 25" },
  },
};

export type TicketPageQuery = DaysQuery & { labels?: "code"; after?: number; limit?: number };

export const daysQuery: JsonSchema = { type: "object", properties: dayQueryMembers };

const ofSessions = {
  ...dayQueryMembers,
  type: { type: "string", enum: ["conference", "ticket"], description: "Default `conference`" },
  service_key: { type: "string", maxLength: 64 },
};

export const sessionSummaryQuery: JsonSchema = { type: "object", properties: ofSessions };

export const sessionRowsQuery: JsonSchema = {
  type: "object",
  properties: { format, ...ofSessions },
};

export type SessionsQuery = DaysQuery & { type?: "conference" | "ticket"; service_key?: string };

/** Summaries as the API presents them. */
type SummaryHead = Readonly<{ period: DayPeriod; timeZone: string }>;

/** Lists every day of the period, including days without tickets. */
export function presentTicketSummary({
  summary: { total, days, services, agents },
  ...head
}: SummaryHead & Readonly<{ summary: TicketSummary }>) {
  return {
    ...presentHead(head),
    total: presentTickets(total),
    days: daysOf(head.period).map((day) => ({ day, ...presentTickets(days.get(day)) })),
    services: services.map((one) => ({ id: one.id, name: one.name, ...presentTickets(one) })),
    agents: agents.map((one) => ({ id: one.id, name: one.name, ...presentTickets(one) })),
  };
}

function presentTickets(counts: TicketCounts = noTickets) {
  return {
    tickets: counts.tickets,
    states: counts.states,
    answered: counts.answered,
    emails: counts.emails,
    sms: counts.sms,
    calls: counts.calls,
    call_seconds: counts.callSeconds,
    photos: counts.photos,
    videos: counts.videos,
  };
}

export function presentSessionSummary({
  summary: { total, days, services },
  ...head
}: SummaryHead & Readonly<{ summary: SessionSummary }>) {
  return {
    ...presentHead(head),
    total: presentSessions(total),
    days: daysOf(head.period).map((day) => ({ day, ...presentSessions(days.get(day)) })),
    services: services.map((one) => ({
      ...{ id: one.id, key: one.key, name: one.name },
      ...presentSessions(one),
    })),
  };
}

function presentHead({ period: { since, until }, timeZone }: SummaryHead) {
  return {
    ...{ since, until },
    time_zone: timeZone,
  };
}

function presentSessions(counts: SessionCounts | undefined) {
  return {
    sessions: counts?.sessions ?? 0,
    participants: counts?.participants ?? 0,
    billing_duration: counts?.billedSeconds ?? 0,
    duration: counts?.lengthSeconds ?? 0,
  };
}

function typeOf(key: string): JsonSchema {
  if (key === "Type") {
    return { type: ["string", "null"] };
  }
  return { type: integers.has(key) ? "integer" : "string" };
}

function array(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}
