/** Work with the ticket of a room token, in one transaction that holds the ticket. */
import { problem } from "../contracts/problems.ts";
import type { LinkEnd } from "../contracts/tickets.ts";
import type { Guest } from "../http/route.ts";
import type { Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { GuestDeps, GuestTicket } from "./ports.ts";
import { hasConsent } from "./store.ts";

type GuestWork<T> = (trx: Trx, ticket: GuestTicket, at: Date) => Promise<T>;

export type WithTicket = <T>(guest: Guest, work: GuestWork<T>) => Promise<T>;

/** Runs work with the ticket of the guest's token, locked. */
export function createWithTicket({ db, clock, tickets }: GuestDeps): WithTicket {
  return (guest, work) =>
    inTransaction(db, async (trx) => {
      const { enterpriseId, ticketId } = guest;
      const ticket =
        ticketId === null ? undefined : await tickets.lock(trx, { enterpriseId, ticketId });
      if (ticket === undefined) {
        throw gone("deleted");
      }
      return work(trx, ticket, clock.now());
    });
}

/** The same; 410 if the link has expired. */
export function createWithOpenTicket(deps: GuestDeps, withTicket: WithTicket): WithTicket {
  return (guest, work) =>
    withTicket(guest, (trx, ticket, at) => {
      requireLink(deps, ticket, at);
      return work(trx, ticket, at);
    });
}

const endTexts: Readonly<Record<LinkEnd, string>> = {
  expired: "This link has expired.",
  cancelled: "The ticket of this link was cancelled.",
  closed: "The ticket of this link is closed.",
  declined: "The invitation of this link was declined.",
  deleted: "The ticket of this link was deleted.",
};

/** The 410 for a link that has ended, with the reason. */
export function gone(reason: LinkEnd): Error {
  return problem("gone", endTexts[reason], { details: `Reason ${reason}` });
}

/** Throws the 410 if the customer can no longer join. */
export function requireLink(
  { tickets }: Pick<GuestDeps, "tickets">,
  ticket: GuestTicket,
  at: Date,
): void {
  const reason = tickets.linkEndOf(ticket, at);
  if (reason !== undefined) {
    throw gone(reason);
  }
}

export function ticketRefOf({ enterpriseId, id }: GuestTicket) {
  return { enterpriseId, ticketId: id };
}

export async function requireConsent(trx: Trx, ticket: GuestTicket, visit: string): Promise<void> {
  if (!(await hasConsent(trx, { ticketId: ticket.id, visit }))) {
    throw problem("conflict", "Accept the terms first, in every visit and every session.");
  }
}
