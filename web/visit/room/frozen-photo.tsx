/** A photo that the agent froze for both, with what they draw on it. */
import { useEffect, useState, type ReactNode } from "react";
import type { Point } from "../../../src/contracts/room-messages.ts";
import type { Board } from "../../rooms/room.ts";
import { DrawingCanvas } from "../../rooms/ui/drawing-canvas.tsx";
import type { Size } from "../../rooms/ui/letterbox.ts";
import type { GuestApi } from "../guest-api.ts";
import { useWords } from "../texts.ts";
import styles from "./stage.module.css";

type Props = Readonly<{
  board: Board;
  api: GuestApi;
  who: string;
  pointer: Point | undefined;
}>;

export function FrozenPhoto({ board, api, who, pointer }: Props): ReactNode {
  const { t } = useWords();
  const [url, setUrl] = useState<string>();
  const [picture, setPicture] = useState<Size>();
  const { mediaId, shapes } = board;
  useEffect(() => {
    // Without the photo the drawing still shows where something is.
    api.readMedia(mediaId).then(
      (media) => setUrl(media.url),
      () => undefined,
    );
  }, [api, mediaId]);
  const label = t("board_label", { who });
  return (
    <div className={styles.board}>
      {url === undefined ? null : (
        <img
          src={url}
          alt=""
          onLoad={({ currentTarget }) =>
            setPicture({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
        />
      )}
      <DrawingCanvas {...{ picture, shapes, pointer }} labels={{ drawing: label, text: "" }} />
    </div>
  );
}
