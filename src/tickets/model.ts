/**
 * The state machine of a ticket: pure data and one function.
 *
 *   ∅ ──create──► new ──approve──► open ──take──► opened ─┐
 *   ∅ ──create with invitation──► invited ◄──── invite ───┤      (invite: from any waiting state)
 *   ∅ ──request──► open                                   │
 *   new, open, opened, updated, invited ──start──► inprogress ──complete──► done ──close──► closed
 *   inprogress ──abandon──► invited      done ──start──► inprogress      done ──change──► updated
 *   invited ──decline──► declined        waiting ──expire──► expired     new, open ──reject──► rejected
 *   rejected, declined, expired ──close──► closed         anything alive ──cancel──► closed
 *
 * `closed` is terminal. All other transitions are rejected.
 */
import { dayMs } from "../platform/clock.ts";
import type { TicketFields } from "./fields.ts";
import { ticketStates, type TicketState } from "../contracts/events.ts";
import type { Geoloc, Person } from "../contracts/session-events.ts";

/** A state, or `none` before creation and `deleted` after removal. */
export type TicketLifecycleState = TicketState | "none" | "deleted";

/** Causes of transitions: staff through the API, customers, timers. */
export const ticketActions = [
  "create",
  "createInvited",
  "request",
  "approve",
  "reject",
  "take",
  "invite",
  "start",
  "decline",
  "expire",
  "complete",
  "abandon",
  "change",
  "transfer",
  "close",
  "cancel",
  "remove",
] as const;

export type TicketAction = (typeof ticketActions)[number];

/** `kept`: the action is allowed there and leaves the state as it is. */
type TicketTransition = {
  action: TicketAction;
  from: readonly TicketLifecycleState[];
  to: TicketLifecycleState | "kept";
};

/** The next state; if not allowed, the state it would lead to. */
export type TicketTransitionResult = { isAllowed: boolean; to: TicketLifecycleState };

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
    createdAt: Date;
    modifiedAt: Date;
  }>;

export type Agent = Readonly<{ id: number; login: string; person: Person }>;

/** Customers can no longer join: the ticket is over or needs a new invitation. */
export function isOver(ticket: ExpiryFields, at: Date): boolean {
  const canMeet = ticket.state === "inprogress" || transition(ticket.state, "start").isAllowed;
  // Until the timer runs, an expired invitation still has the state `invited`.
  const validUntil = ticket.state === "invited" ? expiresAt(ticket) : null;
  return !canMeet || (validUntil !== null && validUntil <= at);
}

const transitions: readonly TicketTransition[] = [
  { action: "create", from: ["none"], to: "new" },
  { action: "createInvited", from: ["none"], to: "invited" },
  { action: "request", from: ["none"], to: "open" },
  { action: "approve", from: ["new"], to: "open" },
  { action: "reject", from: ["new", "open"], to: "rejected" },
  { action: "take", from: ["new", "open", "updated"], to: "opened" },
  {
    action: "invite",
    from: ["new", "open", "opened", "updated", "expired", "declined", "invited"],
    to: "invited",
  },
  // From `done`: both came back before the ticket was closed.
  {
    action: "start",
    from: ["new", "open", "opened", "updated", "invited", "done"],
    to: "inprogress",
  },
  { action: "decline", from: ["invited"], to: "declined" },
  { action: "expire", from: ["invited", "new", "open", "opened", "updated"], to: "expired" },
  { action: "complete", from: ["inprogress"], to: "done" },
  // The room stayed empty and no connection was established.
  { action: "abandon", from: ["inprogress"], to: "invited" },
  { action: "change", from: ["open", "opened", "done"], to: "updated" },
  { action: "change", from: ["new", "invited", "inprogress", "updated"], to: "kept" },
  {
    action: "transfer",
    from: [
      "new",
      "open",
      "opened",
      "invited",
      "inprogress",
      "updated",
      "expired",
      "declined",
      "done",
    ],
    to: "kept",
  },
  { action: "close", from: ["done", "rejected", "declined", "expired"], to: "closed" },
  {
    action: "cancel",
    from: ["new", "open", "opened", "updated", "invited", "inprogress"],
    to: "closed",
  },
  // A running session must be ended or cancelled first.
  { action: "remove", from: ticketStates.filter((state) => state !== "inprogress"), to: "deleted" },
];

export function transition(
  from: TicketLifecycleState,
  action: TicketAction,
): TicketTransitionResult {
  const rows = transitions.filter((row) => row.action === action);
  const allowed = rows.find((row) => row.from.includes(from));
  const to = (allowed ?? rows.find((row) => row.to !== "kept"))?.to ?? "kept";
  return { isAllowed: allowed !== undefined, to: to === "kept" ? from : to };
}

/** Days without a change until the ticket expires or closes; null: never. */
const daysUntilExpiry: Record<Exclude<TicketState, "invited">, number | null> = {
  new: 30,
  open: 30,
  opened: 30,
  updated: 30,
  rejected: 30,
  declined: 30,
  expired: 30,
  done: 7,
  inprogress: null,
  closed: null,
};

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
