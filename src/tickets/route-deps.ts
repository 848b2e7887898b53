import type { Tickets } from "./service.ts";

export type TicketRoutesDeps = Readonly<{
  tickets: Tickets;
  /** Public address without a slash at the end. */
  baseUrl: string;
}>;
