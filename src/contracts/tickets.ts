/**
 * The state machine of a ticket: pure data and a few functions.
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
 *
 * Then the references to tickets, the tokens of their agents, and the input of their customers.
 */
import { type TicketState, ticketStates } from "./events.ts";
import type { Geoloc, TimelineEvent } from "./session-events.ts";

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

/** Whether agent and customer can meet in this state: in a running session, or in a new one. */
export function canMeet(state: TicketState): boolean {
  return state === "inprogress" || transition(state, "start").isAllowed;
}

/** Days without a change until the ticket expires or closes; null: never. */
export const daysUntilExpiry: Record<Exclude<TicketState, "invited">, number | null> = {
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

export type TicketRef = Readonly<{ enterpriseId: number; ticketId: number }>;

/** One of the customer's two links to a ticket. */
export type TicketLink = Readonly<{ secret: string } | { informationCode: string }>;

/** Why a link does not lead to its ticket any more: the reason in `details` of the 410. */
export const linkEnds = ["expired", "cancelled", "closed", "declined", "deleted"] as const;

export type LinkEnd = (typeof linkEnds)[number];

/** An entry point as its customers see it. */
export type EntryPoint = Readonly<{
  service_name: string;
  enterprise_name: string;
  /** Of the service, otherwise of the enterprise. */
  language: string;
}>;

/** A token in an agent's link to a ticket. Valid for this ticket only, never for the API. */
export type SsoGrant = TicketRef & Readonly<{ userId: number; expiresAt: Date }>;

/** The page of an `sso_url`, which exchanges its token for a session. */
export type TicketSessionRequest = Readonly<{
  token: string;
  ticketId: number;
  cookieHeader: string | undefined;
  userAgent: string | undefined;
  /** The page is loaded in an iframe of another site. */
  isEmbedded: boolean;
}>;

/** The `Set-Cookie` headers. None if the token is not valid, or if its user is signed in already. */
export type OpenTicketSession = (request: TicketSessionRequest) => Promise<string[]>;

/**
 * Records a message or a file of the customer outside a session: the ticket may need attention
 * again. Locks the row of the ticket. Nothing happens if the ticket does not exist.
 */
export type RecordCustomerInput<Trx> = (
  trx: Trx,
  ref: TicketRef,
  at: Date,
  entries: readonly TimelineEvent[],
) => Promise<void>;

/** Tickets as their customers' pages use them. Every write locks the ticket first. */
export type CustomerTickets<Queryable, Trx, Ticket> = {
  /** By the secret of the customer's link. Deleted tickets are not found. */
  findBySecret(db: Queryable, secret: string): Promise<Ticket | undefined>;
  /** By the code of the information page. */
  findByCode(db: Queryable, informationCode: string): Promise<Ticket | undefined>;
  /** Whether the ticket was deleted. */
  wasDeleted(db: Queryable, link: TicketLink): Promise<boolean>;
  /** A ticket that is not deleted. */
  find(db: Queryable, ref: TicketRef): Promise<Ticket | undefined>;
  lock(trx: Trx, ref: TicketRef): Promise<Ticket | undefined>;
  /** Whether customers can no longer join: the ticket is over or needs a new invitation. */
  isOver(ticket: Ticket, at: Date): boolean;
  /** Why they cannot; undefined while they can. */
  linkEndOf(ticket: Ticket, at: Date): LinkEnd | undefined;
  /** The customer declines; a conflict if the ticket is not invited. */
  decline(trx: Trx, ticket: Ticket, at: Date): Promise<Ticket>;
  /** Writes the entries, then the position. */
  setPosition(
    trx: Trx,
    ticket: Ticket,
    position: Readonly<{ geoloc: Geoloc; at: Date; entries: readonly TimelineEvent[] }>,
  ): Promise<Ticket>;
  /** Writes timeline entries and appends their events. */
  writeTimeline(
    trx: Trx,
    ticket: Ticket,
    entries: readonly TimelineEvent[],
    at?: Date,
  ): Promise<void>;
  /** Stores the customer's last user agent. No event. */
  recordUserAgent(trx: Trx, ticket: Ticket, userAgent: string): Promise<void>;
};

export type SsoTokens<Trx> = {
  issueSsoToken(trx: Trx, grant: SsoGrant): Promise<string>;
  /** Ends all such tokens of the ticket. */
  revokeSsoTokens(trx: Trx, ticket: TicketRef): Promise<void>;
  /** Moves the end of the tokens that end at `from`: those that last until the end of the ticket. */
  moveSsoTokens(trx: Trx, ticket: TicketRef, ends: { from: Date; to: Date }): Promise<void>;
};
