import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { Permission } from "../../src/contracts/permissions.ts";
import { fetchSession, may, type Session } from "../base/session.ts";

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  // One that ended stays until somebody signed in again, or left: the page has nothing without it.
  queryFn: async ({ client, queryKey }): Promise<Session | null> =>
    (await fetchSession()) ?? client.getQueryData<Session | null>(queryKey) ?? null,
  staleTime: 60_000,
  // Who watches what comes by itself uses the session as well, while the page can be seen: without a
  // call it would end after half an hour.
  refetchInterval: 5 * 60_000,
});

/** Whether whoever is signed in may do this. */
export function useMay(permission: Permission): boolean {
  return may(useSession(), permission);
}

/** Who is signed in. Only below the pages that need it. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  const last = useRef(data);
  last.current = data ?? last.current;
  // What stands while the way to the sign-in is under way may be drawn once more.
  if (last.current === null) {
    throw new Error("Nobody is signed in");
  }
  return last.current;
}
