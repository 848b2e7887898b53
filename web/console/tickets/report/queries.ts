/** Queries of the report: complete and without polling, for printing. */
import { queryOptions } from "@tanstack/react-query";
import { allPages } from "../../../base/all-pages.ts";
import { api, call } from "../../../base/api.ts";
import type { ChatMessage, Media, TicketSession, TimelineEvent } from "../types.ts";

export function reportMediasQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "report", "medias"],
    queryFn: async (): Promise<readonly Media[]> => {
      const medias = await allPages((page) =>
        call(api.GET("/api/medias", { params: { query: { ticketId, ...page } } })),
      );
      return medias.toSorted((a, b) => a.id - b.id);
    },
  });
}

export function reportSessionsQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "report", "sessions"],
    queryFn: async (): Promise<readonly TicketSession[]> => {
      const params = { path: { ticketId }, query: { order: "asc" as const } };
      return (await call(api.GET("/api/tickets/{ticketId}/sessions", { params }))).data;
    },
  });
}

export function reportTimelineQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "report", "timeline"],
    queryFn: (): Promise<readonly TimelineEvent[]> =>
      call(api.GET("/api/tickets/{ticketId}/events", { params: { path: { ticketId } } })),
  });
}

/** Oldest first. */
export function reportMessagesQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "report", "messages"],
    queryFn: async (): Promise<readonly ChatMessage[]> => {
      const { data } = await call(
        api.GET("/api/conversations", { params: { query: { ticketId, limit: 1 } } }),
      );
      const conversation = data[0];
      if (conversation === undefined) {
        return [];
      }
      const path = { conversationId: String(conversation.id) };
      const messages = await allPages((query) =>
        call(api.GET("/api/conversations/{conversationId}/messages", { params: { path, query } })),
      );
      return messages.toReversed();
    },
  });
}
