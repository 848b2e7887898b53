/** How other slices name a ticket, and the tokens of its agent. */
export type TicketRef = Readonly<{ enterpriseId: number; ticketId: number }>;

/** One of the two links that a customer has. */
export type TicketLink = Readonly<{ secret: string } | { informationCode: string }>;

/** Tokens in the agent's link to a ticket: valid for that ticket only, never for the API. */
export type SsoGrant = TicketRef & Readonly<{ userId: number; expiresAt: Date }>;

export type SsoTokens<Trx> = {
  issueSsoToken(trx: Trx, grant: SsoGrant): Promise<string>;
  /** Ends all such tokens of the ticket. */
  revokeSsoTokens(trx: Trx, ticket: TicketRef): Promise<void>;
};
