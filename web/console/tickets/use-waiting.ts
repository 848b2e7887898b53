/** Customers who wait in the room of their ticket. */
import { useDocumentVisibility } from "@mantine/hooks";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, call } from "../../base/api.ts";
import { useTranslation } from "../../base/i18n.ts";
import { asProblem } from "../../base/problem.ts";
import { retryBusy } from "../../base/retry.ts";
import { useMay } from "../session.ts";
import { useFlashingTitle } from "../use-flashing-title.ts";
import { waitingIn } from "./waiting.ts";

const everyMs = 5_000;

/** Interval after a 429. */
const patientMs = 20_000;

/** A hidden page looks on for so long; then it counts as unused, so that its session can end. */
const hiddenMs = 15 * 60_000;

const waitingQuery = queryOptions({
  queryKey: ["tickets", "waiting"],
  queryFn: async () =>
    waitingIn((await call(api.GET("/api/rooms", { params: { query: { limit: 100 } } }))).data),
  ...retryBusy,
});

/**
 * Once per page: looks for waiting customers, also in a tab in the background, and announces those of
 * the user's `own` tickets in its title.
 */
export function useWaitingWatch(own: readonly number[]): void {
  const { t } = useTranslation("tickets");
  const queries = useQueryClient();
  const mayRead = useMay("conversations.read");
  const isUnused = useIsUnused();
  const { data } = useQuery({
    ...waitingQuery,
    enabled: mayRead && !isUnused,
    refetchInterval: ({ state }) => (asProblem(state.error).status === 429 ? patientMs : everyMs),
    refetchIntervalInBackground: true,
  });
  const count = data?.filter((id) => own.includes(id)).length ?? 0;
  useFlashingTitle(count === 0 ? undefined : t("waiting.title", { count }));
  const before = useRef(data);
  useEffect(() => {
    // A customer who comes or goes changes the state of the ticket.
    if (before.current !== undefined && before.current !== data) {
      void queries.invalidateQueries({ queryKey: ["tickets", "list"] });
    }
    before.current = data;
  }, [data, queries]);
}

function useIsUnused(): boolean {
  const isHidden = useDocumentVisibility() === "hidden";
  const [isUnused, setUnused] = useState(false);
  useEffect(() => {
    if (!isHidden) {
      return undefined;
    }
    const timer = setTimeout(() => setUnused(true), hiddenMs);
    return () => {
      clearTimeout(timer);
      setUnused(false);
    };
  }, [isHidden]);
  return isUnused;
}

/** Whether the customer of the ticket waits, as the watch of the page knows it. */
export function useIsWaiting(ticketId: number): boolean {
  const select = (ids: readonly number[]): boolean => ids.includes(ticketId);
  return useQuery({ ...waitingQuery, enabled: false, select }).data ?? false;
}
