import { useCallback, useEffect, useState } from "react";
import { api, call } from "../../base/api.ts";
import type { Room } from "../../rooms/room.ts";

export type CallRoom = Readonly<{
  /** Undefined while it is on its way, and without access. */
  room: Room | undefined;
  /** Why there is none. */
  error: unknown;
  retry: () => void;
}>;

/** The room of a ticket, connected as its agent. */
export function useCallRoom(ticketId: number): CallRoom {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Pick<CallRoom, "room" | "error">>(nothing);
  useEffect(() => {
    let isOver = false;
    let opened: Room | undefined;
    openRoom(ticketId).then(
      (room) => {
        if (isOver) {
          room.close();
          return;
        }
        opened = room;
        room.connect();
        setState({ room, error: undefined });
      },
      (error: unknown) => {
        if (!isOver) {
          setState({ room: undefined, error });
        }
      },
    );
    return () => {
      isOver = true;
      opened?.close();
      setState(nothing);
    };
  }, [ticketId, attempt]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { ...state, retry };
}

const nothing: Pick<CallRoom, "room" | "error"> = { room: undefined, error: undefined };

async function openRoom(ticketId: number): Promise<Room> {
  // Loads the core of the room lazily, because the ticket page does not need it.
  const [{ createRoom }, token] = await Promise.all([
    import("../../rooms/create-room.ts"),
    fetchToken(ticketId),
  ]);
  return createRoom({ token, renewToken: () => fetchToken(ticketId), facing: "user" });
}

async function fetchToken(ticketId: number): Promise<string> {
  const params = { path: { ticketId } };
  const answer = await call(api.POST("/api/tickets/{ticketId}/room-token", { params }));
  return answer.room_token;
}
