import type { Trx } from "../platform/db/pool.ts";
import { entryOf, ticketUpdated, type Happening } from "./events.ts";
import type { TimelineEntry, WriterDeps } from "./ports.ts";
import { updateTicket, type TicketUpdate } from "./store.ts";
import type { Ticket } from "./ticket.ts";

export type TicketWriter = {
  /**
   * Writes the ticket, then its timeline, then tells both: the entries first, the ticket last. The
   * caller holds the ticket's lock.
   */
  save(
    trx: Trx,
    before: Ticket,
    update: Omit<TicketUpdate, "modifiedAt"> & { at?: Date },
    entriesOf: (after: Ticket) => readonly TimelineEntry[] | Promise<readonly TimelineEntry[]>,
  ): Promise<Ticket>;
  /** Writes to the timeline only, and tells it. */
  tell(trx: Trx, ticket: Ticket, happenings: readonly Happening[], at?: Date): Promise<void>;
};

export function createTicketWriter({ clock, timeline, outbox }: WriterDeps): TicketWriter {
  return {
    save: async (trx, before, { at = clock.now(), ...update }, entriesOf) => {
      const after = await updateTicket(trx, before, { ...update, modifiedAt: at });
      const told = await timeline.write(trx, await entriesOf(after));
      await outbox.append(trx, [...told, ticketUpdated(after)]);
      return after;
    },
    tell: async (trx, ticket, happenings, at = clock.now()) => {
      if (happenings.length > 0) {
        const entries = happenings.map((happening) => entryOf(ticket, happening, at));
        await outbox.append(trx, await timeline.write(trx, entries));
      }
    },
  };
}
