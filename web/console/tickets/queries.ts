/** What these pages ask for. Every key begins with `tickets`; those of one ticket with its id. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { endedStates } from "../../../src/contracts/deliveries.ts";
import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";
import { retryBusy } from "../../base/retry.ts";
import type { Delivery, TimelineEvent } from "./types.ts";

export const servicesQuery = queryOptions({
  queryKey: ["tickets", "services"],
  queryFn: async () =>
    (await call(api.GET("/api/services", { params: { query: { kind: "ticket", limit: 100 } } })))
      .data,
  staleTime: 300_000,
});

export function listQuery(query: {
  limit: number;
  offset: number;
  orderby: "date" | "modified" | "start_time" | "id";
  order: "asc" | "desc";
  state?: string;
  agent?: string;
  service_key?: string;
  search?: string;
  since?: string;
  until?: string;
}) {
  return queryOptions({
    queryKey: ["tickets", "list", query],
    queryFn: () => call(api.GET("/api/tickets", { params: { query } })),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
    ...retryBusy,
  });
}

export function ticketQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "ticket"],
    queryFn: () => call(api.GET("/api/tickets/{ticketId}", { params: { path: { ticketId } } })),
    refetchInterval: 15_000,
  });
}

const timelineEveryMs = 3_000;

/** After a refusal for too many calls. */
const patientMs = 20_000;

/** The timeline, oldest first. After the first time only what is new is asked for. */
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

/** Entries that were written at the same time as the last one that we know may come later. */
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
    // Their links are good for an hour.
    refetchInterval: 60_000,
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

/** The ticket's conversation with its newest messages, which come newest first. */
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

/** What became of the webhooks about one object. Asked again until each has ended. */
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

/** An event whose deliveries are not there after so many questions was for no webhook. */
const patience = 3;

function isAwaited(found: readonly Delivery[] | undefined, result: number): boolean {
  return found === undefined || found.length === 0
    ? result < patience
    : found.some(({ status }) => !endedStates.some((ended) => ended === status));
}

/** Active agents whose name, login or address has this in it. */
export function agentsQuery(search: string) {
  return queryOptions({
    queryKey: ["tickets", "agents", search],
    queryFn: async () => {
      const query = search === "" ? { limit: 100 } : { limit: 100, search };
      const { data } = await call(api.GET("/api/users", { params: { query } }));
      return data.filter(({ isAgent, isActive }) => isAgent && isActive);
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
