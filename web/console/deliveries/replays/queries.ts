import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "../../../base/api.ts";
import { showFault } from "../../../components/show-fault.tsx";
import type { Replay } from "../model.ts";

export const pageSize = 20;

const isOpen = ({ state }: Replay): boolean => ["counting", "running", "paused"].includes(state);

/** Whether its figures may still change by themselves. A paused one moves when somebody says so. */
const isMoving = (replay: Replay): boolean =>
  replay.state === "counting" || replay.state === "running" || replay.waiting > 0;

export const canCancel = isOpen;

/** The newest first; asked again as long as one of them moves. */
export const replaysQuery = (offset: number) =>
  queryOptions({
    queryKey: ["deliveries", "replays", "page", offset],
    queryFn: () =>
      call(api.GET("/api/webhooks/replays", { params: { query: { limit: pageSize, offset } } })),
    refetchInterval: ({ state: { data } }) => (data?.data.some(isMoving) === true ? 2_000 : false),
  });

export const replayQuery = (replayId: number) =>
  queryOptions({
    queryKey: ["deliveries", "replays", "one", replayId],
    queryFn: () =>
      call(api.GET("/api/webhooks/replays/{replayId}", { params: { path: { replayId } } })),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isMoving(data) ? 1_000 : false,
  });

const moves = {
  pause: "/api/webhooks/replays/{replayId}/pause",
  resume: "/api/webhooks/replays/{replayId}/resume",
  cancel: "/api/webhooks/replays/{replayId}/cancel",
} as const;
export type Move = keyof typeof moves;

export const useMove = (replayId: number) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (move: Move) => call(api.POST(moves[move], { params: { path: { replayId } } })),
    onError: showFault,
    onSuccess: (moved) => queries.setQueryData(replayQuery(replayId).queryKey, moved),
    onSettled: () => queries.invalidateQueries({ queryKey: ["deliveries", "replays"] }),
  });
};
