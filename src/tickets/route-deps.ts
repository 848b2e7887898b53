import type { ApiRequest } from "../http/route.ts";
import type { Tickets } from "./service.ts";
import type { Scope } from "./ticket.ts";

export type TicketRoutesDeps = Readonly<{
  tickets: Tickets;
  /** Public address without a slash at the end. */
  baseUrl: string;
}>;

/** What the caller of an operation reaches. */
export const scopeOf = ({ caller, reach }: ApiRequest): Scope => ({
  enterpriseId: caller.enterpriseId,
  userId: caller.userId,
  groupIds: caller.groupIds,
  reach,
});
