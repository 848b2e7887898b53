import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { TimelineEvent } from "../types.ts";

/** Invalidates the data that a new timeline entry affects. */
export function useFollow(ticketId: number, events: readonly TimelineEvent[] | undefined): void {
  const queries = useQueryClient();
  const seen = useRef<number>(undefined);
  const count = events?.length;
  useEffect(() => {
    const before = seen.current;
    seen.current = count;
    if (before === undefined || count === undefined || events === undefined) {
      return;
    }
    const parts = new Set(events.slice(before).flatMap(({ eventType }) => partsOf(eventType)));
    for (const part of parts) {
      void queries.invalidateQueries({ queryKey: ["tickets", ticketId, part] });
    }
  }, [count, events, queries, ticketId]);
}

function partsOf(type: string): readonly string[] {
  const group = type.split(".")[0];
  return (
    {
      ticket: ["ticket", "messages", "sessions"],
      geo: ["ticket"],
      session: ["ticket", "sessions"],
      media: ["medias"],
    }[group ?? ""] ?? []
  );
}
