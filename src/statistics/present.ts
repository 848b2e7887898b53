/** Summaries as the API shows them. Pure. */
import { daysOf, type Period } from "./period.ts";
import type { SessionCounts, SessionSummary } from "./session-summary-store.ts";
import { noTickets, type TicketCounts, type TicketSummary } from "./ticket-summary-store.ts";

type Head = Readonly<{ period: Period; timeZone: string }>;

/** Every day of the period, also those on which nothing happened. */
export function presentTicketSummary({
  summary: { total, days, services, agents },
  ...head
}: Head & Readonly<{ summary: TicketSummary }>) {
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
}: Head & Readonly<{ summary: SessionSummary }>) {
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

function presentHead({ period: { since, until }, timeZone }: Head) {
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
