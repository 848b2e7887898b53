import type { Guest } from "../http/route.ts";
import type { Entry } from "./room.ts";

/** The room that a room token opens; undefined where it names no ticket and no conference. */
export function entryOf({
  enterpriseId,
  conversationId,
  ticketId,
  conferenceId,
}: Pick<Guest, "enterpriseId" | "conversationId" | "ticketId" | "conferenceId">):
  | Entry
  | undefined {
  if (ticketId !== null) {
    return { ref: { kind: "ticket", enterpriseId, id: ticketId }, conversationId };
  }
  return conferenceId === null
    ? undefined
    : { ref: { kind: "conference", enterpriseId, id: conferenceId }, conversationId };
}
