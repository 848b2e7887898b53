/** What the customer's side, files and messages do to a ticket. Its row is locked by `lock`. */
import type { Geoloc } from "../contracts/session-events.ts";
import type { Queryable, Trx } from "../platform/db/pool.ts";
import { entryOf, requestorHappening, type Happening } from "./events.ts";
import { requireState } from "./locked.ts";
import { isOver, move } from "./model.ts";
import type { WriterDeps } from "./ports.ts";
import {
  findTicketByLink,
  isDeletedLink,
  rememberUserAgent,
  type TicketLink,
} from "./link-store.ts";
import { lockTicketOf } from "./store.ts";
import type { Ticket } from "./ticket.ts";
import { createTicketWriter } from "./writer.ts";

export type GuestTicket = Ticket;

type TicketRef = Readonly<{ enterpriseId: number; ticketId: number }>;

export type TicketGuests = {
  /** By the secret of the customer's link. Deleted tickets are not found. */
  findBySecret(db: Queryable, secret: string): Promise<GuestTicket | undefined>;
  /** By the code of the information page. */
  findByCode(db: Queryable, informationCode: string): Promise<GuestTicket | undefined>;
  /** Whether there was such a ticket once. */
  wasDeleted(db: Queryable, link: TicketLink): Promise<boolean>;
  lock(trx: Trx, ref: TicketRef): Promise<GuestTicket | undefined>;
  /** The customer cannot come: it is over, or needs a new invitation first. */
  isOver(ticket: GuestTicket, at: Date): boolean;
  /** The customer refuses; a conflict where the ticket is not invited. */
  decline(trx: Trx, ticket: GuestTicket, at: Date): Promise<GuestTicket>;
  /** Writes the entries, then the position. */
  setPosition(
    trx: Trx,
    ticket: GuestTicket,
    position: Readonly<{ geoloc: Geoloc; at: Date; entries: readonly Happening[] }>,
  ): Promise<GuestTicket>;
  /** A message or a file outside a session: a ticket that is worked on or done needs attention. */
  noteCustomerInput(
    trx: Trx,
    ref: TicketRef,
    at: Date,
    entries: readonly Happening[],
  ): Promise<void>;
  /** To the timeline only. */
  tell(trx: Trx, ticket: GuestTicket, entries: readonly Happening[], at?: Date): Promise<void>;
  /** What the customer came with last. Not told to anybody. */
  rememberDevice(trx: Trx, ticket: GuestTicket, userAgent: string): Promise<void>;
};

export function createTicketGuests(deps: WriterDeps): TicketGuests {
  const { save, tell } = createTicketWriter(deps);
  const entriesOf = (ticket: Ticket, happenings: readonly Happening[], at: Date) =>
    happenings.map((happening) => entryOf(ticket, happening, at));
  return {
    findBySecret: (db, secret) => findTicketByLink(db, { secret }),
    findByCode: (db, informationCode) => findTicketByLink(db, { informationCode }),
    wasDeleted: isDeletedLink,
    lock: lockTicketOf,
    isOver,
    decline: (trx, ticket, at) => {
      const state = requireState(ticket, "decline");
      const declined = requestorHappening(ticket, "ticket.invitationDeclined", "guest");
      return save(trx, ticket, { state, at }, () => entriesOf(ticket, [declined], at));
    },
    setPosition: (trx, ticket, { geoloc, at, entries }) =>
      save(trx, ticket, { state: ticket.state, geoloc, at }, () => entriesOf(ticket, entries, at)),
    noteCustomerInput: async (trx, ref, at, entries) => {
      const ticket = await lockTicketOf(trx, ref);
      if (ticket === undefined) {
        return;
      }
      const { isAllowed, to } = move(ticket.state, "change");
      if (isAllowed && to !== ticket.state) {
        await save(trx, ticket, { state: "updated", at }, () => entriesOf(ticket, entries, at));
      } else {
        await tell(trx, ticket, entries, at);
      }
    },
    tell,
    rememberDevice: (trx, { id, enterpriseId }, userAgent) =>
      rememberUserAgent(trx, { id, enterpriseId, userAgent: userAgent.slice(0, 512) }),
  };
}
