/** Customers who wait in the room of their ticket. */
import { useDocumentVisibility } from "@mantine/hooks";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, call } from "../../base/api.ts";
import { useTranslation } from "../../base/i18n.ts";
import { asProblem } from "../../base/problem.ts";
import { retryBusy } from "../../base/retry.ts";
import { useMay, useSession } from "../session.ts";
import { useFlashingTitle } from "../use-flashing-title.ts";
import { isOwn } from "./allowed-actions.ts";
import { ticketQuery } from "./queries.ts";
import { waitingIn } from "./waiting.ts";

const everyMs = 5_000;

/** Interval after a 429. */
const patientMs = 20_000;

/** A hidden page looks on for so long; then it counts as unused, so that its session can end. */
const hiddenMs = 15 * 60_000;

/** An agent hardly ever changes while the customer waits. */
const agentMs = 60_000;

type Waiting = Readonly<{ id: number; agent: string }>;

/** The tickets of all waiting customers, whatever the list shows, those who came first first. */
const waitingQuery = queryOptions({
  queryKey: ["tickets", "waiting"],
  queryFn: async ({ client }): Promise<Waiting[]> => {
    const query = { limit: 100, order: "asc" } as const;
    const { data } = await call(api.GET("/api/rooms", { params: { query } }));
    return Promise.all(
      waitingIn(data).map(async (id) => ({ id, agent: await agentOf(client, id) })),
    );
  },
  ...retryBusy,
});

/** Its login; empty for a ticket that the user may not read. */
function agentOf(client: QueryClient, id: number): Promise<string> {
  const ticket = client.query({ ...ticketQuery(id), staleTime: agentMs });
  return ticket.then(({ agent }) => agent).catch(() => "");
}

/**
 * Once per page: looks for waiting customers, also in a tab in the background, and announces those of
 * the user's own tickets in its title.
 */
export function useWaitingWatch(): void {
  const { t } = useTranslation("tickets");
  const session = useSession();
  const queries = useQueryClient();
  const mayRead = useMay("conversations.read");
  const isUnused = useIsUnused();
  const { data } = useQuery({
    ...waitingQuery,
    enabled: mayRead && !isUnused,
    refetchInterval: ({ state }) => (asProblem(state.error).status === 429 ? patientMs : everyMs),
    refetchIntervalInBackground: true,
  });
  const count = data?.filter((one) => isOwn(one, session)).length ?? 0;
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
  const select = (waiting: readonly Waiting[]) => waiting.some(({ id }) => id === ticketId);
  return useQuery({ ...waitingQuery, enabled: false, select }).data ?? false;
}
