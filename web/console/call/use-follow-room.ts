import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Room, RoomView } from "../../rooms/room.ts";

/** Refetches photos, files and the ticket's state when the room reports a change. */
export function useFollowRoom(room: Room, view: RoomView, ticketId: number): void {
  const queries = useQueryClient();
  const count = view.shared.length;
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ["tickets", ticketId, "medias"] });
  }, [count, view.isSavingRecording, queries, ticketId]);
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ["tickets", ticketId] });
  }, [view.phase, queries, ticketId]);
  useEffect(() => {
    // Closing the window ends the participation at once, not after 20 s.
    const leave = (): void => room.close();
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, [room]);
}
