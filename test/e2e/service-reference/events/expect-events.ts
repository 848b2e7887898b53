/** Compares the events of the webhooks and of the timeline with those expected. */
import { aPhone, eventsOf } from "../calls.ts";
import type { Service, Watch } from "../service.ts";
import { aTimestamp, anInteger, expectWhole, nowInSeconds } from "../shapes.ts";

export type ExpectedEvent = readonly [
  eventType: string,
  eventCode: number,
  source: string,
  own: Record<string, unknown>,
];

/** Expects exactly these events, by webhook and by REST. */
export async function expectEvents(
  service: Service,
  watch: Watch,
  ticketId: number,
  wanted: readonly ExpectedEvent[],
): Promise<void> {
  const bodies = await watch.sees(wanted.length);
  const events = (await eventsOf(service, ticketId)).slice(-wanted.length);
  const { conversationId } = events[0];
  const props = wanted.map(([eventType, eventCode, _source, own]) => ({
    eventType,
    eventCode,
    ticketId,
    conversationId,
    ...own,
  }));
  expectWhole(
    bodies,
    props.map((one, at) => ({
      event: "create",
      time: nowInSeconds,
      object: "conversationevent",
      objectId: events[at]?.id,
      props: one,
    })),
  );
  expectWhole(
    events,
    props.map((one, at) => ({
      ...one,
      id: anInteger,
      created: aTimestamp,
      source: wanted[at]?.[2],
    })),
  );
}

/** A customer with all personal fields. */
export const named = {
  email: "ann@guests.example",
  phone: aPhone,
  firstname: "Ann",
  lastname: "Martin",
};
