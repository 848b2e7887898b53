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
    queryFn: (): Promise<readonly TicketSession[]> =>
      allPages((page) => {
        const params = { path: { ticketId }, query: { order: "asc" as const, ...page } };
        return call(api.GET("/api/tickets/{ticketId}/sessions", { params }));
      }),
  });
}

export function reportTimelineQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "report", "timeline"],
    queryFn: (): Promise<readonly TimelineEvent[]> =>
      allPages(
        async (query) => {
          const params = { path: { ticketId }, query };
          const data = await call(api.GET("/api/tickets/{ticketId}/events", { params }));
          // A bare array without a total: only a full page may have a next one.
          const isLast = data.length < query.limit;
          return { data, total: isLast ? query.offset + data.length : Infinity };
        },
        { limit: 1_000 },
      ),
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
