import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { Permission } from "../../src/contracts/permissions.ts";
import { fetchSession, may, type Session } from "../base/session.ts";

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  // An ended session stays in the cache until a new sign-in, because the page depends on it.
  queryFn: async ({ client, queryKey }): Promise<Session | null> => {
    const known = () => client.getQueryData<Session | null>(queryKey) ?? null;
    return (await fetchSession(known()?.user.id)) ?? known();
  },
  staleTime: 60_000,
  // Keeps the session alive while the page is visible: it would expire after half an hour without
  // an API call.
  refetchInterval: 5 * 60_000,
});

/** Whether the user has this permission. */
export function useMay(permission: Permission): boolean {
  return may(useSession(), permission);
}

/** The current session. Only for pages that require one. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  const last = useRef(data);
  last.current = data ?? last.current;
  // The page may render again during the redirect to the sign-in.
  if (last.current === null) {
    throw new Error("Nobody is signed in");
  }
  return last.current;
}
