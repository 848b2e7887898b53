import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "../../../base/api.ts";
import { pageQuery } from "../../../base/paging.ts";
import { showFault } from "../../../components/show-fault.tsx";
import type { Replay } from "../model.ts";
import type { ReplaySearch } from "./criteria.ts";

export const pageSize = 20;

export const canCancel = isOpen;

const moves = {
  pause: "/api/webhooks/replays/{replayId}/pause",
  resume: "/api/webhooks/replays/{replayId}/resume",
  cancel: "/api/webhooks/replays/{replayId}/cancel",
} as const;

export type Move = keyof typeof moves;

/** Newest first; polls while one of them is running. */
export function replaysQuery({ page, of, state }: ReplaySearch) {
  const query = {
    ...pageQuery(page, pageSize),
    ...(of === undefined ? {} : { webhook: of }),
    ...(state === undefined ? {} : { state }),
  };
  return queryOptions({
    queryKey: ["deliveries", "replays", "page", query],
    queryFn: () => call(api.GET("/api/webhooks/replays", { params: { query } })),
    refetchInterval: ({ state: { data } }) => (data?.data.some(isMoving) === true ? 2_000 : false),
    placeholderData: keepPreviousData,
  });
}

export function useMove(replayId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (move: Move) => call(api.POST(moves[move], { params: { path: { replayId } } })),
    onError: showFault,
    onSuccess: (moved) => queries.setQueryData(replayQuery(replayId).queryKey, moved),
    onSettled: () => queries.invalidateQueries({ queryKey: ["deliveries", "replays"] }),
  });
}

export function replayQuery(replayId: number) {
  return queryOptions({
    queryKey: ["deliveries", "replays", "one", replayId],
    queryFn: () =>
      call(api.GET("/api/webhooks/replays/{replayId}", { params: { path: { replayId } } })),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isMoving(data) ? 1_000 : false,
  });
}

/** Whether its numbers may still change. A paused replay waits for the user. */
function isMoving(replay: Replay): boolean {
  return replay.state === "counting" || replay.state === "running" || replay.waiting > 0;
}

function isOpen({ state }: Replay): boolean {
  return ["counting", "running", "paused"].includes(state);
}
