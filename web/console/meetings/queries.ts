import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";
import { retryBusy } from "../../base/retry.ts";
import { everyServiceQuery } from "../services/queries.ts";
import { queryOf, type MeetingSearch } from "./list-search.ts";
import {
  everyMs,
  mostSessions,
  newestSessions,
  pollOften,
  sessionsEveryMs,
  mergeNewest,
  type Sessions,
} from "./sessions.ts";
import type { Meeting } from "./types.ts";

/** The services for meetings. */
export const servicesQuery = queryOptions({
  ...everyServiceQuery,
  select: (services) => services.filter(({ kind }) => kind === "conference"),
  staleTime: 60_000,
});

export function meetingsQuery(search: MeetingSearch) {
  return queryOptions({
    queryKey: ["meetings", "list", search],
    queryFn: () =>
      call(api.GET("/api/conferences", { params: { query: queryOf(search, new Date()) } })),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
    ...retryBusy,
  });
}

export function meetingQuery(conferenceId: number) {
  return queryOptions({
    queryKey: ["meetings", "one", conferenceId],
    queryFn: () =>
      call(api.GET("/api/conferences/{conferenceId}", { params: { path: { conferenceId } } })),
    refetchInterval: ({ state }) => everyMs(state.data),
  });
}

/** Whether this user can join, and whether guests wait until they are admitted. */
export function accessQuery({ id: conferenceId, status }: Pick<Meeting, "id" | "status">) {
  return queryOptions({
    queryKey: ["meetings", "access", conferenceId, status],
    queryFn: () =>
      call(
        api.GET("/api/conferences/{conferenceId}/checkAccess", {
          params: { path: { conferenceId } },
        }),
      ),
  });
}

const pageSize = 100;

/** All participants: at most 50 guests, and the attendees page by page. */
export function participantsQuery({ id: conferenceId, status }: Pick<Meeting, "id" | "status">) {
  return queryOptions({
    queryKey: ["meetings", "participants", conferenceId],
    queryFn: async () => {
      const read = (offset: number) =>
        call(
          api.GET("/api/conferences/{conferenceId}/participants", {
            params: { path: { conferenceId }, query: { limit: pageSize, offset } },
          }),
        );
      const first = await read(0);
      const all = [...first.data];
      while (all.length < first.total) {
        const { data } = await read(all.length);
        if (data.length === 0) {
          break;
        }
        all.push(...data);
      }
      return all;
    },
    refetchInterval: everyMs({ status }),
  });
}

/** The newest sessions. After the first load, only those that may have changed are fetched. */
export function sessionsQuery({ id: conferenceId, status }: Pick<Meeting, "id" | "status">) {
  return queryOptions({
    queryKey: ["meetings", "sessions", conferenceId],
    queryFn: async ({ client, queryKey }): Promise<Sessions> => {
      const read = (limit: number) =>
        call(
          api.GET("/api/conferences/{conferenceId}/sessions", {
            params: { path: { conferenceId }, query: { limit } },
          }),
        );
      const known = client.getQueryData<Sessions>(queryKey);
      const merged = known && mergeNewest(known, await read(newestSessions));
      return merged ?? read(mostSessions);
    },
    refetchInterval: ({ state }) =>
      asProblem(state.error).status === 429 ? 20_000 : sessionsEveryMs({ status }, state.data),
  });
}

export function filesQuery(conferenceId: number) {
  return queryOptions({
    queryKey: ["meetings", "files", conferenceId],
    queryFn: () =>
      call(
        api.GET("/api/conferences/{conferenceId}/media", {
          params: {
            path: { conferenceId },
            query: { status: "inprogress,uncompleted,completed,error", limit: 100 },
          },
        }),
      ),
    // File links expire after an hour.
    refetchInterval: 60_000,
  });
}

/** The conversation of a meeting with its newest messages. */
export function chatQuery(conferenceId: number) {
  return queryOptions({
    queryKey: ["meetings", "chat", conferenceId],
    queryFn: async () => {
      const found = await call(
        api.GET("/api/conversations", { params: { query: { conferenceId } } }),
      );
      const conversation = found.data[0];
      if (conversation === undefined) {
        return { conversation: undefined, messages: [], total: 0 };
      }
      const messages = await call(
        api.GET("/api/conversations/{conversationId}/messages", {
          params: { path: { conversationId: String(conversation.id) }, query: { limit: 100 } },
        }),
      );
      return { conversation, messages: messages.data.toReversed(), total: messages.total };
    },
    refetchInterval: pollOften,
  });
}

export function usersQuery(search: string) {
  return queryOptions({
    queryKey: ["meetings", "users", search],
    queryFn: () =>
      call(
        api.GET("/api/users", {
          params: { query: { limit: 20, ...(search === "" ? {} : { search }) } },
        }),
      ),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

/** Invalidates all meeting queries after a mutation. */
export function useRefresh() {
  const queries = useQueryClient();
  return (): Promise<void> => queries.invalidateQueries({ queryKey: ["meetings"] });
}
