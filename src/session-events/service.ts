import type { OutboundEvent } from "../contracts/events.ts";
import { sessionEventAttributes } from "../contracts/session-events.ts";
import { knownTotal } from "../http/paging.ts";
import type { Db, Trx } from "../platform/db/pool.ts";
import { sessionEventCreated, type NewSessionEvent } from "./events.ts";
import {
  countSessionEvents,
  insertSessionEvents,
  listSessionEvents,
  type SessionEvent,
  type SessionEventFilter,
  type SessionEventPage,
} from "./store.ts";

export type SessionEvents = {
  /**
   * Writes entries of a timeline, in the order given; each has the attributes of its type. Returns the events that tell them; the
   * caller appends those to the outbox together with its own, in the order that is right for it.
   */
  write(trx: Trx, entries: readonly NewSessionEvent[]): Promise<OutboundEvent[]>;
  /** One page of a timeline and how many entries match in all. */
  list(
    owner: { enterpriseId: number; ticketId: number },
    filter: SessionEventFilter,
    page: SessionEventPage,
  ): Promise<{ total: number; events: SessionEvent[] }>;
};

export function createSessionEvents({ db }: { db: Db }): SessionEvents {
  return {
    write: async (trx, entries) => {
      if (entries.length === 0) {
        return [];
      }
      entries.forEach(requireExact);
      const ids = await insertSessionEvents(trx, entries);
      return entries.map((entry, index) => {
        const id = ids[index];
        if (id === undefined) {
          throw new Error(`Of ${entries.length} session events ${ids.length} were inserted`);
        }
        return sessionEventCreated(id, entry);
      });
    },
    list: async (owner, filter, page) => {
      const events = await listSessionEvents(db, owner, filter, page);
      const known = knownTotal(page, events.length);
      const total = known ?? (await countSessionEvents(db, owner, filter));
      return { total, events };
    },
  };
}

/** Our own fault, found before it is told to the world: it would be kept for ever. */
function requireExact({ eventType, attributes }: NewSessionEvent): void {
  const names = Object.keys(attributes).join();
  const expected = sessionEventAttributes[eventType].join();
  if (names !== expected) {
    throw new Error(`${eventType} has the attributes "${expected}", not "${names}"`);
  }
}
