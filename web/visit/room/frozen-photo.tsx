/** A photo that the agent froze for both, with what they draw on it. */
import { useEffect, useState, type ReactNode } from "react";
import type { Point } from "../../../src/contracts/room-messages.ts";
import type { Board, Room } from "../../rooms/room.ts";
import { DrawnPhoto } from "../../rooms/ui/drawn-photo.tsx";
import { useWords } from "../texts.ts";
import styles from "./stage.module.css";

type Props = Readonly<{
  board: Board;
  room: Room;
  who: string;
  pointer: Point | undefined;
}>;

export function FrozenPhoto({ board, room, who, pointer }: Props): ReactNode {
  const { t } = useWords();
  const [url, setUrl] = useState<string>();
  const { mediaId, shapes } = board;
  useEffect(() => {
    // Without the photo the drawing still shows where something is.
    void room.findFile(mediaId).then((photo) => setUrl(photo?.url));
  }, [room, mediaId]);
  const labels = { drawing: t("board_label", { who }), text: "" };
  return (
    <div className={styles.board}>
      <DrawnPhoto alt="" {...{ url, shapes, pointer, labels }} />
    </div>
  );
}
