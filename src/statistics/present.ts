/** Summaries as the API shows them. Pure. */
import { daysOf, type Period } from "./period.ts";
import type { SessionCounts, SessionSummary } from "./session-summary-store.ts";
import { noTickets, type TicketCounts, type TicketSummary } from "./ticket-summary-store.ts";

type Head = Readonly<{ period: Period; timeZone: string }>;

const presentHead = ({ period: { since, until }, timeZone }: Head) => ({
  ...{ since, until },
  time_zone: timeZone,
});

const presentTickets = (counts: TicketCounts = noTickets) => ({
  tickets: counts.tickets,
  states: counts.states,
  answered: counts.answered,
  emails: counts.emails,
  sms: counts.sms,
  calls: counts.calls,
  call_seconds: counts.callSeconds,
  photos: counts.photos,
  videos: counts.videos,
});

/** Every day of the period, also those on which nothing happened. */
export const presentTicketSummary = ({
  summary: { total, days, services, agents },
  ...head
}: Head & Readonly<{ summary: TicketSummary }>) => ({
  ...presentHead(head),
  total: presentTickets(total),
  days: daysOf(head.period).map((day) => ({ day, ...presentTickets(days.get(day)) })),
  services: services.map((one) => ({ id: one.id, name: one.name, ...presentTickets(one) })),
  agents: agents.map((one) => ({ id: one.id, name: one.name, ...presentTickets(one) })),
});

const presentSessions = (counts: SessionCounts | undefined) => ({
  sessions: counts?.sessions ?? 0,
  participants: counts?.participants ?? 0,
  billing_duration: counts?.billedSeconds ?? 0,
  duration: counts?.lengthSeconds ?? 0,
});

export const presentSessionSummary = ({
  summary: { total, days, services },
  ...head
}: Head & Readonly<{ summary: SessionSummary }>) => ({
  ...presentHead(head),
  total: presentSessions(total),
  days: daysOf(head.period).map((day) => ({ day, ...presentSessions(days.get(day)) })),
  services: services.map((one) => ({
    ...{ id: one.id, key: one.key, name: one.name },
    ...presentSessions(one),
  })),
});
