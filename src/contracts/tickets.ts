/** References to tickets, and the tokens of their agents. */
export type TicketRef = Readonly<{ enterpriseId: number; ticketId: number }>;

/** One of the customer's two links to a ticket. */
export type TicketLink = Readonly<{ secret: string } | { informationCode: string }>;

/** A token in an agent's link to a ticket. Valid for this ticket only, never for the API. */
export type SsoGrant = TicketRef & Readonly<{ userId: number; expiresAt: Date }>;

export type SsoTokens<Trx> = {
  issueSsoToken(trx: Trx, grant: SsoGrant): Promise<string>;
  /** Ends all such tokens of the ticket. */
  revokeSsoTokens(trx: Trx, ticket: TicketRef): Promise<void>;
};
