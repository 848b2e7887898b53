/**
 * Queries of the ticket detail, in a module of their own so that the form of a new ticket does not
 * load them.
 */
import { queryOptions } from "@tanstack/react-query";
import { endedStates } from "../../../../src/contracts/deliveries.ts";
import { api, call } from "../../../base/api.ts";
import { asProblem } from "../../../base/problem.ts";
import type { Delivery, TimelineEvent } from "../types.ts";

const timelineEveryMs = 3_000;

/** Delay after a 429. */
const patientMs = 20_000;

/** The timeline, oldest first. After the first load, only new entries are fetched. */
export function timelineQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "timeline"],
    queryFn: async ({ client, queryKey }): Promise<readonly TimelineEvent[]> => {
      const known = client.getQueryData<readonly TimelineEvent[]>(queryKey) ?? [];
      const params = { path: { ticketId }, query: startOf(known) };
      const found = await call(api.GET("/api/tickets/{ticketId}/events", { params }));
      const ids = new Set(known.map(({ id }) => id));
      const added = found.filter(({ id }) => !ids.has(id));
      return added.length === 0 ? known : [...known, ...added];
    },
    refetchInterval: ({ state }) =>
      asProblem(state.error).status === 429 ? patientMs : timelineEveryMs,
  });
}

/** Overlap of the fetches: entries may commit out of order. */
const overlapMs = 10_000;

function startOf(known: readonly TimelineEvent[]): { since?: string } {
  const last = known.at(-1);
  return last === undefined
    ? {}
    : { since: new Date(Date.parse(last.created) - overlapMs).toISOString() };
}

/** The SMS and mails of a ticket, newest first. */
export function messagesQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "messages"],
    queryFn: async () => {
      const params = { path: { ticketId }, query: { limit: 50 } };
      return (await call(api.GET("/api/tickets/{ticketId}/messages", { params }))).data;
    },
    refetchInterval: ({ state }) => (isMoving(state.data) ? 4_000 : 30_000),
  });
}

function isMoving(messages: readonly { status: string }[] | undefined): boolean {
  return messages?.some(({ status }) => status === "queued" || status === "sent") ?? true;
}

export function mediasQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "medias"],
    queryFn: () => call(api.GET("/api/medias", byTicket(ticketId))),
    // Nothing tells of a recording that is ready; links expire after an hour.
    refetchInterval: 15_000,
  });
}

function byTicket(ticketId: number) {
  return { params: { query: { ticketId, limit: 50 } } };
}

export function sessionsQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "sessions"],
    queryFn: () =>
      call(
        api.GET("/api/tickets/{ticketId}/sessions", {
          params: { path: { ticketId }, query: { order: "desc" } },
        }),
      ),
    refetchInterval: 15_000,
  });
}

/** The ticket's conversation with its messages, newest first. */
export function chatQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "chat"],
    queryFn: async () => {
      const { data } = await call(
        api.GET("/api/conversations", { params: { query: { ticketId, limit: 1 } } }),
      );
      const conversation = data[0];
      if (conversation === undefined) {
        return null;
      }
      const messages = await call(
        api.GET("/api/conversations/{conversationId}/messages", {
          params: { path: { conversationId: String(conversation.id) }, query: { limit: 100 } },
        }),
      );
      return { conversation, messages: messages.data.toReversed(), total: messages.total };
    },
    refetchInterval: 5_000,
  });
}

/** Webhook deliveries for an object. Polls until all have finished. */
export function deliveriesQuery(object: "ticket" | "conversationevent", objectId: number) {
  return queryOptions({
    queryKey: ["tickets", "deliveries", object, objectId],
    queryFn: async () => {
      const query = { object, objectId: String(objectId), limit: 50 };
      return (await call(api.GET("/api/webhooks/deliveries", { params: { query } }))).data;
    },
    staleTime: 60_000,
    refetchInterval: ({ state }) => (isAwaited(state.data, state.dataUpdateCount) ? 5_000 : false),
  });
}

/** Polls without a delivery before the event counts as unmatched. */
const patience = 3;

function isAwaited(found: readonly Delivery[] | undefined, result: number): boolean {
  return found === undefined || found.length === 0
    ? result < patience
    : found.some(({ status }) => !endedStates.some((ended) => ended === status));
}
