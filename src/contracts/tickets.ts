/** References to tickets, the tokens of their agents, and the input of their customers. */
import type { TimelineEvent } from "./session-events.ts";

export type TicketRef = Readonly<{ enterpriseId: number; ticketId: number }>;

/** One of the customer's two links to a ticket. */
export type TicketLink = Readonly<{ secret: string } | { informationCode: string }>;

/** Why a link does not lead to its ticket any more: the reason in `details` of the 410. */
export const linkEnds = ["expired", "cancelled", "closed", "declined", "deleted"] as const;

export type LinkEnd = (typeof linkEnds)[number];

/** A token in an agent's link to a ticket. Valid for this ticket only, never for the API. */
export type SsoGrant = TicketRef & Readonly<{ userId: number; expiresAt: Date }>;

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

export type SsoTokens<Trx> = {
  issueSsoToken(trx: Trx, grant: SsoGrant): Promise<string>;
  /** Ends all such tokens of the ticket. */
  revokeSsoTokens(trx: Trx, ticket: TicketRef): Promise<void>;
};
