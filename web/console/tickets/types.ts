/** API types, under the names of these pages. */
import type { components } from "../../base/api-types.ts";
import { ticketStates, type TicketState } from "../../../src/contracts/events.ts";

type Schemas = components["schemas"];

export type Ticket = Schemas["Ticket"];
export type ListedTicket = Schemas["TicketItem"];
export type TimelineEvent = Schemas["TicketEvent"];
export type Delivery = Schemas["WebhookDeliveryItem"];
export type Media = Schemas["Media"];
export type TicketMessage = Schemas["TicketMessage"];
export type TicketSession = Schemas["TicketSession"];
export type ChatMessage = Schemas["ChatMessage"];

/** Fields that lists and details share. */
export type SomeTicket = Pick<
  Ticket,
  "id" | "state" | "agent" | "requestor" | "requestor_url" | "start_time" | "end_time" | "modified"
>;

export function isTicketState(text: string): text is TicketState {
  return ticketStates.some((state) => state === text);
}
