/** The drawing of this call: what is saved of it, and which photo is drawn on next. */
import { useRef, useState } from "react";
import type { Board, Room } from "../../../rooms/room.ts";

export type Drawing = Readonly<{
  /** Opens a photo for both sides. Asks first if a drawing on another photo would be lost. */
  open: (mediaId: number) => void;
  /** Replaces what is open by the photo that waits. */
  replace: () => void;
  keep: () => void;
  /** A photo waits until the agent has decided. */
  isAsking: boolean;
  markSaved: (shapes: Board["shapes"]) => void;
  isSaved: (board: Board) => boolean;
}>;

export function useDrawing(room: Room, isOpen: boolean): Drawing {
  // As text, because a reconnection makes new objects of the same shapes.
  const saved = useRef("");
  const [waitingId, setWaitingId] = useState<number>();
  if (!isOpen && waitingId !== undefined) {
    setWaitingId(undefined);
  }
  const isSaved = ({ shapes }: Board): boolean =>
    shapes.length === 0 || JSON.stringify(shapes) === saved.current;
  const show = (mediaId: number): void => room.changeBoard({ op: "open", mediaId, shapes: [] });
  return {
    open: (mediaId) => {
      const { board } = room.view();
      if (board === undefined || (isSaved(board) && board.mediaId !== mediaId)) {
        show(mediaId);
      } else if (board.mediaId !== mediaId) {
        setWaitingId(mediaId);
      }
    },
    replace: () => {
      if (waitingId !== undefined) {
        show(waitingId);
      }
    },
    keep: () => setWaitingId(undefined),
    isAsking: waitingId !== undefined,
    markSaved: (shapes) => {
      saved.current = JSON.stringify(shapes);
    },
    isSaved,
  };
}
