import { useCallback, useEffect, useState } from "react";
import { api, call } from "../../../base/api.ts";
import type { WatchedRoom } from "./watch-room.ts";

type Watching = Readonly<{
  /** Undefined while it is on its way, and without access. */
  room: WatchedRoom | undefined;
  /** Why there is none. */
  error: unknown;
}>;

const nothing: Watching = { room: undefined, error: undefined };

/** The room of a running session, connected as a supervisor from mounting to unmounting. */
export function useWatchedRoom(sessionId: string): Watching & { retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Watching>(nothing);
  useEffect(() => {
    let isOver = false;
    let close: (() => void) | undefined;
    openRoom(sessionId).then(
      (room) => {
        if (!isOver) {
          close = room.open();
          setState({ room, error: undefined });
        }
      },
      (error: unknown) => {
        if (!isOver) {
          setState({ room: undefined, error });
        }
      },
    );
    return () => {
      isOver = true;
      close?.();
      setState(nothing);
    };
  }, [sessionId, attempt]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { ...state, retry };
}

/** Each page gets a token of its own, and each token is an entry of the audit log. */
async function openRoom(sessionId: string): Promise<WatchedRoom> {
  const params = { path: { sessionId } };
  // Loads the connection lazily, because the list does not need it.
  const [{ createWatchedRoom }, token] = await Promise.all([
    import("./watch-room.ts"),
    call(api.POST("/api/rooms/{sessionId}/supervisor-token", { params })),
  ]);
  return createWatchedRoom(token.room_token);
}
