import { useEffect, useState, type ReactNode } from "react";
import type { Point } from "../../../src/contracts/room-messages.ts";
import type { Board, Room } from "../room.ts";
import { DrawnPhoto } from "./drawn-photo.tsx";

type Props = Readonly<{
  board: Board;
  room: Room;
  /** What the drawing is called. */
  label: string;
  pointer: Point | undefined;
}>;

/** A photo that the agent froze for all, with what is drawn on it. Fills its positioned parent. */
export function FrozenPhoto({ board, room, label, pointer }: Props): ReactNode {
  const [url, setUrl] = useState<string>();
  const { mediaId, shapes } = board;
  useEffect(() => {
    // The drawing is useful even without the photo.
    void room.findFile(mediaId).then((photo) => setUrl(photo?.url));
  }, [room, mediaId]);
  const labels = { drawing: label, text: "" };
  return <DrawnPhoto alt="" {...{ url, shapes, pointer, labels }} />;
}
