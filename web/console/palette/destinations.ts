import {
  addressOfDelivery,
  addressOfExplain,
  addressOfMeeting,
  addressOfTicket,
} from "../search/addresses.ts";
import type { SearchHits } from "../search/answer.ts";
import { nameOf } from "../tickets/person.ts";

export type DestinationWords = Readonly<{
  ticket: (id: number) => string;
  meeting: (id: number) => string;
  delivery: (id: number) => string;
  event: (id: string) => string;
}>;

export type Destination = Readonly<{ to: string; label: string; note?: string }>;

const mostOfEach = 5;

type Search = Readonly<{
  wanted: string;
  /** The text that was searched: behind `wanted` while the user types. */
  settled: string;
  found: SearchHits;
  eventId: string | undefined;
}>;

/** None for the hits of an earlier text: Enter after "4711" must not open ticket 471. */
export function destinationsOf(
  { wanted, settled, found, eventId }: Search,
  words: DestinationWords,
): Destination[] {
  if (settled !== wanted) {
    return [];
  }
  return [
    ...found.tickets.slice(0, mostOfEach).map((ticket) => ({
      to: addressOfTicket(ticket.id),
      label: words.ticket(ticket.id),
      note: [nameOf(ticket.requestor), ticket.reference].filter(Boolean).join(" · "),
    })),
    ...found.meetings.slice(0, mostOfEach).map(({ id, name }) => ({
      ...{ to: addressOfMeeting(id), label: words.meeting(id), note: name },
    })),
    ...found.deliveries.slice(0, mostOfEach).map(({ id }) => ({
      ...{ to: addressOfDelivery(id), label: words.delivery(id) },
    })),
    ...(eventId === undefined || found.events.length === 0
      ? []
      : [{ to: addressOfExplain(eventId), label: words.event(eventId) }]),
  ];
}
