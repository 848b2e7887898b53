/**
 * The purpose of every operation, and who may use it. Written by hand instead of derived from the
 * routes: a test compares both lists and fails until a new operation is classified.
 */
import type { Reach, Role } from "../../src/contracts/permissions.ts";
import { accountRoutes } from "./routes/accounts.ts";
import { guestRoutes } from "./routes/guests.ts";
import type { Classified, ClassifiedRoutes } from "./routes/kinds.ts";
import { messageRoutes } from "./routes/messages.ts";
import { publicRoutes } from "./routes/public.ts";
import { roomRoutes } from "./routes/rooms.ts";
import { ticketRoutes } from "./routes/tickets.ts";
import { webhookRoutes } from "./routes/webhooks.ts";

export type { Classified } from "./routes/kinds.ts";

/** Operations that need an access token. */
export const classified: ClassifiedRoutes = {
  ...accountRoutes,
  ...ticketRoutes,
  ...roomRoutes,
  ...messageRoutes,
  ...webhookRoutes,
};

export const operations = Object.entries(classified);

/** All operations of the API. */
export const allOperations: readonly string[] = [
  ...Object.keys(classified),
  ...Object.keys(publicRoutes),
  ...Object.keys(guestRoutes),
];

export function reachOf({ access }: Classified, role: Role): Reach | undefined {
  return typeof access === "string" ? "all" : access[role];
}
