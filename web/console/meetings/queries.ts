import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";
import { queryOf, type MeetingSearch } from "./list-search.ts";

export const meetingsQuery = (search: MeetingSearch) =>
  queryOptions({
    queryKey: ["meetings", "list", search],
    queryFn: () =>
      call(api.GET("/api/conferences", { params: { query: queryOf(search, new Date()) } })),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

/** While somebody looks at it, a meeting is asked about again: people come and go. */
const often = 10_000;

export const meetingQuery = (conferenceId: number) =>
  queryOptions({
    queryKey: ["meetings", "one", conferenceId],
    queryFn: () =>
      call(api.GET("/api/conferences/{conferenceId}", { params: { path: { conferenceId } } })),
    refetchInterval: often,
  });

const pageSize = 100;

/** Everybody: 50 are invited at most, and who was there comes page by page. */
export const participantsQuery = (conferenceId: number) =>
  queryOptions({
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
    refetchInterval: often,
  });

/** As many as are shown: a room that stays open may have had one a day for years. */
const mostSessions = 100;

/** The newest sessions. Often: they are what the timeline grows by. */
export const sessionsQuery = (conferenceId: number) =>
  queryOptions({
    queryKey: ["meetings", "sessions", conferenceId],
    queryFn: () =>
      call(
        api.GET("/api/conferences/{conferenceId}/sessions", {
          params: { path: { conferenceId }, query: { limit: mostSessions } },
        }),
      ),
    refetchInterval: ({ state }) => (asProblem(state.error).status === 429 ? 20_000 : 3_000),
  });

export const filesQuery = (conferenceId: number) =>
  queryOptions({
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
    // Links to files are good for an hour.
    refetchInterval: 60_000,
  });

/** The conversation of a meeting, and the newest of what was written in it. */
export const chatQuery = (conferenceId: number) =>
  queryOptions({
    queryKey: ["meetings", "chat", conferenceId],
    queryFn: async () => {
      const found = await call(
        api.GET("/api/conversations", { params: { query: { conferenceId } } }),
      );
      const conversation = found.data[0];
      if (conversation === undefined) {
        return { conversation: undefined, messages: [], total: 0 };
      }
      const told = await call(
        api.GET("/api/conversations/{conversationId}/messages", {
          params: { path: { conversationId: String(conversation.id) }, query: { limit: 100 } },
        }),
      );
      return { conversation, messages: told.data.toReversed(), total: told.total };
    },
    refetchInterval: often,
  });

export const servicesQuery = queryOptions({
  queryKey: ["meetings", "services"],
  queryFn: () =>
    call(api.GET("/api/services", { params: { query: { kind: "conference", limit: 100 } } })),
  staleTime: 60_000,
});

export const usersQuery = (search: string) =>
  queryOptions({
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

/** After something was done: whatever is shown of meetings is asked about again. */
export const useRefresh = () => {
  const queries = useQueryClient();
  return (): Promise<void> => queries.invalidateQueries({ queryKey: ["meetings"] });
};
