/** The scheduled time of a ticket. Pure. */
import type { Ticket } from "../types.ts";

/** The form for the time has no seconds. */
const minuteMs = 60_000;

/** Whether somebody chose a time: by default, a ticket starts when it is created. */
export function isScheduled({
  start_time: start,
  created,
}: Pick<Ticket, "start_time" | "created">): boolean {
  return Math.abs(Date.parse(start) - Date.parse(created)) >= minuteMs;
}
