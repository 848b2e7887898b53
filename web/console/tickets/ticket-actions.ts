/** Ticket actions: API calls and cache invalidation. */
import { useQueryClient } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import type { StaffAction } from "./allowed-actions.ts";
import { ticketQuery } from "./queries.ts";
import type { Ticket } from "./types.ts";

/** Input of an action besides the ticket. */
export type ActionInput = Readonly<{ channels?: string; agent?: string }>;

type Calls = Record<
  Exclude<StaffAction, "edit" | "remove">,
  (ticketId: number, input: ActionInput) => Promise<Ticket>
>;

const calls: Calls = {
  take: (id) => call(api.POST("/api/tickets/{ticketId}/take", at(id))),
  approve: (id) => call(api.POST("/api/tickets/{ticketId}/approve", at(id))),
  reject: (id) => call(api.POST("/api/tickets/{ticketId}/reject", at(id))),
  complete: (id) => call(api.POST("/api/tickets/{ticketId}/complete", at(id))),
  cancel: (id) => call(api.POST("/api/tickets/{ticketId}/cancel", at(id))),
  close: (id) => call(api.POST("/api/tickets/{ticketId}/close", at(id))),
  invite: (id, { channels }) =>
    call(
      api.POST("/api/tickets/{ticketId}/invitations", {
        ...at(id),
        body: channels === undefined ? {} : { channels },
      }),
    ),
  assign: (id, { agent = "" }) =>
    call(api.PUT("/api/tickets/{ticketId}/agent", { ...at(id), body: { agent } })),
};

/** Performs an action. Rejects with the API's error. */
export function useTicketActions() {
  const refresh = useRefresh();
  const queries = useQueryClient();
  return async (action: StaffAction, ticketId: number, input: ActionInput = {}): Promise<void> => {
    if (action === "edit") {
      return;
    }
    if (action === "remove") {
      await call(api.DELETE("/api/tickets/{ticketId}", at(ticketId)));
      queries.removeQueries({ queryKey: ["tickets", ticketId] });
      await queries.invalidateQueries({ queryKey: ["tickets", "list"] });
      return;
    }
    await refresh(ticketId, await calls[action](ticketId, input));
  };
}

/** Invalidates the ticket and all ticket lists. */
export function useRefresh() {
  const queries = useQueryClient();
  return async (ticketId: number, ticket?: Ticket): Promise<void> => {
    if (ticket !== undefined) {
      queries.setQueryData(ticketQuery(ticketId).queryKey, ticket);
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["tickets", "list"] }),
      queries.invalidateQueries({ queryKey: ["tickets", ticketId] }),
      queries.invalidateQueries({ queryKey: ["tickets", "deliveries", "ticket", ticketId] }),
    ]);
  };
}

function at(ticketId: number) {
  return { params: { path: { ticketId } } };
}
