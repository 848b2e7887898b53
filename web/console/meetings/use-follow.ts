import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

/** When somebody came or left, whatever else says who is there is asked about again at once. */
export function useFollow(conferenceId: number, sessions: unknown): void {
  const queries = useQueryClient();
  const seen = useRef(sessions);
  useEffect(() => {
    const before = seen.current;
    seen.current = sessions;
    if (before === undefined || before === sessions) {
      return;
    }
    for (const part of ["one", "participants", "files"]) {
      void queries.invalidateQueries({ queryKey: ["meetings", part, conferenceId] });
    }
  }, [sessions, queries, conferenceId]);
}
