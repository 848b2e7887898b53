/** A ticket, and when its state ends by itself. Pure. */
import { dayMs } from "../platform/clock.ts";
import type { TicketFields } from "./fields.ts";
import type { TicketState } from "../contracts/events.ts";
import type { Geoloc, Person } from "../contracts/session-events.ts";
import { canMeet, daysUntilExpiry } from "../contracts/ticket-states.ts";
import type { LinkEnd } from "../contracts/tickets.ts";

/** Fields that decide when a state expires. */
type ExpiryFields = Readonly<{
  state: TicketState;
  endTime: Date;
  modifiedAt: Date;
  lastInvitedAt: Date | null;
}>;

export type Ticket = TicketFields &
  Readonly<{
    id: number;
    enterpriseId: number;
    conversationId: number;
    serviceId: number;
    serviceKey: string;
    buttonId: number;
    agent: Agent | null;
    state: TicketState;
    requestorSecret: string;
    informationCode: string;
    geoloc: Geoloc | null;
    /** The message template of invitations; null: the service's. */
    templateId: number | null;
    lastInvitedAt: Date | null;
    /** How a closed ticket was closed. */
    closeReason: CloseReason | null;
    createdAt: Date;
    modifiedAt: Date;
  }>;

export type CloseReason = "closed" | "cancelled";

export type Agent = Readonly<{ id: number; login: string; person: Person }>;

/** Customers can no longer join: the ticket is over or needs a new invitation. */
export function isOver(ticket: LinkEndFields, at: Date): boolean {
  return linkEndOf(ticket, at) !== undefined;
}

type LinkEndFields = ExpiryFields & Pick<Ticket, "closeReason">;

/** Why customers can no longer join; undefined while they can. */
export function linkEndOf(ticket: LinkEndFields, at: Date): LinkEnd | undefined {
  const { state, closeReason } = ticket;
  // Until the timer runs, an expired invitation still has the state `invited`.
  const validUntil = state === "invited" ? expiresAt(ticket) : null;
  if (canMeet(state)) {
    return validUntil !== null && validUntil <= at ? "expired" : undefined;
  }
  if (state === "rejected" || closeReason === "cancelled") {
    return "cancelled";
  }
  return state === "expired" || state === "declined" ? state : "closed";
}

/**
 * When the state expires or closes by itself; null if never. An invitation is valid until the
 * planned end, for at least a day.
 */
export function expiresAt({
  state,
  endTime,
  modifiedAt,
  lastInvitedAt,
}: ExpiryFields): Date | null {
  if (state === "invited") {
    const dayLater = daysAfter(1, lastInvitedAt ?? modifiedAt);
    return dayLater > endTime ? dayLater : endTime;
  }
  const days = daysUntilExpiry[state];
  return days === null ? null : daysAfter(days, modifiedAt);
}

function daysAfter(days: number, from: Date): Date {
  return new Date(from.getTime() + days * dayMs);
}

/** The customer in timeline entries: strings only. */
export function requestorPerson({ requestor }: Ticket): Person {
  return {
    email: requestor.email ?? "",
    phone: requestor.phone ?? "",
    firstname: requestor.firstname ?? "",
    lastname: requestor.lastname ?? "",
  };
}

/** The agent in timeline entries; empty without an agent. */
export function agentPerson({ agent }: Ticket): Person {
  return agent?.person ?? { email: "", phone: "", firstname: "", lastname: "" };
}
